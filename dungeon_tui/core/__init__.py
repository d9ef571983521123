"""The parts that all games share: cells, rules, turns, recordings, levels, and the catalogue of games."""

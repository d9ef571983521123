"""The parts that every game shares: cells, rules, turns, recordings, levels, and the finding of games."""

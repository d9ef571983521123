"""A pursuer and an evader on a graph with full view: the game solved exactly, backwards from its ends."""

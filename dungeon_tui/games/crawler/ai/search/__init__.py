"""The search for the shortest way out: a level's boards and bounds, one search, a dungeon's searches together."""

"""Par: the fewest moves, found once, kept beside the levels, told in words and as a figure."""

"""Distance maps: how far every cell is from its nearest goal, for walking, fleeing and digging."""

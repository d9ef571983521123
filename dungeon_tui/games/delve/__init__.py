"""The delve: rooms, corridors and rock, and monsters that run downhill towards you, some of them through the rock."""

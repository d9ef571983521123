"""The delve as values and pure rules."""

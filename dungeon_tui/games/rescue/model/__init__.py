"""The rescue as values and pure rules."""

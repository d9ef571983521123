"""The crawler as values and pure rules."""

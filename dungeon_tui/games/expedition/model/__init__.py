"""The expedition as values and pure rules."""

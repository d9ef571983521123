"""The chase as values and pure rules."""

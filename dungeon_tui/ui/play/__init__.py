"""The screen that plays any game."""

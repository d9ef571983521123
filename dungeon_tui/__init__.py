"""Six classic dungeon problems as games in the terminal, with their algorithms made visible."""

__version__ = "1.0.0"

"""Six classic dungeon problems as games in the terminal, with their algorithms made visible."""

__version__ = "0.1.0"

"""The player's files: the library of games, recordings, settings and error reports."""

"""The editor of levels, for any game: the drawing, its files, its judge, and the screen."""

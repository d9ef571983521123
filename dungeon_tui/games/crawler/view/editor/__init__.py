"""The editor of levels: the drawing, what it is worth, and the screen."""

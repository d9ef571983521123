"""The worth of a level: won or not, in how many moves and ways, with how much treasure, and what of it matters."""

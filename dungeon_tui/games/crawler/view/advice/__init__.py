"""Help while one plays: hints, prospects, par, standing, and a preview of the amulet beside."""

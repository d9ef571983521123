"""What helps while one plays: hints, what is lost, where one stands, what an amulet would do."""

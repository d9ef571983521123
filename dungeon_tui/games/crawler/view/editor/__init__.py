"""The editor's share of the crawler: its tiles and files, and what a level is worth."""

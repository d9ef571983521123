"""The player's library on disk: the recordings that were saved."""

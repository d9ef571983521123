"""The expedition as screens and transcripts show it."""

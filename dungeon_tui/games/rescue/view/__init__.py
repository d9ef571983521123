"""The rescue as screens and transcripts show it."""

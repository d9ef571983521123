"""The crawler as screens and transcripts show it."""

"""The delve as screens and transcripts show it."""

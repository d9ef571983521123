"""The chase as screens and transcripts show it."""

"""Screens and transcripts of the rescue."""

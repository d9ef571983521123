"""Screens and transcripts of the chase."""

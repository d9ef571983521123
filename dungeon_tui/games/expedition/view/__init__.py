"""Screens and transcripts of the expedition."""

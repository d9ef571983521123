"""Textual parts that know no game."""

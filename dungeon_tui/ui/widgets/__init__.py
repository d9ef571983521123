"""Widgets and dialogs that know no game."""

"""Advice during play: hints, prospects, par, and a preview of adjacent amulets."""

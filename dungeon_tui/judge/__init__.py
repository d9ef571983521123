"""Runs other people's programs in any language, within limits, and judges their answers."""

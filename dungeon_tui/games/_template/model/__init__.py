"""The rules: pure functions over frozen values."""

"""The least health with which a knight crosses a grid, right or down; computed from the last cell backwards."""

"""Maps: sources, layers, geometry and the widget that paints them."""

"""Programs of other people, in any language: run apart, within limits, ended with all that they started."""

"""The deep on screen and in transcripts."""

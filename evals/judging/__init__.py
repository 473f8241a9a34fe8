"""Judges: a fast one on everything, an accurate one where it matters, and how far both agree."""

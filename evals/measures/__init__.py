"""Measures: one value of one case, or the reason why there is none."""

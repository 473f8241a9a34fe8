"""Regression: run a suite, keep its outputs, compare with a baseline, say what changed and where."""

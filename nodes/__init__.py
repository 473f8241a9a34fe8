"""Nodes of the three graphs, and what more than one graph needs."""

"""Nodes of AtlasSplit: one file, one function, one node of the graph."""

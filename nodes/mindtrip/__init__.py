"""Nodes of MindTrip: one file, one function, one node of the graph."""

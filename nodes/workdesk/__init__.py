"""Nodes of Workdesk: one file, one function, one node of the graph."""

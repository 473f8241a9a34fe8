"""What the nodes of Workdesk use; each part works alone."""

"""What the nodes of MindTrip use; each part works alone."""

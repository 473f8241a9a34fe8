"""What the nodes of AtlasSplit use; each part works alone."""

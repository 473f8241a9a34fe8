"""Which columns each frame of a pandas program has, found by reading the program without running it."""

"""The workbooks of AtlasSplit's tasks and the answers to them, made by plain Python with fixed seeds."""

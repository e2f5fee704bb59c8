"""The measurement of many people who play in a room at once. `__main__` says how to run it."""

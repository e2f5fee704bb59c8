"""The rating of players: `players` has the values that callers give and get, `equations` finds the strengths."""

"""The rating of players: `players` has what goes in and comes out, `equations` finds the strengths."""

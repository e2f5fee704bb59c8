"""The pages that prepare a session of teams: which teams play, their numbers, and the movement."""

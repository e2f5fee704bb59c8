"""The pages that prepare a session of teams: who plays, with which number, and by which movement."""

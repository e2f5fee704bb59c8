"""The files of a club that a job makes for a director, or reads: one at a time for each account, kept for a day."""

"""The practice evening of a director: a session with invented players and results."""

"""The people of a session: signing up, checking in, seats; two players of a list who are one person."""

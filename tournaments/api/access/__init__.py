"""The access of programs: the view that gives a token for a password, and the scopes of a program’s token."""

"""A player's own pages, by the link on his papers: no account, and nobody else's lines."""

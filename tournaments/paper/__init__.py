"""A session's plan on paper: renders the values it is given, reads no row, knows nobody's rights."""

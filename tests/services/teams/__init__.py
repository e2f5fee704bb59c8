"""Two connections at once in evenings of teams."""

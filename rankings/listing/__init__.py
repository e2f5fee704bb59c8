"""The kinds of published rankings: one list that news feeds and webhooks go through."""

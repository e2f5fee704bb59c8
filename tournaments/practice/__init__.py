"""Evenings with invented players: their names, their results, and the one that a director tries things out with."""

"""Corrections that players ask for: their personal links, what they ask, what the others say, what is decided."""

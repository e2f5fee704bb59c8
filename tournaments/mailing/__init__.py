"""Feuilles de route by mail: who wants them, what is sent of each published version."""

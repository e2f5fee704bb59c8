"""The feuilles de route by e-mail: who wants them, and what is sent for each published version."""

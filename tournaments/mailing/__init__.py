"""The feuilles de route by mail: who wants them, and what is sent for each published version."""

"""The feuilles de route by e-mail: the accounts that want them, and the letters for each published version."""

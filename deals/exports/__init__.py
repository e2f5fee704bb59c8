"""Deal sets as files for people and programs: renders the values it is given, reads no row, knows nobody's rights."""

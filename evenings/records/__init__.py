"""The records of plays: storing them, by the same rules as results, and finding those that readers may see."""

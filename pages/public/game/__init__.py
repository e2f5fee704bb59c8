"""The friendly game: a page that counts the points of a private game on a phone. The site receives nothing of it."""

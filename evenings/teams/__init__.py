"""The teams of a tournament: making them, changing them, substitutes, and the names that readers may see."""

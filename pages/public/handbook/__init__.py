"""The pages of the handbook, which explain the game: their contents with the calculator, and each page."""

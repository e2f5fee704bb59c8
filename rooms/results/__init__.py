"""The reading of a closed room: its ranking, its étuis, a visitor's own results."""

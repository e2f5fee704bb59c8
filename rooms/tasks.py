"""The jobs of rooms."""

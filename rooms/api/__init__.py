"""The JSON API of rooms."""

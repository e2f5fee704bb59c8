"""The pages of rooms."""

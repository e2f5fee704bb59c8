"""The values of published reports, of sessions and of tournaments, and the codec between them and the stored data."""

"""The teams of a report: their members in a session, and their names."""

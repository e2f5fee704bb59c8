"""The preparation of a session that teams play."""

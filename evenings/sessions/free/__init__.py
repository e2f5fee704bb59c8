"""The preparation of a session of donnes libres."""

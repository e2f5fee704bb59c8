"""Who somebody is in the rooms: an account, or a guest."""

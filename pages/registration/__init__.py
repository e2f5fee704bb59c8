"""The pages of registration: the public one, the one of a personal link, and the director's check-in list."""

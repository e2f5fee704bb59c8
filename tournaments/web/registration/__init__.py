"""Pages of registration: the public one, a personal link's, and the director's list of who is there."""

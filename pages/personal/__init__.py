"""The pages of one player. The link on the player's papers opens them, without an account."""

"""The pages of one player, opened by the link on the player's papers: no account, and no other players' lines."""

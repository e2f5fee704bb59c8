"""The rules of games that the tables deal: who deals and rests, and the marks that each seat wins or loses."""

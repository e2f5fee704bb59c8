"""The results of games that the tables deal: who plays a deal, and the sheet of a whole game."""

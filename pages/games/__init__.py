"""The pages of an evening of donnes libres: its settings, the next game, and who leaves or comes."""

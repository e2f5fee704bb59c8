"""The evenings with invented players: names, results, and the practice evening of a director."""

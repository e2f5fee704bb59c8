"""The plans of sessions that teams play: choosing one, seating the teams, making the plays, and later changes."""

"""The plans of sessions that teams play: choosing a plan, seating the teams, making the plays, and later changes."""

"""Two directors who act at once on a simultaneous."""

"""What comes, and where to find it: the evenings of a month over clubs, the next ones, calendars as files, search."""

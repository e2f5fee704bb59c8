"""The coming evenings and where to find them: a month's calendar, the next evenings, calendar files, search."""

"""The sessions in calendars: a month, the next sessions, calendar files. Also the search by name."""

"""The French formats of dates, with “à” between day and hour."""

DATETIME_FORMAT = r"j F Y \à H:i"
SHORT_DATETIME_FORMAT = r"j N Y \à H:i"
SHORT_DATE_FORMAT = "j N Y"

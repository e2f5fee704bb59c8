"""The law of rooms as functions on sources: `rooms` reads the list, `uses` and `breaches` say what breaks it."""

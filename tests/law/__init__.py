"""The law of packages as functions on sources: `packages` reads the list, `uses` and `breaches` say what breaks it."""

"""The calls (webhooks) by which a club's other programs learn that a ranking was published, corrected or withdrawn."""

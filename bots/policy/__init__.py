"""The policy: named rules of good sense for each card, and the first rule that names a card decides."""

"""The policy: a list of named rules for each card. The first rule that names a card decides."""

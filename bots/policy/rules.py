"""The rules of the policy as a type. A rule looks at a player's sight, and names a card or says nothing (None)."""

from collections.abc import Callable, Iterable

from bots.policy.sight import CardSight

CardRule = Callable[[CardSight], int | None]


def apply_rules(rules: Iterable[CardRule], sight: CardSight) -> tuple[str, int]:
    """Return the name and the card of the first rule that names a card. The last rule must always name one."""
    for rule in rules:
        card = rule(sight)
        if card is not None:
            return rule.__name__, card
    raise AssertionError("the last rule names a card")

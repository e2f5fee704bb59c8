"""The policy: the card that the rules choose, those of the lead or those of the following cards; and the vetoes.

A veto says when a bot must not play the Petit, whatever its draws say, if another card is legal. Over many deals vetoes
change no score that can be measured. But a person who sees such a card calls the bot mad.
"""

from collections.abc import Callable
from dataclasses import replace

from bots.policy.following import FOLLOWING_CARDS
from bots.policy.leading import LEADS_OF_A_DEFENDER, LEADS_OF_THE_TAKER
from bots.policy.rules import apply_rules
from bots.policy.sight import PETIT_BIT, CardSight
from referee.cards import TRUMPS
from referee.views import SeatView


def choose_by_policy(seen: SeatView) -> int:
    """Return the card that the policy plays."""
    return explain_card(seen)[1]


def explain_card(seen: SeatView) -> tuple[str, int]:
    """Return the name of the rule that decides, and its card."""
    sight = CardSight(seen)
    if sight.led:
        return apply_rules(FOLLOWING_CARDS, sight)
    return apply_rules(LEADS_OF_THE_TAKER if sight.attacks else LEADS_OF_A_DEFENDER, sight)


def never_lead_the_petit(sight: CardSight) -> bool:
    """Return whether the Petit would be led while a player of the other side may have a trump."""
    return not sight.led and any(not sight.is_void(player, TRUMPS) for player in find_enemies(sight))


def never_give_the_petit(sight: CardSight) -> bool:
    """Return whether the Petit would fall to the other side, which wins the trick so far.

    It is not given away if it wins the trick, or if a partner who is still to play may win it.
    """
    is_lost = sight.best in find_enemies(sight) and not sight.beating & PETIT_BIT
    partners = [player for player in sight.coming if player not in sight.coming_enemies]
    return is_lost and not any(sight.may_beat(player, sight.led, sight.beating) for player in partners)


def find_enemies(sight: CardSight) -> tuple[int, ...]:
    """Return the players of the other side."""
    return tuple(player for player in range(4) if player != sight.me) if sight.attacks else (sight.taker,)


VETOES: tuple[Callable[[CardSight], bool], ...] = (never_lead_the_petit, never_give_the_petit)


def forbid_the_petit(seen: SeatView) -> SeatView:
    """Return the view, without the Petit among the legal cards if a veto forbids it and another card is legal."""
    if not seen.legal & PETIT_BIT or seen.legal == PETIT_BIT:
        return seen
    sight = CardSight(seen)
    return replace(seen, legal=seen.legal & ~PETIT_BIT) if any(veto(sight) for veto in VETOES) else seen

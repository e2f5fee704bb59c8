"""The policy: the card that the rules choose, those of the lead or those of the following cards."""

from bots.policy.following import FOLLOWING_CARDS
from bots.policy.leading import LEADS_OF_A_DEFENDER, LEADS_OF_THE_TAKER
from bots.policy.rules import apply_rules
from bots.policy.sight import CardSight
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

"""Taker profiles: is a hand plainly worth an imposed Garde, without being a walk-over?

A profile is a hand evaluation and a range, under a name. Neither ever changes under that name, because the deals of a
published set depend on them; a better idea gets a new name. Knows the taker's 18 cards only, not the chien.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from deals.domain.board import taker_and_dealer
from deals.domain.cards import EXCUSE, PETIT, TRUMP_21, by_suit
from deals.domain.deal import Deal, DealError
from wording import Texts
from wording import gettext_noop as _

CAVALIER, DAME, ROI = 11, 12, 13  # places in a suit


class ProfileError(DealError):
    """No such profile, or one asked of a deal that it is not for."""

    messages: ClassVar[Texts] = {
        "unknown": _("“%(found)s” is no taker profile: use one of: %(known)s."),
        "profile_players": _("A taker profile is for four players, not %(found)s: leave it out."),
    }


class Evaluation(NamedTuple):
    """What a hand is worth, part by part; one unit is about one point in the tricks or off the target."""

    bouts: int
    trumps: int
    honours: int
    long_suits: int
    short_suits: int

    @property
    def total(self) -> int:
        return sum(self)


def evaluate_1(hand: Collection[int]) -> Evaluation:
    """The evaluation of `garde-1`; `docs/dealing.md` has it as a table and says how its weights were found."""
    *suits, trumps = by_suit(hand)
    numbers = [card for card in trumps if card != EXCUSE]
    petit = (2, 2, 2, 2, 2, 5, 7, 8)[min(len(numbers), 7)]  # by the trumps that protect it, itself counted
    bouts = 11 * (TRUMP_21 in numbers) + 11 * (EXCUSE in trumps) + petit * (PETIT in numbers)
    high = sum(card >= PETIT + 14 for card in numbers)  # the 15 and above
    honours = long_suits = short_suits = 0
    for suit in suits:
        places = [card % 14 for card in suit]
        if ROI in places:
            honours += 7 if DAME in places else 5
        elif DAME in places:
            honours += 2
        honours += CAVALIER in places
        long_suits += min(max(len(suit) - 4, 0), 3)
        short_suits += max(2 - len(suit), 0)
    return Evaluation(bouts, 3 * len(numbers) + high, honours, long_suits, short_suits)


@dataclass(frozen=True, slots=True)
class Profile:
    """A range of an evaluation's total, both ends allowed."""

    name: str
    evaluate: Callable[[Collection[int]], Evaluation]
    minimum: int
    maximum: int

    def accepts(self, hand: Collection[int]) -> bool:
        return self.minimum <= self.evaluate(hand).total <= self.maximum


PROFILES: Mapping[str, Profile] = {
    profile.name: profile for profile in (Profile("garde-1", evaluate_1, minimum=48, maximum=58),)
}


def get_profile(name: str) -> Profile:
    """The profile of a name; an unknown one is an error, never "no profile"."""
    if name not in PROFILES:
        raise ProfileError("unknown", found=name, known=", ".join(PROFILES))
    return PROFILES[name]


def accepts(name: str) -> Callable[[Collection[int]], bool]:
    """Whether a taker's hand passes the named profile."""
    return get_profile(name).accepts


def accepts_board(name: str, number: int) -> Callable[[Deal], bool]:
    """The `accept` of `deal_board` for board `number` of a set with the named profile: its taker's hand passes."""
    accepts_hand, (taker, _) = accepts(name), taker_and_dealer(number)

    def accept(deal: Deal) -> bool:
        if deal.players != 4:
            raise ProfileError("profile_players", found=deal.players)
        return accepts_hand(deal.hand(taker))

    return accept

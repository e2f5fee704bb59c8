"""The taker profiles.

A profile decides whether a hand is good enough for an imposed Garde, but not so good that it wins easily. A profile is
a name, a way to evaluate a hand, and a range of values. It may also name the seat that takes every étui, as quadrettes
need. A profile for a free auction looks at the best of the four hands, so that somebody has a reason to bid.

A profile never changes under its name, because the deals of published sets depend on it. A better profile gets a new
name. A profile looks at 18 cards of a player, not at the chien.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from deals.domain.cards import EXCUSE, PETIT, TRUMP_21, Seat, by_suit
from deals.domain.deal import Deal, DealError
from deals.domain.etui import name_seats, taker_and_dealer
from wording import Texts
from wording import gettext_noop as _

CAVALIER, DAME, ROI = 11, 12, 13  # indexes within a suit
FOUR = 4  # profiles exist only for four players


class ProfileError(DealError):
    """The error for an unknown profile, or for a profile with another number of players than four."""

    messages: ClassVar[Texts] = {
        "unknown": _("“%(found)s” is not a taker profile. Use one of these: %(known)s."),
        "profile_players": _("A taker profile is only for four players, not for %(found)s: remove it."),
    }


class Evaluation(NamedTuple):
    """The value of a hand in five parts. One unit is about one point more in the tricks, or one point less to reach."""

    bouts: int
    trumps: int
    honours: int
    long_suits: int
    short_suits: int

    @property
    def total(self) -> int:
        return sum(self)


def evaluate_1(hand: Collection[int]) -> Evaluation:
    """Return the evaluation of a hand for the profile `garde-1`.

    `docs/dealing.md` has the table of its figures and says how they were found.
    """
    *suits, trumps = by_suit(hand)
    numbers = [card for card in trumps if card != EXCUSE]
    # the index is the number of trumps in the hand, with the Petit
    petit = (2, 2, 2, 2, 2, 5, 7, 8)[min(len(numbers), 7)]
    bouts = 11 * (TRUMP_21 in numbers) + 11 * (EXCUSE in trumps) + petit * (PETIT in numbers)
    high = sum(card >= PETIT + 14 for card in numbers)  # the number of trumps from 15 up
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
    """A range for the total of an evaluation. Its first and last values are accepted too.

    `taker`: the seat that takes every étui. None if the number of the étui says who takes. `for_auction`: the players
    bid, and the best of the four hands has to be in the range.
    """

    name: str
    evaluate: Callable[[Collection[int]], Evaluation]
    minimum: int
    maximum: int
    taker: Seat | None = None
    for_auction: bool = False

    def accepts(self, hand: Collection[int]) -> bool:
        return self.minimum <= self.evaluate(hand).total <= self.maximum


PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("garde-1", evaluate_1, minimum=48, maximum=58),
        Profile("garde-1-south", evaluate_1, minimum=48, maximum=58, taker=Seat.S),
        Profile("auction-1", evaluate_1, minimum=43, maximum=1000, for_auction=True),  # 43: the least that bots bid on
    )
}


def get_profile(name: str) -> Profile:
    """Return the profile with this name. Raise ProfileError if the name is unknown, also for ""."""
    if name not in PROFILES:
        raise ProfileError("unknown", found=name, known=", ".join(PROFILES))
    return PROFILES[name]


def name_profile_seats(name: str, number: int, players: int = 4) -> tuple[Seat | None, Seat]:
    """Return the taker and the dealer of étui `number` in a set with the named profile, or without one if it is "".

    The dealer follows from the number, also where one seat takes every étui. The taker is None if three or five play.
    Raise ProfileError if the name is unknown.
    """
    taker, dealer = name_seats(number, players)
    return (name_taker(name, number) if name and players == FOUR else taker), dealer


def name_taker(name: str, number: int) -> Seat:
    """Return the taker of étui `number` in a set with the named profile. Raise ProfileError if the name is unknown."""
    return get_profile(name).taker or taker_and_dealer(number)[0]


def accepts_etui(name: str, number: int) -> Callable[[Deal], bool]:
    """Return the `accept` function that `deal_etui` needs for étui `number` with the named profile."""
    profile, taker = get_profile(name), name_taker(name, number)

    def accept(deal: Deal) -> bool:
        if deal.players != FOUR:
            raise ProfileError("profile_players", found=deal.players)
        if profile.for_auction:
            return any(map(profile.accepts, deal.hands))
        return profile.accepts(deal.hand(taker))

    return accept


def find_profiled_hand(name: str, number: int, deal: Deal) -> tuple[int, ...]:
    """Return the hand of étui `number` at which the named profile looks: the taker's, or for an auction the best."""
    profile = get_profile(name)
    if profile.for_auction:
        return max(deal.hands, key=lambda hand: profile.evaluate(hand).total)
    return deal.hand(name_taker(name, number))

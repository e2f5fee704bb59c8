"""The drawing of hidden hands: the cards that a player has not seen, placed by chance where the view allows them.

The places are the hands of the others, and the écart or the chien that nobody has shown. A view says which cards a
player cannot have: after a void, an undertrump, a poignée or the chien shown. Weights say where a card likely lies.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bots.sampling.habits import find_unlikely
from bots.sampling.imagining import StateMaker
from bots.sampling.weights import PLACES, find_weights
from bots.suits import HONOURS, POINTS, find_located
from deals.domain.cards import CHIEN, PETIT
from deals.domain.dealing import below, shuffle
from referee.cards import ALL_TRUMPS, KEPT_FROM_ECART, ROIS, SUITS, TAKES_CHIEN, TRUMPS, WHOLE_DECK, cards_of, mask_of
from referee.rules import player_at
from referee.views import SeatView

ASIDE = PLACES - 1  # the place of the écart, or of a chien that nobody took
STRONG = ALL_TRUMPS | ROIS
ATTEMPTS = 20  # drawn deals with a petit sec, which are void, before one is kept
EACH_CARD, SUIT_CHANCE = 4, 6  # a taker discards first the suit with the lowest 4 × length + 0 to 5 by chance
KEEPS_ONE_IN = 8  # of so many short suits a taker keeps one
LONG = 5  # cards of a suit that a taker keeps together


@dataclass(frozen=True, slots=True)
class DrawnHands:
    """A drawn deal: the present hands of all players, and the écart or the chien aside."""

    hands: tuple[int, ...]
    aside: int


class HandDrawer:
    """A drawer of the hidden hands that one view allows, in the phase of play."""

    def __init__(self, seen: SeatView, maker: StateMaker) -> None:
        self.seen, self.maker, self.me = seen, maker, player_at(seen.seat, len(seen.sizes))
        self.taken = seen.contract in TAKES_CHIEN
        assert seen.taker is not None
        self.taker = seen.taker
        hidden = WHOLE_DECK & ~find_located(seen)
        self.known_aside = (seen.ecart or 0) | seen.ecart_trumps if self.taken else 0
        self.rooms = [0 if player == self.me else size for player, size in enumerate(seen.sizes)]
        self.rooms.append(CHIEN[4] - self.known_aside.bit_count())
        self.allowed = self._find_allowed()
        unlikely = find_unlikely(seen)
        self.weights, self.unlikely = find_weights(seen, self.me, unlikely), unlikely[self.taker]
        by_places: dict[int, list[int]] = {}
        for card in cards_of(hidden):
            places = sum(1 << place for place in range(PLACES) if self.rooms[place] and self.allowed[place] >> card & 1)
            by_places.setdefault(places, []).append(card)
        # The cards with the fewest places come first: often strong cards, which cannot lie in an écart.
        self.classes = sorted(by_places.items(), key=lambda item: (item[0].bit_count(), item[0]))
        self.options = {
            card: tuple((place, self.weights[card][place]) for place in range(PLACES) if where >> place & 1)
            for where, cards in self.classes
            for card in cards
        }

    def _find_allowed(self) -> list[int]:
        """Return, for each place, the cards that may lie there."""
        seen = self.seen
        allowed = [WHOLE_DECK & ~cannot for cannot in seen.cannot_have]
        if not self.taken:
            return [*allowed, WHOLE_DECK]
        if seen.ecart_trumps and self.me != self.taker:  # then every card that may be discarded is in the écart
            allowed[self.taker] &= STRONG
        return [*allowed, WHOLE_DECK & ~KEPT_FROM_ECART & ~TRUMPS]

    def draw(self, chance: Iterator[int]) -> DrawnHands:
        """Return a drawn deal. It has no petit sec, if that can be avoided."""
        drawn = self._draw_once(chance)
        for _attempt in range(ATTEMPTS):
            if not self._has_petit_sec(drawn):
                break
            drawn = self._draw_once(chance)
        return drawn

    def _draw_once(self, chance: Iterator[int]) -> DrawnHands:
        places = [0] * PLACES
        rooms = self.rooms[:]
        for where, cards in self.classes:
            for card in shuffle(chance, cards):
                if (place := self._choose_place(card, rooms, chance)) < 0:
                    self._make_room(card, where, places, rooms)
                else:
                    places[place] |= 1 << card
                    rooms[place] -= 1
        if self.taken and self.taker != self.me and rooms[ASIDE] == 0 and places[ASIDE]:
            self._choose_ecart(places, chance)
        places[self.me] = self.seen.hand
        return DrawnHands(tuple(places[:4]), places[ASIDE] | self.known_aside)

    def _choose_place(self, card: int, rooms: list[int], chance: Iterator[int]) -> int:
        """Return one of a card's places, each as likely as its weight times the room that is left there.

        −1 if there is no room.
        """
        total, shares = 0, []
        for place, weight in self.options[card]:
            if room := rooms[place]:
                total += room * weight
                shares.append((total, place))
        if not total:
            return -1
        at = below(chance, total)
        for share, place in shares:
            if at < share:
                return place
        raise AssertionError("the drawn number is below the sum of the shares")

    def _make_room(self, card: int, where: int, places: list[int], rooms: list[int]) -> None:
        """Put a card into a full place, and move other cards on until one comes to a place with room.

        The shortest such chain of moves is taken. There is one, because the true deal is possible.
        """
        came: dict[int, tuple[int, int]] = {place: (card, -1) for place in range(PLACES) if where >> place & 1}
        queue = list(came)
        for place in queue:
            if rooms[place]:
                rooms[place] -= 1
                while place >= 0:
                    moved, source = came[place]
                    places[place] |= 1 << moved
                    if source >= 0:
                        places[source] ^= 1 << moved
                    place = source
                return
            for other in range(PLACES):
                if other in came or not self.rooms[other]:
                    continue
                if movable := places[place] & self.allowed[other]:
                    came[other] = (movable.bit_length() - 1, place)
                    queue.append(other)
        raise AssertionError("no deal fits the view")

    def _choose_ecart(self, places: list[int], chance: Iterator[int]) -> None:
        """Exchange cards of the taker's drawn hand and écart, so that the écart is a reasonable one.

        Cards that the taker cannot have in the hand, or probably has not, stay where they are. Of the others, whole
        short suits go first, then cards by their points and by how short their suit is, with some chance.
        """
        hand, aside = places[self.taker], places[ASIDE]
        free = (hand | aside) & self.allowed[self.taker] & self.allowed[ASIDE] & ~self.unlikely
        count = (aside & free).bit_count()
        if not count:
            return
        whole = hand | aside & free | self.maker.played[self.taker]
        chosen = choose_cuts(whole, free, count, chance)
        chosen |= choose_wished(whole, free & ~chosen, count - chosen.bit_count(), chance)
        places[ASIDE] = aside & ~free | chosen
        places[self.taker] = hand & ~free | free & ~chosen

    def _has_petit_sec(self, drawn: DrawnHands) -> bool:
        """Return whether a hand, as it was dealt, has the Petit without another trump and without the Excuse."""
        for hand in self.maker.find_dealt(drawn.hands, drawn.aside):
            if hand >> PETIT & 1 and not hand & ALL_TRUMPS & ~(1 << PETIT):
                return True
        return False


def choose_cuts(whole: int, free: int, count: int, chance: Iterator[int]) -> int:
    """Return the cards of the suits that a taker discards as a whole, the short ones first: at most `count` cards.

    `whole`: the cards from which the taker chose. `free`: those of them that may lie in the hand or in the écart.
    """
    chosen = 0
    suits = sorted(
        ((whole & suit).bit_count() * EACH_CARD + below(chance, SUIT_CHANCE), suit) for suit in SUITS if free & suit
    )
    for _order, suit in suits:
        cards = whole & suit
        is_short = cards.bit_count() <= min(count - chosen.bit_count(), LONG - 1)
        if is_short and not cards & ~free and below(chance, KEEPS_ONE_IN):
            chosen |= cards
    return chosen


def choose_wished(whole: int, free: int, count: int, chance: Iterator[int]) -> int:
    """Return `count` free cards that a taker likes to discard, by their points and by the length of their suit."""
    ranked = []
    for suit in SUITS:
        length, keeps_roi = (whole & suit).bit_count(), bool(whole & suit & ROIS)
        for card in cards_of(free & suit):
            wish = (POINTS[card] * (2 if keeps_roi else 3)) if HONOURS >> card & 1 else 2
            wish += 3 * max(LONG - length, -2)
            ranked.append((wish * 4 + below(chance, 40), card))
    ranked.sort(reverse=True)
    return mask_of(card for _wish, card in ranked[:count])

"""The sight of a player: the facts that follow from a view. The rules of the policy choose a card by these alone.

Sets of cards are integers (`referee.cards`), players are numbers in the direction of play.
"""

from functools import cached_property

from bots.suits import find_located, read_trick
from deals.domain.cards import EXCUSE, PETIT
from referee.cards import BEATING, BUT_EXCUSE, EXCUSE_BIT, FOLLOWING, SUITS, TRUMPS, WHOLE_DECK, cards_of
from referee.rules import player_at
from referee.views import SeatView

PETIT_BIT = 1 << PETIT


def list_leads(seen: SeatView) -> list[tuple[int, int]]:
    """Return the leader and the first card of each trick, the present one too, without those of the Excuse."""
    leads = [(trick.leader, trick.cards[0]) for trick in seen.tricks]
    if seen.cards:
        leads.append((seen.leader, seen.cards[0]))
    return [lead for lead in leads if lead[1] != EXCUSE]


class CardSight:
    """A player's sight of the play. It is made anew for each card.

    `hand` and `legal` leave out the Excuse, so that no rule plays it by chance. `excuse` says whether it may be played.
    `others`: the cards that other players may have. `may_have`: these cards for each player. `led`: the cards of the
    suit led. `beating`: the cards that beat the trick so far. `best`: the player who wins it so far. `coming`: the
    players still to play.
    """

    def __init__(self, seen: SeatView) -> None:
        assert seen.taker is not None
        self.seen, self.me, self.taker = seen, player_at(seen.seat, len(seen.sizes)), seen.taker
        self.attacks = self.me == self.taker
        self.excuse = bool(seen.legal & EXCUSE_BIT)
        self.hand, self.legal = seen.hand & BUT_EXCUSE, seen.legal & BUT_EXCUSE
        hidden = WHOLE_DECK & ~find_located(seen)
        self.may_have = tuple(hidden & ~cannot for cannot in seen.cannot_have)
        self.others = 0
        for player in range(4):
            self.others |= self.may_have[player] if player != self.me else 0
        self.led, self.beating, self.best = read_trick(seen)
        self.coming = tuple((self.me + step) % 4 for step in range(1, 4 - len(seen.cards)))

    @property
    def left(self) -> int:
        """The number of cards in the player's hand, with the Excuse."""
        return self.seen.hand.bit_count()

    @property
    def trumps(self) -> int:
        """The player's trumps, without the Excuse."""
        return self.hand & TRUMPS

    @property
    def trumps_of_others(self) -> int:
        """The trumps that other players may have, without the Excuse."""
        return self.others & TRUMPS

    @property
    def suits(self) -> list[int]:
        """The player's cards in each plain suit that the player has."""
        return [mine for suit in SUITS if (mine := self.hand & suit)]

    @property
    def is_last(self) -> bool:
        """True if nobody plays after this player in the trick."""
        return not self.coming

    @property
    def is_partners(self) -> bool:
        """True if another defender wins the trick so far, and this player defends too."""
        return not self.attacks and self.best not in (-1, self.taker)

    @property
    def coming_enemies(self) -> tuple[int, ...]:
        """The players of the other side who are still to play in the trick."""
        return self.coming if self.attacks else tuple(player for player in self.coming if player == self.taker)

    @property
    def taker_plays_after(self) -> bool:
        """True if the taker is still to play in the trick."""
        return self.taker in self.coming

    def is_void(self, player: int, suit: int) -> bool:
        """Return whether it is known that a player has no card of a suit, or no trump."""
        return not self.may_have[player] & suit

    def trumps_suit(self, player: int, suit: int) -> bool:
        """Return whether a player is known to be without a suit, and may have trumps."""
        return self.is_void(player, suit) and not self.is_void(player, TRUMPS)

    def may_beat(self, player: int, led: int, beating: int) -> bool:
        """Return whether a player may beat a trick. A player who may follow suit is expected to follow."""
        if following := self.may_have[player] & led:
            return bool(following & beating)
        return bool(self.may_have[player] & TRUMPS & beating)

    def is_sure(self, led: int, beating: int) -> bool:
        """Return whether no enemy who is still to play may beat a trick, as far as the view tells."""
        return not any(self.may_beat(player, led, beating) for player in self.coming_enemies)

    def wins_surely(self, card: int) -> bool:
        """Return whether this card would win the trick, and whether no later enemy may beat it."""
        if not self.beating >> card & 1:
            return False
        led = self.led or FOLLOWING[card]
        return self.is_sure(led, BEATING[card])

    def find_masters(self, suit: int) -> int:
        """Return the player's cards of a suit that are higher than all those of the others."""
        mine, against = self.hand & suit, self.others & suit
        return mine & -1 << against.bit_length()

    @cached_property
    def takers_suits(self) -> int:
        """The plain suits that the taker has led."""
        suits = 0
        for player, card in list_leads(self.seen):
            if player == self.taker and card < PETIT:
                suits |= FOLLOWING[card]
        return suits

    @cached_property
    def asked_suits(self) -> list[int]:
        """The plain suits that the defenders asked for by their first leads, in the order in which they did."""
        suits: list[int] = []
        heard = set()
        for player, card in list_leads(self.seen):
            if player != self.taker and player not in heard and card < PETIT:
                heard.add(player)
                if FOLLOWING[card] not in suits:
                    suits.append(FOLLOWING[card])
        return suits

    @cached_property
    def has_led(self) -> bool:
        """True if this player has led a trick of this deal before."""
        return any(trick.leader == self.me for trick in self.seen.tricks)

    @property
    def petit_is_out(self) -> bool:
        """True if another player may have the Petit."""
        return bool(self.others & PETIT_BIT)

    @property
    def has_highest_trump(self) -> bool:
        """True if this player has a trump that is higher than all those of the others."""
        return bool(self.trumps) and self.trumps > self.trumps_of_others

    @cached_property
    def taker_hunts(self) -> bool:
        """True if the taker has led a trump: a taker with a bare Petit would not."""
        return any(player == self.taker and card >= PETIT for player, card in list_leads(self.seen))

    def count_played(self, suit: int) -> int:
        """Return how many cards of a suit were played, with those of the present trick."""
        tricks = (*(trick.cards for trick in self.seen.tricks), self.seen.cards)
        return sum(suit >> card & 1 for cards in tricks for card in cards)


def list_trumps(hand: int) -> list[int]:
    """Return the trumps of a hand in rising order, without the Excuse."""
    return cards_of(hand & TRUMPS)

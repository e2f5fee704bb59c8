"""The positions made by hand: the view of a player who holds these cards, after these cards were played."""

from deals.domain.cards import CARDS, show_card
from referee.cards import BEATING, BUT_EXCUSE, FOLLOWING, find_legal, mask_of
from referee.rules import STANDARD, seat_of
from referee.terms import DealPhase, Trick
from referee.views import SUIT_MASKS, SeatView, find_missing
from scoring.values import Contract

NAMES = {show_card(card): card for card in range(CARDS)}


def cards(text: str) -> tuple[int, ...]:
    """Return the cards that a text names, such as `♠R ♥10 21 *`."""
    return tuple(NAMES[name] for name in text.split())


def mask(text: str) -> int:
    """Return the set of the cards that a text names."""
    return mask_of(cards(text))


def make_view(
    hand: str, trick: str = "", *, taker: int, tricks: tuple[tuple[int, str], ...] = (), without: str = ""
) -> SeatView:
    """Return the view of player 0, whose turn it is, in a garde sans of player `taker`.

    `trick`: the cards on the table. `tricks`: the leader and the cards of each complete trick. `without`: voids that
    the play has shown, such as `2♠ 3★`: a player and a suit.
    """
    own, played = mask(hand), cards(trick)
    whole = tuple(Trick(leader, cards(text), find_best(leader, cards(text))) for leader, text in tricks)
    gone = mask_of(card for each in whole for card in each.cards) | mask_of(played)
    leader = -len(played) % 4
    cannot = [gone | (own if player else 0) for player in range(4)]
    for started, text in (*((each.leader, each.cards) for each in whole), (leader, played)):
        for player, missing in find_missing(started, text, 4):
            cannot[player] |= missing
    for word in without.split():
        cannot[int(word[0])] |= {str(suit): suits for suit, suits in SUIT_MASKS.items()}[word[1]]
    led, beating = find_trick(played)
    sizes = tuple(own.bit_count() - (player >= leader > 0) for player in range(4))
    return SeatView(
        seat=seat_of(0, 4),
        rules=STANDARD,
        dealer=3,
        phase=DealPhase.PLAY,
        turn=0,
        bids=(),
        taker=taker,
        contract=Contract.GARDE_SANS,
        called=None,
        partner=None,
        chelem=None,
        poignees=(),
        chien=0,
        ecart=None,
        ecart_trumps=0,
        hand=own,
        legal=find_legal(own, led, beating),
        sizes=sizes,
        leader=leader,
        cards=played,
        tricks=whole,
        cannot_have=tuple(cannot),
        result=None,
    )


def find_trick(played: tuple[int, ...]) -> tuple[int, int]:
    """Return the suit led and the cards that beat a trick."""
    led, beating = 0, BUT_EXCUSE
    for card in played:
        if beating >> card & 1:
            led, beating = led or FOLLOWING[card], BEATING[card]
    return led, beating


def find_best(leader: int, played: tuple[int, ...]) -> int:
    """Return the winner of a complete trick."""
    best, beating = leader, find_trick(())[1]
    for place in range(len(played)):
        if beating >> played[place] & 1:
            best, beating = (leader + place) % 4, find_trick(played[: place + 1])[1]
    return best

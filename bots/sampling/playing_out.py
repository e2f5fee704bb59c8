"""The short policy, by which sampling plays a drawn deal to its end. It sees all hands of the drawn deal.

It is much shorter than the policy of a player, because it chooses millions of cards. It puts honours and the Petit on
the sure tricks of its side, puts small cards on lost ones, and wins cheaply.
"""

from bots.suits import HONOURS, PLAIN, poorest_card, richest_card
from deals.domain.cards import EXCUSE, PETIT
from referee.cards import BEATING, BITS, BUT_EXCUSE, EXCUSE_BIT, FOLLOWING, SUITS, TRUMPS, find_legal
from referee.state import Playout
from referee.terms import Trick, find_winner

PETIT_BIT = 1 << PETIT
LAST_MOMENT = 2  # with this number of cards left, the Excuse is played: in the last trick it would be lost
DEFENDERS = tuple(tuple(player for player in range(4) if player != taker) for taker in range(4))


def find_enemies(taker: int, turn: int, place: int) -> tuple[int, ...]:
    """Return the players of the other side who play after the player whose turn it is. `place`: the cards played."""
    coming = tuple((turn + step) % 4 for step in range(1, 4 - place))
    return coming if turn == taker else tuple(player for player in coming if player == taker)


# For each taker, each player at turn and each number of cards on the trick.
ENEMIES = tuple(
    tuple(tuple(find_enemies(taker, turn, place) for place in range(4)) for turn in range(4)) for taker in range(4)
)


def play_to_the_end(playout: Playout) -> None:
    """Play a deal to its end by the short policy. Only the tricks of the playout tell it afterwards.

    The steps are those of `Playout.play`, here with local variables, because bots play millions of cards by them.
    """
    terms, hands, cards, tricks = playout.terms, playout.hands, playout.cards, playout.tricks
    turn, leader, best = playout.turn, playout.leader, playout.best
    led, beating, left = playout.led, playout.beating, playout.left
    taker = terms.taker
    assert taker is not None
    while left:
        for place in range(len(cards), 4):
            hand = hands[turn]
            if not hand & (hand - 1):
                card = hand.bit_length() - 1
            elif not led:
                card = lead_quickly(hands, turn, taker, left, place > 0)
            else:
                legal = find_legal(hand, led, beating)
                if not legal & (legal - 1):
                    card = legal.bit_length() - 1
                else:
                    is_partners = turn != taker and best != taker
                    card = follow_quickly(legal, hands, ENEMIES[taker][turn][place], led, beating, is_partners, left)
            bit = BITS[card]
            hands[turn] = hand ^ bit
            cards.append(card)
            if beating & bit:
                best, beating = turn, BEATING[card]
                led = led or FOLLOWING[card]
            turn = (turn + 1) & 3
        left -= 1
        trick = tuple(cards)
        if not left:
            best = find_winner(terms, tricks, trick, leader, best)
        tricks.append(tuple.__new__(Trick, (leader, trick, best)))  # half the time of `Trick(…)`
        turn = leader = best
        led, beating = 0, BUT_EXCUSE
        cards.clear()
    playout.left = 0


def lead_quickly(hands: list[int], turn: int, taker: int, left: int, has_excuse: bool) -> int:
    """Return the card that the short policy leads from at least two: also after the Excuse, as `has_excuse` says."""
    hand = hands[turn]
    if hand & EXCUSE_BIT:
        if left == LAST_MOMENT and not has_excuse:
            return EXCUSE
        hand ^= EXCUSE_BIT
    if not hand & (hand - 1):
        return hand.bit_length() - 1
    trumps = hand & TRUMPS
    if turn != taker:
        return lead_for_defence(hand, trumps, hands[taker])
    one, two, three = DEFENDERS[taker]
    return lead_for_attack(hand, trumps, hands[one], hands[two], hands[three])


def lead_for_attack(hand: int, trumps: int, one: int, two: int, three: int) -> int:
    """Return the card that the taker leads: sure winners, trumps if they are the most, else the longest suit.

    `one`, `two` and `three`: the hands of the defenders.
    """
    others = one | two | three
    against = others & TRUMPS
    longest, length = 0, 0
    for suit in SUITS:
        if mine := hand & suit:
            top = mine.bit_length() - 1
            if not others & suit & BEATING[top] and (not against or (one & suit and two & suit and three & suit)):
                return top
            size = mine.bit_count()
            if size > length:
                longest, length = mine, size
    if trumps:
        top = trumps.bit_length() - 1
        high = top > against.bit_length() - 1
        if not longest or (against and high and trumps.bit_count() > against.bit_count()):
            return top if high else (trumps & -trumps).bit_length() - 1
        if high and against & PETIT_BIT and PETIT_BIT in (one & TRUMPS, two & TRUMPS, three & TRUMPS):
            return top
    return (longest & -longest).bit_length() - 1


def lead_for_defence(hand: int, trumps: int, attack: int) -> int:
    """Return the card that a defender leads: a suit that the taker trumps, or one that wins; never for the taker."""
    best, value = 0, -100
    taker_trumps = attack & TRUMPS
    for suit in SUITS:
        mine = hand & suit
        if not mine:
            continue
        his = attack & suit
        top = mine.bit_length() - 1
        if not his:
            worth = 6 + mine.bit_count() if taker_trumps else 12
        elif not his & BEATING[top] and mine & HONOURS:
            worth = 8
        else:
            worth = -his.bit_count()
        if worth > value:
            best, value = mine, worth
    if not best:
        if hand & TRUMPS == hand and trumps & ~PETIT_BIT:
            trumps &= ~PETIT_BIT
        return (trumps & -trumps).bit_length() - 1
    if value == 8 or (value == 12 and not taker_trumps):
        return best.bit_length() - 1
    return (best & -best).bit_length() - 1


def follow_quickly(
    legal: int, hands: list[int], enemies: tuple[int, ...], led: int, beating: int, is_partners: bool, left: int
) -> int:
    """Return the card that the short policy plays on a trick, one of at least two legal ones.

    `enemies`: the players of the other side who are still to play. `is_partners`: a partner wins the trick so far.
    """
    excuse = legal & EXCUSE_BIT
    if excuse:
        if left <= LAST_MOMENT:
            return EXCUSE
        legal ^= excuse
    if is_partners:
        for enemy in enemies:
            if can_beat(hands[enemy], led, beating):
                is_partners = False
                break
        else:
            return give_points(legal)
    if winners := legal & beating:
        card = find_cheapest_winner(winners, [hands[enemy] for enemy in enemies], led)
        if card >= 0:
            return card
    elif excuse and legal & HONOURS == legal:
        return EXCUSE
    return throw_away(legal, excuse)


def can_beat(hand: int, led: int, beating: int) -> bool:
    """Return whether a hand can beat a trick."""
    if following := hand & led:
        return bool(following & beating)
    return bool(hand & beating & TRUMPS)


def find_cheapest_winner(winners: int, enemies: list[int], led: int) -> int:
    """Return the card with which to win a trick, or −1 if each winner would be beaten and is worth keeping."""
    trumps = winners & TRUMPS
    if winners & led and led != TRUMPS:
        top = winners.bit_length() - 1
        for enemy in enemies:
            if can_beat(enemy, led, BEATING[top]):
                return -1
        return top
    if trumps & PETIT_BIT:
        for enemy in enemies:
            if can_beat(enemy, led, BEATING[PETIT]):
                break
        else:
            return PETIT
        if trumps == PETIT_BIT:
            return PETIT
        trumps ^= PETIT_BIT
    lowest = trumps & -trumps
    return lowest.bit_length() - 1


def give_points(legal: int) -> int:
    """Return the card to put on a trick that one's own side wins: the Petit, or the most points."""
    if legal & PETIT_BIT:
        return PETIT
    plain = legal & PLAIN
    return richest_card(plain) if plain else (legal & -legal).bit_length() - 1


def throw_away(legal: int, excuse: int) -> int:
    """Return the card to put on a trick that the other side may win: the fewest points, and the Petit last."""
    if plain := legal & PLAIN:
        return EXCUSE if excuse and not plain & ~HONOURS else poorest_card(plain)
    trumps = legal & ~PETIT_BIT
    if not trumps:
        return EXCUSE if excuse else PETIT
    return (trumps & -trumps).bit_length() - 1

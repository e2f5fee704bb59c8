"""The short policy, by which sampling plays a drawn deal to its end. It sees all hands of the drawn deal.

It is much shorter than the policy of a player, because it chooses millions of cards. It puts honours and the Petit on
the sure tricks of its side, puts small cards on lost ones, and wins cheaply.
"""

from bots.suits import HONOURS, PLAIN, poorest_card, richest_card
from deals.domain.cards import PETIT
from referee.cards import BEATING, EXCUSE_BIT, SUITS, TRUMPS, find_legal
from referee.state import Playout

PETIT_BIT = 1 << PETIT
LAST_MOMENT = 2  # with this number of cards left, the Excuse is played: in the last trick it would be lost


def play_to_the_end(playout: Playout) -> None:
    """Play a deal to its end by the short policy."""
    taker = playout.terms.taker
    assert taker is not None
    while playout.left:
        if playout.led:
            playout.play(follow_quickly(playout, taker))
        else:
            playout.play(lead_quickly(playout, taker))


def lead_quickly(playout: Playout, taker: int) -> int:
    """Return the card that the short policy leads: also after the Excuse was led."""
    hand, hands, turn = playout.hands[playout.turn], playout.hands, playout.turn
    if hand & EXCUSE_BIT:
        if hand == EXCUSE_BIT or (playout.left == LAST_MOMENT and not playout.cards):
            return EXCUSE_BIT.bit_length() - 1
        hand ^= EXCUSE_BIT
    if not hand & (hand - 1):
        return hand.bit_length() - 1
    trumps = hand & TRUMPS
    if turn == taker:
        others = hands[0] | hands[1] | hands[2] | hands[3]
        others &= ~hands[turn]
        return lead_for_attack(hand, trumps, others, [hands[player] for player in range(4) if player != taker])
    return lead_for_defence(hand, trumps, hands[taker])


def lead_for_attack(hand: int, trumps: int, others: int, defenders: list[int]) -> int:
    """Return the card that the taker leads: sure winners, trumps if they are the most, else the longest suit."""
    against = others & TRUMPS
    longest, length = 0, 0
    for suit in SUITS:
        if mine := hand & suit:
            top = mine.bit_length() - 1
            if not others & suit & BEATING[top]:
                one, two, three = defenders
                if not against or (one & suit and two & suit and three & suit):
                    return top
            size = mine.bit_count()
            if size > length:
                longest, length = mine, size
    if trumps:
        top = trumps.bit_length() - 1
        high = top > against.bit_length() - 1
        if not longest or (against and high and trumps.bit_count() > against.bit_count()):
            return top if high else (trumps & -trumps).bit_length() - 1
        if high and against & PETIT_BIT:
            for defender in defenders:
                if defender & TRUMPS == PETIT_BIT:
                    return top
    return poorest_card(longest)


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
    return poorest_card(best)


def follow_quickly(playout: Playout, taker: int) -> int:
    """Return the card that the short policy plays on a trick."""
    turn, hands, led, beating = playout.turn, playout.hands, playout.led, playout.beating
    legal = find_legal(hands[turn], led, beating)
    if not legal & (legal - 1):
        return legal.bit_length() - 1
    best, place = playout.best, len(playout.cards)
    # The players who are still to come and play for the other side.
    if turn == taker:
        enemies = [hands[(turn + step) % 4] for step in range(1, 4 - place)]
        friendly = False
    else:
        left = (taker - turn) % 4
        enemies = [hands[taker]] if left < 4 - place else []
        friendly = best != taker
    excuse = legal & EXCUSE_BIT
    if excuse:
        if playout.left <= LAST_MOMENT:
            return EXCUSE_BIT.bit_length() - 1
        legal ^= excuse
    if friendly:
        for enemy in enemies:
            if can_beat(enemy, led, beating):
                friendly = False
                break
        else:
            return give_points(legal)
    if winners := legal & beating:
        card = find_cheapest_winner(winners, enemies, led)
        if card >= 0:
            return card
    elif excuse and legal & HONOURS == legal:
        return EXCUSE_BIT.bit_length() - 1
    return throw_away(legal, excuse, friendly)


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


def throw_away(legal: int, excuse: int, friendly: bool) -> int:
    """Return the card to put on a trick that the other side may win: the fewest points, and the Petit last."""
    if plain := legal & PLAIN:
        if excuse and not friendly and not plain & ~HONOURS:
            return EXCUSE_BIT.bit_length() - 1
        return poorest_card(plain)
    trumps = legal & ~PETIT_BIT
    if not trumps:
        return EXCUSE_BIT.bit_length() - 1 if excuse else PETIT
    return (trumps & -trumps).bit_length() - 1

"""The invented results of plays, which suit the cards.

A taker with a strong hand mostly wins the Garde. A player who has a poignée mostly shows it.
"""

import random
from collections.abc import Iterator

from deals.domain.cards import BOUTS, EXCUSE, PETIT, TRUMP_21, Seat, half_points, is_trump, rank, suit
from deals.domain.deal import Deal
from deals.domain.notation import loads
from scoring.contract import FFT, Contract, DealResult, Poignee, Side
from scoring.ranking import Line
from tournaments.models import Play
from tournaments.rules.entry import Bout, Entry, Facts, Fiche, base_score

NAMES = {TRUMP_21: Bout.TRUMP_21, PETIT: Bout.PETIT, EXCUSE: Bout.EXCUSE}


def invent_result(play: Play, dice: random.Random) -> Entry:
    """Return a plausible result of the play, under an imposed Garde.

    One in ten is a fiche, with only the base score.
    """
    entry = facts(play, dice)
    return Fiche(entry.taker, base_score(entry)) if dice.random() < 0.1 else entry


def facts(play: Play, dice: random.Random) -> Facts:
    """Return a plausible result with all its facts.

    The points follow from the strength of the taker's hand and from chance.
    """
    deal, taker = loads(play.etui.cards), Line(play.etui.taker)
    hand = deal.hand(Seat(taker))
    named = {NAMES[card] for card in BOUTS.intersection(hand + deal.chien) - {PETIT}}
    petit_at = next(Seat(line) for line in Line if PETIT in deal.hand(Seat(line))) if PETIT not in deal.chien else taker
    petit_kept = dice.random() < (0.8 if petit_at == taker else 0.25)
    named |= {Bout.PETIT} if petit_kept else set()
    bouts = len(named)
    lost = 0 if petit_kept else 5
    points = min(max(round(strength(hand, deal) - lost + dice.gauss(0, 6)), 8), 77)
    petit = Side.NONE
    if dice.random() < 0.12:
        petit = Side.ATTACK if petit_kept else Side.DEFENCE
    result = DealResult(
        players=4,
        contract=Contract.GARDE,
        bouts=bouts,
        half_points=2 * max(points, 5 + 4 * bouts),
        petit_au_bout=petit,
        poignees_attack=tuple(show_poignee(hand, dice)),
        poignees_defence=tuple(
            poignee for line in Line if line != taker for poignee in show_poignee(deal.hand(Seat(line)), dice)
        ),
    )
    return Facts(taker, result, frozenset(named))


def strength(hand: tuple[int, ...], deal: Deal) -> float:
    """Return the card points, of 91, that a taker with this hand usually makes.

    The estimate counts the trumps, the high trumps, the honours (with those of the chien) and the suits that the hand
    lacks.
    """
    trumps = [rank(card) for card in hand if is_trump(card)]
    honours = sum(half_points(card) for card in hand + deal.chien if not is_trump(card)) / 2
    voids = 5 - len({suit(card) for card in hand})
    return 10 + 2.4 * len(trumps) + 0.9 * sum(trump > 14 for trump in trumps) + 0.45 * honours + 2 * voids


def show_poignee(hand: tuple[int, ...], dice: random.Random) -> Iterator[Poignee]:
    """Yield the highest poignée of the hand if it has one, in seven of ten cases."""
    trumps = sum(is_trump(card) or card == EXCUSE for card in hand)
    fitting = [poignee for poignee, needed in FFT.poignee_trumps[4].items() if trumps >= needed]
    if fitting and dice.random() < 0.7:
        yield fitting[-1]

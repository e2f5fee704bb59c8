"""The results invented from cards: a strong hand mostly makes its Garde, and hands with a poignée show it."""

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
    """Return a plausible result of an imposed Garde with these cards, sometimes only as the score of a fiche."""
    entry = facts(play, dice)
    return Fiche(entry.taker, base_score(entry)) if dice.random() < 0.1 else entry


def facts(play: Play, dice: random.Random) -> Facts:
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
    """Return the points that these cards usually bring the taker.

    Trumps count, their height, bouts, honours with the chien, and voids.
    """
    trumps = [rank(card) for card in hand if is_trump(card)]
    honours = sum(half_points(card) for card in hand + deal.chien if not is_trump(card)) / 2
    voids = 5 - len({suit(card) for card in hand})
    return 10 + 2.4 * len(trumps) + 0.9 * sum(trump > 14 for trump in trumps) + 0.45 * honours + 2 * voids


def show_poignee(hand: tuple[int, ...], dice: random.Random) -> Iterator[Poignee]:
    """Yield the poignée of a hand that has one. Mostly it is shown."""
    trumps = sum(is_trump(card) or card == EXCUSE for card in hand)
    fitting = [poignee for poignee, needed in FFT.poignee_trumps[4].items() if trumps >= needed]
    if fitting and dice.random() < 0.7:
        yield fitting[-1]

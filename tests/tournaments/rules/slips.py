"""The figures of docs/plausibility.md: how many slips of a table the site doubts, and how many right results.

Prepared étuis (`garde-1`, one fixed seed) are played card by card at some tables by `sensible`. Then one result gets
one slip, and the program asks the site what it would say, and to whom. `python -m tests.tournaments.rules.slips` prints
the tables.
"""

import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from deals.domain.cards import EXCUSE, is_trump
from deals.domain.deal import Deal
from deals.domain.dealing import deal_etui
from deals.domain.etui import taker_and_dealer
from deals.domain.profile import accepts_etui
from scoring.bounds import DECK
from scoring.contract import FFT, Contract, Poignee, ScoringError, Side
from scoring.formats import INDIVIDUAL
from scoring.plausibility import Question
from scoring.ranking import Line
from tests.tournaments.rules.sensible import Sensible
from tournaments.rules.clash import clashes, unlikely
from tournaments.rules.entry import (
    AllPassed,
    Bout,
    Entry,
    EntryError,
    Facts,
    Fiche,
    ask_about_entry,
    base_score,
    check_entry_rules,
    taker_of,
)
from tournaments.rules.etuis import odd, odd_entries

SEED = bytes(range(32))
ETUIS, TABLES = 120, (4, 7, 11)
FAR_BEFORE = 25
Slip = Callable[[Facts, Facts, random.Random], Entry]


@dataclass(frozen=True)
class Etui:
    """A deal with the results that its tables report."""

    deal: Deal
    plays: tuple[Facts, ...]


@cache
def evening(etuis: int) -> tuple[Etui, ...]:
    return tuple(played(number, max(TABLES)) for number in range(1, etuis + 1))


def played(number: int, tables: int) -> Etui:
    deal = deal_etui(SEED, number, accept=accepts_etui("garde-1", number)).deal
    taker = Line(taker_and_dealer(number)[0].value)
    rng = random.Random(number)
    plays = [Sensible(deal, taker, Contract.GARDE, rng, False).play() for _ in range(tables)]
    return Etui(deal, tuple(with_poignees(facts, deal, rng) for facts in plays))


def with_poignees(facts: Facts, deal: Deal, rng: random.Random) -> Facts:
    """Return the facts with the poignées that the hands have; seven of ten are shown."""
    told: dict[bool, list[Poignee]] = {True: [], False: []}
    for line, hand in zip(Line, deal.hands, strict=True):
        trumps = sum(is_trump(card) or card == EXCUSE for card in hand)
        fitting = [poignee for poignee, needed in FFT.poignee_trumps[4].items() if trumps >= needed]
        if fitting and rng.random() < 0.7:
            told[line == facts.taker].append(fitting[-1])
    result = replace(facts.result, poignees_attack=tuple(told[True]), poignees_defence=tuple(told[False]))
    return replace(facts, result=result)


# The slips. A slip takes the right result, this table's result of the next étui, and a source of chance. It returns the
# result that is typed.


def nothing(right: Facts, other: Facts, rng: random.Random) -> Facts:
    return right


def ten_points_off(right: Facts, other: Facts, rng: random.Random) -> Facts:
    return with_points(right, right.result.half_points + rng.choice((-20, 20)))


def sides_exchanged(right: Facts, other: Facts, rng: random.Random) -> Facts:
    return with_points(right, DECK - right.result.half_points)


def digits_exchanged(right: Facts, other: Facts, rng: random.Random) -> Facts:
    tens, ones = divmod(right.result.half_points // 2, 10)
    return with_points(right, 2 * (10 * ones + tens))


def with_points(right: Facts, half_points: int) -> Facts:
    return replace(right, result=replace(right.result, half_points=half_points))


def one_bout_misnamed(right: Facts, other: Facts, rng: random.Random) -> Facts:
    """Give one of the three bouts to the wrong side."""
    return named(right, right.attack_bouts ^ {rng.choice(list(Bout))})


def bouts_one_off(right: Facts, other: Facts, rng: random.Random) -> Facts:
    """Change the number of bouts by one. Where bouts are named, give one of the three to the wrong side."""
    if right.attack_bouts is not None:
        return one_bout_misnamed(right, other, rng)
    bouts = rng.choice([count for count in (right.result.bouts - 1, right.result.bouts + 1) if 0 <= count <= 3])
    return replace(right, result=replace(right.result, bouts=bouts))


def named(right: Facts, bouts: frozenset[Bout]) -> Facts:
    return replace(right, attack_bouts=bouts, result=replace(right.result, bouts=len(bouts)))


def neighbouring_etui(right: Facts, other: Facts, rng: random.Random) -> Facts:
    """Type the next étui's result here. The site keeps the taker of this étui."""
    return replace(other, taker=right.taker)


def tripled(right: Facts, other: Facts, rng: random.Random) -> Entry:
    return Fiche(right.taker, 3 * base_score(right))


def petit_added(right: Facts, other: Facts, rng: random.Random) -> Facts:
    """Add a petit au bout of a random side, or change its side if there is one."""
    sides = [side for side in (Side.ATTACK, Side.DEFENCE) if side != right.result.petit_au_bout]
    return replace(right, result=replace(right.result, petit_au_bout=rng.choice(sides)))


def by_fiche(right: Facts, other: Facts, rng: random.Random) -> Entry:
    return Fiche(right.taker, base_score(right))


def sign_exchanged(right: Facts, other: Facts, rng: random.Random) -> Entry:
    return Fiche(right.taker, -base_score(right))


def fiche_of_another_etui(right: Facts, other: Facts, rng: random.Random) -> Entry:
    return Fiche(right.taker, base_score(other))


SLIPS: Mapping[str, Slip] = {
    "nothing wrong": nothing,
    "points ten off": ten_points_off,
    "bouts one off": bouts_one_off,
    "the neighbouring étui": neighbouring_etui,
    "the other side’s points (91 − x)": sides_exchanged,
    "digits of the points exchanged (54 for 45)": digits_exchanged,
    "the mark (3 ×) written for the base score": tripled,
    "petit au bout entered where there was none": petit_added,
}
# On paper evenings every table hands in a fiche.
FICHES: Mapping[str, Slip] = {
    "a fiche with the wrong sign": sign_exchanged,
    "the fiche of another étui": fiche_of_another_etui,
}
RIGHT_FICHE = "nothing wrong, by fiches"


# The site's doubt: it tells the table at once, or the director on the desk.


def doubted_before(etui: Etui, at: int, typed: Entry, others: Mapping[int, Entry]) -> bool:
    """Return True if the site doubted the result before bouts were named and points compared.

    It then doubted impossible results, a number of bouts that the cards forbid, and scores that are far off.
    """
    if refused(typed, with_cards=False):
        return True
    counted = {key: uncounted(entry) for key, entry in (others | {at: typed}).items()}
    scores = {key: base_score(entry) for key, entry in counted.items()}
    return bool(clashes(counted[at], etui.deal)) or at in odd(scores, far=FAR_BEFORE)


def doubted(etui: Etui, at: int, typed: Entry, others: Mapping[int, Entry]) -> bool:
    if refused(typed) or clashes(typed, etui.deal) or unlikely(typed, etui.deal):
        return True
    if isinstance(typed, Fiche) and any(question.code == "base_score_impossible" for question in asked(typed)):
        return True
    return at in odd_entries({**others, at: typed})


def uncounted(entry: Entry) -> Entry:
    """Return the entry without the names of the bouts."""
    return replace(entry, attack_bouts=None) if isinstance(entry, Facts) else entry


def asked(entry: Entry) -> tuple[Question, ...]:
    return ask_about_entry(entry, format=INDIVIDUAL)


def refused(entry: Entry, *, with_cards: bool = True) -> bool:
    """Return True if the table is told at once that this result is impossible."""
    try:
        if with_cards:
            check_entry_rules(entry, format=INDIVIDUAL, etui_taker=taker_of(entry))
        else:
            base_score(entry)
    except (EntryError, ScoringError):
        return True
    return False


Doubt = Callable[[Etui, int, Entry, Mapping[int, Entry]], bool]


def unnoticed(slip: str, doubt: Doubt, tables: int, *, etuis: int = ETUIS, named: bool = True) -> float:
    """Return the percentage of slips that the site does not notice.

    Each result in turn has the slip, while the others are right.
    """
    night = evening(etuis)
    missed = total = 0
    for number, etui in enumerate(night):
        rng = random.Random(number)
        right = {at: etui.plays[at] if named else uncounted(etui.plays[at]) for at in range(tables)}
        neighbour = night[(number + 1) % etuis]
        for at in right:
            typed = ALL_SLIPS[slip](right[at], neighbour.plays[at], rng)
            others: dict[int, Entry] = {key: entry for key, entry in right.items() if key != at}
            if slip in FICHES or slip == RIGHT_FICHE:
                others = {key: Fiche(taker_or_raise(entry), base_score(entry)) for key, entry in others.items()}
            total += 1
            missed += not doubt(etui, at, typed, others)
    return 100 * missed / total


def taker_or_raise(entry: Entry) -> Line:
    assert not isinstance(entry, AllPassed)
    return entry.taker


ALL_SLIPS = {**SLIPS, **FICHES, RIGHT_FICHE: by_fiche}


def table() -> str:
    lines = ["| unnoticed, per cent of plays | 4 | 7 | 11 |", "|---|---|---|---|"]
    for slip in list(SLIPS)[1:]:
        for when, doubt in (("before", doubted_before), ("now", doubted)):
            figures = [unnoticed(slip, doubt, tables, named=doubt is doubted) for tables in TABLES]
            lines.append(f"| {slip}, {when} | " + " | ".join(f"{figure:.0f}" for figure in figures) + " |")
    figures = [unnoticed("bouts one off", doubted, tables, named=False) for tables in TABLES]
    lines.append("| bouts one off where they are only counted, now | " + " | ".join(f"{f:.0f}" for f in figures) + " |")
    for slip in FICHES:
        figures = [unnoticed(slip, doubted, tables) for tables in TABLES]
        lines.append(f"| {slip}, all by fiches | " + " | ".join(f"{figure:.0f}" for figure in figures) + " |")
    for when, doubt in (("before", doubted_before), ("now", doubted)):
        figures = [100 - unnoticed("nothing wrong", doubt, tables) for tables in TABLES]
        lines.append(f"| nothing wrong: doubted, {when} | " + " | ".join(f"{f:.1f}" for f in figures) + " |")
    figures = [100 - unnoticed(RIGHT_FICHE, doubted, tables) for tables in TABLES]
    lines.append("| nothing wrong, all by fiches: doubted | " + " | ".join(f"{f:.1f}" for f in figures) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(table())

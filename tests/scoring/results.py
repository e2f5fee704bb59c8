"""The deal results for tests: the regulation's examples from tests/golden, and every valid result for hypothesis."""

import csv
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

from hypothesis import strategies as st

from scoring.bounds import DECK, MADE, SUFFERED
from scoring.contract import Chelem, Contract, DealResult, Poignee, ScoringError, Side, check_figures

GOLDEN = Path(__file__).parent.parent / "golden"
POIGNEES = [(), *((poignee,) for poignee in Poignee), *product(Poignee, repeat=2)]


def golden_rows(name: str) -> list[dict[str, str]]:
    with (GOLDEN / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def result(**changes: object) -> DealResult:
    """Return an ordinary deal of four players: Garde, two bouts, 49 points."""
    return replace(DealResult(4, Contract.GARDE, bouts=2, half_points=98), **changes)


def is_valid(deal: DealResult) -> bool:
    try:
        check_figures(deal)
    except ScoringError:
        return False
    return True


@cache
def valid_points(players: int, contract: Contract, chelem: Chelem) -> list[tuple[int, int]]:
    """Return the possible pairs of bouts and half points."""
    bare = DealResult(players, contract, 0, 0, chelem=chelem, partner=True if players == 5 else None)
    pairs = product(range(4), range(DECK + 1))
    return [(b, h) for b, h in pairs if is_valid(replace(bare, bouts=b, half_points=h))]


@cache
def valid_poignees(players: int, partner: bool | None) -> list[tuple[tuple[Poignee, ...], tuple[Poignee, ...]]]:
    bare = DealResult(players, Contract.GARDE, 2, 98, partner=partner)
    pairs = product(POIGNEES, repeat=2)
    return [(a, d) for a, d in pairs if is_valid(replace(bare, poignees_attack=a, poignees_defence=d))]


@st.composite
def valid_results(draw: st.DrawFn) -> DealResult:
    players = draw(st.sampled_from([3, 4, 5]))
    contract = draw(st.sampled_from(Contract))
    chelem = draw(st.sampled_from(Chelem))
    partner = draw(st.booleans()) if players == 5 else None
    bouts, half_points = draw(st.sampled_from(valid_points(players, contract, chelem)))
    loser = Side.DEFENCE if chelem in MADE else Side.ATTACK if chelem in SUFFERED else None
    petit = draw(st.sampled_from([side for side in Side if side != loser]))
    attack, defence = draw(st.sampled_from(valid_poignees(players, partner)))
    return DealResult(players, contract, bouts, half_points, petit, attack, defence, chelem, partner)

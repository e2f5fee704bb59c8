"""The plays of donnes libres in a standings file: up to five seats, partners, marks of sheets, weights of tables."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from scoring.files.sheets import Problem
from scoring.plays import SEATS, ScoringPlay, place_in_seats

MARKS = ("marks_n", "marks_e", "marks_s", "marks_w", "marks_f")  # in the order of SEATS
WEIGHTS = {3: "weight_3", 5: "weight_5"}  # by the number of players who play a deal
DEAL_COLUMNS = ("resting", "deals", *MARKS, *WEIGHTS.values())
WHOLE = re.compile(r"[+-]?[0-9]{1,6}")
WEIGHT = re.compile(r"[0-9]{1,3}(/[1-9][0-9]{0,4}|\.[0-9]{1,4})?")
LEAST = 3  # people at a table


def find_deal_problems(line: int, cells: Mapping[str, str]) -> Iterator[Problem]:
    """Yield the problems of a play of donnes libres. `line` is the number of its line in the file."""
    seated = {seat for seat in SEATS if cells.get(seat)}
    if not cells.get("etui"):
        yield Problem(line, "etui", "is empty; every play has the number of its deal.")
    if len(seated) < LEAST or ("F" in seated and len(seated) < len(SEATS)):
        yield Problem(line, "N", "a table has three players, four, or five; the fifth sits on F.")
    for name in ("taker", "partner", "resting"):
        if (seat := cells.get(name, "").upper()) and seat not in seated:
            yield Problem(line, name, f"'{cells[name]}': nobody sits there.")
    for name in ("base_score", *MARKS):
        if (text := cells.get(name, "")) and not WHOLE.fullmatch(_ascii_sign(text)):
            yield Problem(line, name, f"'{text}' is no whole number; write it as +106 or -56, or nothing.")
    if cells.get("base_score") and not cells.get("taker"):
        yield Problem(line, "taker", "is empty; a base score needs a taker.")
    if cells.get("base_score") and any(cells.get(name) for name in MARKS):
        yield Problem(line, "base_score", "the marks follow from it; leave out one of them.")
    if (deals := cells.get("deals") or "1") and not (deals.isdecimal() and 0 < int(deals[:4]) < 100):
        yield Problem(line, "deals", f"'{deals}': write how many deals the marks are for, or nothing.")


def read_deal_play(cells: Mapping[str, str]) -> ScoringPlay:
    """Return the play of a line without problems."""
    names = {seat: cells[seat] for seat in SEATS if cells.get(seat)}
    resting, deals = cells.get("resting", "").upper(), int(cells.get("deals") or 1)
    marks = {seat: _number(cells[name]) for seat, name in zip(SEATS, MARKS, strict=True) if cells.get(name)}
    seats = place_in_seats(names)
    there = tuple(
        None if seat == resting and seat not in marks else who for seat, who in zip(SEATS, seats, strict=False)
    )
    etui = cells["etui"], cells.get("part") or "1"
    if marks:
        given = tuple(marks.get(seat) for seat in SEATS[: len(seats)])
        rests = resting if resting in marks else ""
        return ScoringPlay(etui, there, None, None, marks=given, deals=deals, resting=rests)
    score = _number(cells["base_score"]) if cells.get("base_score") else None
    taker, partner = (cells.get(name, "").upper() or None for name in ("taker", "partner"))
    return ScoringPlay(etui, there, taker, score, partner=partner, deals=deals)


def read_weights(row_line: int, cells: Mapping[str, str], weights: dict[int, Fraction]) -> Iterator[Problem]:
    """Read the weights of odd tables from the line of a session into `weights`. Yield the problems."""
    for players, name in WEIGHTS.items():
        if not (text := cells.get(name, "")):
            continue
        if WEIGHT.fullmatch(text) and Fraction(text):
            weights[players] = Fraction(text)
        else:
            yield Problem(row_line, name, f"'{text}' is no weight; write a number above 0, as 1.22 or 61/50.")


def _number(text: str) -> int:
    return int(_ascii_sign(text))


def _ascii_sign(number: str) -> str:
    return number.replace("−", "-")

"""Turns a stored result row into the pure entry it records, and back. One place, so that the two cannot diverge."""

from typing import Any

from scoring.contract import Chelem, Contract, DealResult, Poignee, Side
from scoring.ranking import Line
from tournaments.domain.entry import PLAYERS, Bout, Entry, Facts, Fiche, Passed
from tournaments.models import Etui, ResultEntry

FIELDS = (
    "kind", "taker", "contract", "bouts", "attack_bouts", "half_points", "petit_au_bout",
    "poignees_attack", "poignees_defence", "chelem", "fiche_score",
)  # fmt: skip
NO_BOUT = "none"  # as against "", where only their number is known


def to_entry(row: dict[str, Any]) -> Entry:
    """The entry of a row given as a mapping of `FIELDS`."""
    match row["kind"]:
        case ResultEntry.Kind.FACTS:
            return Facts(
                Line(row["taker"]),
                DealResult(
                    players=PLAYERS,
                    contract=Contract(row["contract"]),
                    bouts=row["bouts"],
                    half_points=row["half_points"],
                    petit_au_bout=Side(row["petit_au_bout"]),
                    poignees_attack=read_poignees(row["poignees_attack"]),
                    poignees_defence=read_poignees(row["poignees_defence"]),
                    chelem=Chelem(row["chelem"]),
                ),
                read_bouts(row["attack_bouts"]),
            )
        case ResultEntry.Kind.FICHE:
            return Fiche(Line(row["taker"]), row["fiche_score"])
        case ResultEntry.Kind.PASSED:
            return Passed()
    raise ValueError(f"unknown kind of result entry: {row['kind']!r}")


def to_row(entry: Entry) -> dict[str, Any]:
    """The columns of an entry: the inverse of `to_entry`."""
    row: dict[str, Any] = dict.fromkeys(FIELDS, "") | {"bouts": None, "half_points": None, "fiche_score": None}
    match entry:
        case Facts(taker=taker, result=result, attack_bouts=named):
            row |= {
                "kind": ResultEntry.Kind.FACTS,
                "taker": str(taker),
                "contract": str(result.contract),
                "bouts": result.bouts,
                "attack_bouts": "" if named is None else "+".join(sorted(named)) or NO_BOUT,
                "half_points": result.half_points,
                "petit_au_bout": str(result.petit_au_bout),
                "poignees_attack": write_poignees(result.poignees_attack),
                "poignees_defence": write_poignees(result.poignees_defence),
                "chelem": str(result.chelem),
            }
        case Fiche(taker=taker, base_score=score):
            row |= {"kind": ResultEntry.Kind.FICHE, "taker": str(taker), "fiche_score": score}
        case Passed():
            row["kind"] = ResultEntry.Kind.PASSED
    return row


def taker_named(etui: Etui) -> Line | None:
    """The line that the étui names as its taker; a free auction's étui may name none."""
    return Line(etui.taker) if etui.taker else None


def entry_of(row: ResultEntry) -> Entry:
    return to_entry({field: getattr(row, field) for field in FIELDS})


def read_bouts(text: str) -> frozenset[Bout] | None:
    return frozenset(Bout(name) for name in text.split("+") if name != NO_BOUT) if text else None


def read_poignees(text: str) -> tuple[Poignee, ...]:
    return tuple(Poignee(name) for name in text.split("+") if name)


def write_poignees(poignees: tuple[Poignee, ...]) -> str:
    return "+".join(sorted(poignees))

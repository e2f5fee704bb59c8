"""An entry as its author reads it before and after it is saved: the fiche's figure, why, and the four signed marks."""

import json
from dataclasses import dataclass
from typing import cast

from scoring.contract import Contract, find_rules, score_deal
from scoring.ranking import Line
from tournaments.models import Play, ResultEntry, Tournament
from tournaments.plays.entries import entry_of, to_row
from tournaments.rules.entry import Auction, Entry, Facts, Passed, base_score, questions, seat_marks, taker_of
from tournaments.words.messages import say_bouts, say_line, say_made, say_question, sign


@dataclass(frozen=True, slots=True)
class SeatMark:
    line: str
    name: str
    mark: int
    takes: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """`shown` is the entry in one exact text: a save that sends it back saves what was before its author's eyes.
    `made` says by how much the contract was made or failed, `bouts` are those of the attack where they are named."""

    shown: str
    passed: bool
    fiche: str
    made: str
    bouts: str
    lines: list[tuple[str, str]]
    marks: list[SeatMark]
    questions: list[str]


def summarise(play: Play, entry: Entry) -> Summary:
    tournament = play.session.tournament
    rules = find_rules(tournament.rules)
    score = base_score(entry, rules)
    taker = taker_of(entry)
    marks = seat_marks(taker, score)
    lines = score_deal(entry.result, rules).lines if isinstance(entry, Facts) else ()
    return Summary(
        shown=json.dumps(to_row(entry), sort_keys=True),
        passed=isinstance(entry, Passed),
        fiche=sign(score),
        made=say_entry_made(entry, tournament, score),
        bouts=say_bouts(entry.attack_bouts) if isinstance(entry, Facts) and entry.attack_bouts else "",
        lines=[(say_line(line), sign(line.amount)) for line in lines],
        marks=[SeatMark(line, seat.name, marks[Line(line)], line == taker) for line, seat in play.seats.items()],
        questions=[say_question(question) for question in questions(entry, auction=cast(Auction, tournament.auction))],
    )


def say_entry_made(entry: Entry, tournament: Tournament, score: int) -> str:
    """Say whether the contract was made by the figure of a fiche, whose contract an imposed auction names. Of facts the
    lines say it."""
    if isinstance(entry, Facts):
        return ""
    return say_made(score, Contract.GARDE if tournament.auction == Tournament.Auction.IMPOSED else None)


@dataclass(frozen=True, slots=True)
class EntryVersion:
    """One version of a play's result with its summary, for the history."""

    row: ResultEntry
    summary: Summary


def version_of(play: Play, row: ResultEntry) -> EntryVersion:
    return EntryVersion(row, summarise(play, entry_of(row)))

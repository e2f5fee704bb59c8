"""An entry as its author reads it before and after it is saved: the fiche's figure, why, and the four signed marks."""

import json
from dataclasses import dataclass
from typing import cast

from scoring.contract import find_rules, score_deal
from scoring.ranking import Line
from tournaments.models import Play, ResultEntry
from tournaments.plays.entries import entry_of, to_row
from tournaments.rules.entry import Auction, Entry, Facts, Passed, base_score, questions, seat_marks, taker_of
from tournaments.words.messages import say_bouts, say_line, say_question, sign


@dataclass(frozen=True, slots=True)
class SeatMark:
    line: str
    name: str
    mark: int
    takes: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """`shown` is the entry in one exact text: a save that sends it back saves what was before its author's eyes.
    `bouts` are those of the attack where they are named."""

    shown: str
    passed: bool
    fiche: str
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
        bouts=say_bouts(entry.attack_bouts) if isinstance(entry, Facts) and entry.attack_bouts else "",
        lines=[(say_line(line), sign(line.amount)) for line in lines],
        marks=[SeatMark(line, seat.name, marks[Line(line)], line == taker) for line, seat in play.seats.items()],
        questions=[say_question(question) for question in questions(entry, auction=cast(Auction, tournament.auction))],
    )


@dataclass(frozen=True, slots=True)
class EntryVersion:
    """One version of a play's result with its summary, for the history."""

    row: ResultEntry
    summary: Summary


def version_of(play: Play, row: ResultEntry) -> EntryVersion:
    return EntryVersion(row, summarise(play, entry_of(row)))

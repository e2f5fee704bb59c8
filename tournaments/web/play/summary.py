"""The summary of an entry, which its author sees before and after it is saved.

It has the figure for the fiche (the base score), the lines that explain it, and the signed marks of the four players.
"""

import json
from dataclasses import dataclass

from scoring.contract import find_rules, score_deal
from scoring.formats import find_format
from scoring.ranking import Line
from tournaments.models import Play, ResultEntry, Tournament
from tournaments.plays.entries import entry_of, to_row
from tournaments.rules.entry import AllPassed, Entry, Facts, ask_about_entry, base_score, seat_marks, taker_of
from tournaments.words.messages import say_bouts, say_line, say_made, say_question, show_signed


@dataclass(frozen=True, slots=True)
class SeatMark:
    line: str
    name: str
    mark: int
    takes: bool


@dataclass(frozen=True, slots=True)
class FicheSummary:
    """The fiche's figure of an entry, and by how much the contract was made or failed."""

    fiche: str
    made: str


@dataclass(frozen=True, slots=True)
class EntrySummary(FicheSummary):
    """The summary of an entry.

    `shown` is the entry as an exact text. The form sends it when it saves, as a proof that the author has seen this
    summary. `lines` explain the figure, `questions` ask about what is unusual. `bouts` are the attack's bouts, if they
    are named.
    """

    shown: str
    passed: bool
    bouts: str
    lines: list[tuple[str, str]]
    marks: list[SeatMark]
    questions: list[str]


def summarise_fiche(tournament: Tournament, entry: Entry) -> FicheSummary:
    score = base_score(entry, find_rules(tournament.rules))
    return FicheSummary(show_signed(score), say_entry_made(entry, tournament, score))


def summarise_entry(play: Play, entry: Entry) -> EntrySummary:
    tournament = play.session.tournament
    rules = find_rules(tournament.rules)
    score = base_score(entry, rules)
    taker = taker_of(entry)
    marks = seat_marks(taker, score)
    lines = score_deal(entry.result, rules).lines if isinstance(entry, Facts) else ()
    return EntrySummary(
        shown=json.dumps(to_row(entry), sort_keys=True),
        passed=isinstance(entry, AllPassed),
        fiche=show_signed(score),
        made=say_entry_made(entry, tournament, score),
        bouts=say_bouts(entry.attack_bouts) if isinstance(entry, Facts) and entry.attack_bouts else "",
        lines=[(say_line(line), show_signed(line.amount)) for line in lines],
        marks=[SeatMark(line, seat.name, marks[Line(line)], line == taker) for line, seat in play.seats.items()],
        questions=[
            say_question(question) for question in ask_about_entry(entry, format=find_format(tournament.format))
        ],
    )


def say_entry_made(entry: Entry, tournament: Tournament, score: int) -> str:
    """Return a text that says by how much the contract was made or failed, from the figure of a fiche.

    Return "" for an entry with bouts and points, because its summary already says it.
    """
    if isinstance(entry, Facts):
        return ""
    return say_made(score, find_format(tournament.format).contract)


@dataclass(frozen=True, slots=True)
class EntryVersion:
    """A version of a play's result with its summary, for the history."""

    row: ResultEntry
    summary: EntrySummary


def version_of(play: Play, row: ResultEntry) -> EntryVersion:
    return EntryVersion(row, summarise_entry(play, entry_of(row)))

"""The summary of an entry, which its author sees before and after it is saved.

It has the figure for the fiche (the base score), the lines that explain it, and the signed marks of the four players.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass

from evenings.plays.attackers import attacking_team, members_in, members_of
from evenings.plays.entries import entry_of, shorten_row, to_row
from evenings.plays.free import find_shown_number
from scoring.contract import find_rules, score_deal
from scoring.formats import find_format
from tournaments.models import Play, ResultEntry, TeamMember, Tournament
from tournaments.rules.entry import (
    AllPassed,
    Entry,
    Facts,
    GameSheet,
    ask_about_entry,
    attacker_of,
    base_score,
    partner_of,
    seat_marks,
    taker_of,
)
from tournaments.words.figures import say_made
from tournaments.words.formats import say_word
from tournaments.words.messages import say_bouts, say_line, say_question, show_signed
from tournaments.words.team_plans import say_badge


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
    are named. `attack` says which team member attacked, and whose turn it was if that was another one.
    """

    shown: str
    passed: bool
    bouts: str
    lines: list[tuple[str, str]]
    marks: list[SeatMark]
    questions: list[str]
    attack: str = ""


def summarise_fiche(tournament: Tournament, entry: Entry) -> FicheSummary:
    score = base_score(entry, find_rules(tournament.rules))
    return FicheSummary(show_signed(score), say_entry_made(entry, tournament, score))


def summarise_entry(play: Play, entry: Entry, members: Collection[TeamMember] | None = None) -> EntrySummary:
    """Return the summary of an entry. `members` are those of the teams; None: they are read here if teams play."""
    tournament = play.session.tournament
    rules = find_rules(tournament.rules)
    score = base_score(entry, rules)
    taker = taker_of(entry)
    marks = seat_marks(taker, score, play.playing_seats, partner_of(entry))
    marks = entry.by_seat if isinstance(entry, GameSheet) else marks
    lines = score_deal(entry.result, rules).lines if isinstance(entry, Facts) else ()
    return EntrySummary(
        shown=json.dumps(shorten_row(to_row(entry)), sort_keys=True),
        passed=isinstance(entry, AllPassed),
        fiche=show_signed(score),
        made=say_entry_made(entry, tournament, score),
        bouts=say_bouts(entry.attack_bouts) if isinstance(entry, Facts) and entry.attack_bouts else "",
        lines=[(say_line(line), show_signed(line.amount)) for line in lines],
        marks=[
            SeatMark(line, seat.name, marks[line], line == taker) for line, seat in play.seats.items() if line in marks
        ],
        questions=[
            say_question(question)
            for question in ask_about_entry(
                entry, format=find_format(tournament.format), players=len(play.playing_seats)
            )
        ],
        attack=say_attack(play, attacker_of(entry), members) if play.badge else "",
    )


def say_attack(play: Play, attacker: int | None, members: Collection[TeamMember] | None) -> str:
    """Return a sentence that says who attacked, and whose turn it was if that was somebody else.

    `attacker` is the id of the member who attacked out of turn, or None.
    """
    team = attacking_team(play)
    if team is None:
        return ""
    known = members_of([team.pk]) if members is None else members
    planned = members_in(play, known, team.pk).get(play.badge)
    told = {"turn": planned.player.name if planned else team.shown_name, "badge": say_badge(play.badge)}
    actual = None if attacker is None else next(member for member in known if member.pk == attacker)
    if actual is None:
        return say_word(play.session.tournament.format, "attacked", told)
    told |= {"name": actual.player.name, "own": say_badge(actual.place)}
    return say_word(play.session.tournament.format, "attacked_out_of_turn", told)


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


def say_saved(play: Play, score: str) -> str:
    """Return the sentence that the result of a play is saved. `score` is the signed base score."""
    told = {"deal": find_shown_number(play), "etui": play.etui.number, "table": play.table.number, "score": score}
    return say_word(play.session.tournament.format, "is_saved", told)

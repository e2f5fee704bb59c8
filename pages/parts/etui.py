"""The page of an étui: how often each score occurred, the best results, what made the difference, the plays, the cards.

The public page and the director's page show the same templates with these values. This module knows neither where the
report comes from nor who may read it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages.parts.cards import hands_of
from pages.parts.etui_replay import OpeningLead, Records, find_lead, replay_etui
from pages.parts.matches import list_matches
from pages.parts.scores import show_field
from pages.report_pages import find_neighbours
from rankings.publication.frequencies import explain_field, fields_of
from rankings.publication.report import PlayedEvening, ShownPlay
from rankings.ranking import RankedRow
from scoring.formats import MatchPoints, Unit
from scoring.plays import SEATS
from tournaments.models import Session
from tournaments.numbers import read_number
from tournaments.published import Shows
from tournaments.reports.session import ReportedEtui
from tournaments.rules.formats import OF_TRIALS
from tournaments.words.difference_sentences import say_difference
from tournaments.words.figures import show_points
from tournaments.words.messages import label
from wording.figures import round_half

A_PART = 100  # plays that are listed at once; in a free auction, 25 at each of the four seats
PARTS = set(map(str, range(1, 201)))
FEW = 60  # the most plays of an étui for which a script marks the play of the phone's owner
MOST_PLACES = 10
NO_RECORDS: Records = {}
links_to_trials: list[Callable[[Session, int], str]] = []


def register_trials(link: Callable[[Session, int], str]) -> None:
    """Let the pages of published étuis have a link: the app `rooms`, where readers play them, says which."""
    links_to_trials.append(link)


def find_trial_link(session: Session, etui: ReportedEtui, *, seen: Shows) -> str:
    """Return the address at which a reader plays a published étui, or "" if there is none."""
    is_offered = seen.cards and seen.etuis and etui.cards and session.tournament.format in OF_TRIALS
    return next((link(session, etui.number) for link in links_to_trials if is_offered), "")


@dataclass(frozen=True, slots=True)
class EtuiSeat:
    """The seat of a player in one play of the étui, with the mark and the note of that player.

    `takes` is true if the player took, `fixed` if the arbiter has fixed the note, `mine` for the reader's own seat.
    """

    line: str
    player: RankedRow
    mark: int | None
    note: Fraction | None
    takes: bool
    fixed: bool
    mine: bool


@dataclass(frozen=True, slots=True)
class EtuiPlayRow:
    """One play of an étui, its taker first. `lead` is the opening lead, None if it was not recorded.

    `bar` is the taker's note, rounded for the picture. `defence` is a defender's seat with the note of all three
    defenders, or None if the arbiter has given them different notes.
    """

    play: ShownPlay
    seats: list[EtuiSeat]
    facts: str
    taker: EtuiSeat | None
    defence: EtuiSeat | None
    lead: OpeningLead | None = None

    @property
    def mine(self) -> bool:
        return any(seat.mine for seat in self.seats)

    @property
    def bar(self) -> int | None:
        note = None if self.taker is None else self.taker.note
        return None if note is None or isinstance(note, MatchPoints) else round_half(note)


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One play of the étui with one of its four seats."""

    row: EtuiPlayRow
    seat: EtuiSeat

    @property
    def play(self) -> ShownPlay:
        return self.row.play


@dataclass(frozen=True, slots=True)
class ListPart:
    """A part of a long list, given by its first and last place in the list, counted from 1."""

    name: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class UncountedPlays:
    """The plays of one state other than "scored", for example annulled plays.

    `places` says where the first of them were played, as text; `others` is the number of the rest.
    """

    state: str
    places: list[str]
    others: int


@dataclass(frozen=True, slots=True)
class NeighbouringEtuis:
    """The étuis that a player played before and after this one, and its place among all étuis of that player."""

    player: RankedRow
    place: int
    count: int
    before: int | None
    after: int | None


def asked_of_etui(asked: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments for `etui_page` from the query parameters of an address."""
    numbers = {name: read_number(asked, name) for name in ("of", "replay", "beside")}
    return {**numbers, "part": asked.get("part", "")}


def etui_page(
    report: PlayedEvening,
    etui: ReportedEtui,
    *,
    of: int | None = 0,
    part: str = "",
    records: Records = NO_RECORDS,
    replay: int | None = None,
    beside: int | None = None,
) -> dict[str, Any]:
    """Return the template context for an étui's topage, its cards if they are known, and the étuis before and after.

    `records` are the records of its plays that the reader may see. The page replays the play `replay`, with the play
    `beside` next to it.

    If the entrant `of` has played the étui, the étuis before and after it are those that this entrant played. Otherwise
    they are those with the next lower and the next higher number. If `of` is None, the page marks the plays of nobody.
    If there are many plays, the page lists one `part` of them. It is the part asked for, else the part with the
    entrant's play, else the first.
    """
    weighted = not report.data.format.compares_seats
    plays = report.topage(etui)
    evening = evening_of(report, etui.number, of) if of else None
    mine = evening.player.id if evening else None
    fields = fields_of(plays, weighted=weighted)
    parts = parts_of(len(plays), A_PART if weighted else A_PART // 4)
    shown = find_part(parts, part, plays, mine)
    listed = plays[shown.first - 1 : shown.last] if shown else plays
    rows = [replace(etui_play_row(play, mine), lead=find_lead(play, records)) for play in listed]
    hands, chien = hands_of(etui.cards)
    numbers = [other.number for other in report.data.etuis]
    before, after = (evening.before, evening.after) if evening else find_neighbours(numbers, etui.number)
    explained = explain_field(fields)
    return {
        "report": report,
        "etui": etui,
        "evening": evening,
        "players": [] if of is None or len(plays) > FEW else named_in(plays),
        "fields": [show_field(field, evening.player if evening else None, few=len(plays) <= FEW) for field in fields],
        "uncounted": list(gather_uncounted(plays)),
        "explained": explained,
        "reasons": say_difference(explained.difference) if explained else [],
        "rows": rows,
        "by_seat": [] if weighted else by_seat(rows),
        "parts": parts,
        "part": shown,
        "part_asked": bool(part),
        "fixed": any(play.fixed for play in plays),
        "replayed": replay_etui(plays, records, asked=replay, beside=beside, mine=mine),
        "hands": hands,
        "chien": chien,
        "before": before,
        "after": after,
        "weighted": weighted,
        "matches": (matches := list_matches(plays) if report.unit is Unit.MATCH_POINTS else []),
        "has_open_match": any(match.points is None for match in matches),
    }


def named_in(plays: Sequence[ShownPlay]) -> list[RankedRow]:
    """Return the players who are shown by name. A script on their own phones may mark their plays."""
    return [player for play in plays for player in play.players.values() if player.named and not player.team]


def evening_of(report: PlayedEvening, number: int, entrant: int) -> NeighbouringEtuis | None:
    """Return the étuis before and after this one in the entrant's evening.

    Return None if the entrant has not played the étui, or is not in the session.
    """
    player = report.player(entrant)
    numbers = list(dict.fromkeys(line.etui.number for line in report.feuille(entrant))) if player else []
    if player is None or number not in numbers:
        return None
    return NeighbouringEtuis(player, numbers.index(number) + 1, len(numbers), *find_neighbours(numbers, number))


def parts_of(count: int, size: int) -> list[ListPart]:
    """Return the parts of a list of `count` rows, or an empty list if there are no more than `size`."""
    if count <= size:
        return []
    starts = enumerate(range(1, count + 1, size), start=1)
    return [ListPart(str(number), first, min(first + size - 1, count)) for number, first in starts]


def find_part(parts: Sequence[ListPart], name: str, plays: Sequence[ShownPlay], mine: int | None) -> ListPart | None:
    if asked := next((part for part in parts if part.name == name), None):
        return asked
    place = next((place for place, play in enumerate(plays, start=1) if mine in play.seats.values()), 1)
    return next((part for part in parts if part.first <= place <= part.last), None)


def gather_uncounted(plays: Sequence[ShownPlay]) -> Iterator[UncountedPlays]:
    odd = sorted((play for play in plays if play.state != "scored"), key=lambda play: play.state)
    for state, group in groupby(odd, key=lambda play: play.state):
        ordered = sorted(group, key=lambda play: (play.position, play.table))
        places = [
            _("position %(position)s, table %(table)s") % {"position": play.position, "table": play.table}
            for play in ordered[:MOST_PLACES]
        ]
        yield UncountedPlays(state, places, len(ordered) - len(places))


def etui_play_row(play: ShownPlay, mine: int | None = None) -> EtuiPlayRow:
    taker, marks, notes = play.taker, play.marks, play.notes
    lines = sorted(play.players, key=lambda line: line != taker)
    seats = [
        EtuiSeat(
            line,
            play.players[line],
            marks[line] if marks else None,
            notes.get(line) if notes else None,
            takes=line == taker,
            fixed=line in play.fixed,
            mine=play.players[line].id == mine,
        )
        for line in lines
    ]
    if play.players[seats[0].line].team:  # the row has the attacking team, and the defending team only once
        seats = seats[:2]
    one_note = taker is not None and len({(seat.note, seat.fixed) for seat in seats[1:]}) == 1
    facts = "" if play.facts is None else describe_facts(play.facts)
    return EtuiPlayRow(play, seats, facts, seats[0] if taker else None, seats[-1] if one_note else None)


def by_seat(rows: list[EtuiPlayRow]) -> list[tuple[str, list[SeatRow]]]:
    """Return (line, rows) for each seat of a free auction. The rows are sorted from the best mark to the worst.

    Plays that do not count come last. If an étui was altered during the session, the plays before that come first.
    """

    def place(row: SeatRow) -> tuple[int, bool, int]:
        return row.play.part, row.seat.mark is None, -(row.seat.mark or 0)

    there = [line for line in SEATS if any(line in row.play.players for row in rows)]
    seats = {line: [SeatRow(row, seat) for row in rows for seat in row.seats if seat.line == line] for line in there}
    return [(line, sorted(found, key=place)) for line, found in seats.items()]


def describe_facts(facts: Mapping[str, Any]) -> str:
    """Return the facts of a result in one line: "Garde, 2 bouts, 49 points, petit au bout to the attack"."""
    told = [
        label("contract", facts["contract"]),
        ngettext("%(count)s bout", "%(count)s bouts", facts["bouts"]) % {"count": facts["bouts"]},
        _("%(points)s points") % {"points": show_points(facts["half_points"])},
    ]
    if facts["petit_au_bout"] != "none":
        told.append(_("petit au bout to %(side)s") % {"side": label("side", facts["petit_au_bout"])})
    for side in ("attack", "defence"):
        told += [
            _("%(poignee)s of %(side)s") % {"poignee": label("poignee", name), "side": label("side", side)}
            for name in facts[f"poignees_{side}"]
        ]
    if facts["chelem"] != "none":
        told.append(label("chelem", facts["chelem"]))
    return ", ".join(told)

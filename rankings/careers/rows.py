"""The rows from which careers are added up: one row for each player of a session, made from the session's report.

Notes are stored as whole numbers, with one denominator for each row. Therefore thousands of rows add up fast and
without rounding. A sample is `[count, sum, sum of squares]`; the sum of squares has the denominator's square. `figures`
has these keys, for the deals that count:

- `den`: the denominator; `a`, `d`, `o`: samples of notes in attack, in defence, and where the taker is not known;
- `n`: how often each note was won: `[plays compared, note, how often]`;
- `b`: by number of bouts, and in a free auction `c`: by contract, where these facts are known:
  `[*sample in attack, contracts made as the taker, *sample in defence]`;
- `best`: the best étuis: `[étui, note, plays compared, part, points ahead of the others' median]`;
- `m`: the companions at the table:
  `[player, deals, *sample of deals that both defended, *sample of deals that one of the two took]`;
- `size`: 3 or 5 if all tables had so many players. Such a row has neither `b` nor `c`. At five, the notes of the
  partner are in `o`. The second sample of `m` has the deals in which one of the two attacked, and the other defended;
- `alterne`: the rank in the classement alterné, if another ranking is the session's reference and the rank differs.

`plays` has a list for each deal that counts: `[étui, line, part of the étui's plays, note]`.

An evening of donnes libres brings its rank and its marks, which no percentage includes.

`figures` of such a row is `{"marks": "47/2"}`, exact, or `{"marks": None}` if nothing may be told. It has no other key:
nothing of the row enters a mean, a table, a curve, a rating or a comparison of two players.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from evenings.reference import Reference, find_reported_reference
from rankings.careers.figures import MOST_BEST, PARTS, figure_of, weigh_deals
from scoring.formats import FREE_AUCTION, FREE_AUCTION_3, FREE_AUCTION_5, MEETING_TEAMS, Format, Unit
from scoring.intervals import Sample
from scoring.notes import Part, find_deal_part
from scoring.ranking import Line
from tournaments.models import Appearance, GameKind
from tournaments.reports.parts import MemberPart, TeamParts, read_team_parts
from tournaments.reports.session import PublishedReport, RankedPlayer, ReportedPlay
from tournaments.rules.entry import seat_marks
from tournaments.rules.formats import find_table_size

# Format 1 had `h`, the notes in tenths, and best étuis without the points ahead. Format 2 had no `RatedSession`.
FORMAT = 3
FACTS = {"b": "bouts", "c": "contract"}
LETTERS = {Part.ATTACK: "a", Part.DEFENCE: "d", Part.PASSED: "o", Part.OPEN: "o"}
PARTNER = "p"  # the part of the taker's partner among the best étuis
SIZE, ALTERNE = "size", "alterne"
# By format: the kind of play, if it is not the imposed contract.
PLAY_KINDS: Mapping[str, GameKind] = {
    **dict.fromkeys(MEETING_TEAMS, GameKind.TEAMS),
    **dict.fromkeys((FREE_AUCTION.name, FREE_AUCTION_3.name, FREE_AUCTION_5.name), GameKind.FREE),
}


class PlayedDeal(NamedTuple):
    """One play from the side of one of its players.

    `others` has the companions at the table, each as a player id with the sides of the two. The sides are True if one
    attacked and the other defended, False if both defended, and None for other deals. `ahead` is how many points the
    player did better than the median of the other plays, or None without other plays. `is_partner` is True if the taker
    called the player, among five.
    """

    etui: int
    line: str
    etui_part: int
    part: Part
    note: Fraction | None
    compared: int
    ahead: Fraction | None
    facts: Mapping[str, Any] | None
    others: tuple[tuple[int, bool | None], ...]
    is_partner: bool = False

    @property
    def letter(self) -> str:
        """The sample to which the deal belongs: `a`, `d` or `o`."""
        return "o" if self.is_partner else LETTERS[self.part]


@dataclass(slots=True)
class SeatedPlayer:
    """A player of a report with the deals that they played: as the entrant, as a stand-in, or as both."""

    entrant: RankedPlayer
    is_stand_in: bool
    deals: list[PlayedDeal] = field(default_factory=list)


def find_play_kind(report: PublishedReport) -> GameKind:
    """Return the kind of play of a session: each kind has ratings and leaderboards of its own."""
    return PLAY_KINDS.get(report.format.name, GameKind.IMPOSED)


def make_rows(report: PublishedReport, ranks: Mapping[int, int | None], *, in_detail: bool) -> list[Appearance]:
    """Return the unsaved row of each player who played, without its session, date, version and field.

    With `in_detail`, it also has figures of the single deals.

    `ranks` are as `find_ranks` returns them.

    A session in match points has only ranks and numbers of deals: match points enter no percentage.
    """
    seats = find_seats(report).items()
    return [make_row(who, seat, report.format, ranks, in_detail=in_detail) for who, seat in seats if seat.deals]


def find_seats(report: PublishedReport) -> dict[int, SeatedPlayer]:
    """Return the players with their deals, by player id.

    Deals that a stand-in played belong to the stand-in, not to the entrant.
    """
    entrants = {player.id: player for player in report.players}
    seats = {
        who: SeatedPlayer(player, is_stand_in=False)
        for player in report.players
        for who in (player.people if player.team else [player.player])
    }
    is_free, parts = report.format.compares_seats, read_parts(report)
    for etui in report.etuis:
        fields = find_fields(etui.plays, is_free)
        for play in etui.plays:
            marks = marks_of(play, is_free)
            seated = {line: entrants[entrant] for line, entrant in play.seats.items()}
            people = (
                seat_members(play, parts)
                if parts
                else {line: who_sits(entrant, play.position) for line, entrant in seated.items()}
            )
            for line, who in people.items():
                seat = seats.setdefault(who, SeatedPlayer(seated[line], is_stand_in=True))
                field = fields[play.part, line]
                ahead = find_lead(field, marks[line], is_compared(play)) if marks else None
                seat.deals.append(read_deal(etui.number, play, line, people, (len(field), ahead)))
    return seats


def read_parts(report: PublishedReport) -> dict[int, TeamParts]:
    """Return the parts of the members of each team, by the entrant's id. Empty if single players play."""
    teams = [player for player in report.players if player.team]
    if not teams:
        return {}
    plays: defaultdict[int, list[ReportedPlay]] = defaultdict(list)
    for etui in report.etuis:
        for play in etui.plays:
            for entrant in set(play.seats.values()):
                plays[entrant].append(play)
    return {team.id: read_team_parts(report.format, team, plays[team.id]) for team in teams}


def seat_members(play: ReportedPlay, parts: Mapping[int, TeamParts]) -> dict[str, int]:
    """Return the members of two teams whose deal the play is, by line: the attacker, and the three defenders.

    A report that does not say who defended tells no seats either. Then the defenders have the other lines in the order
    of their places. Without a named attacker, only the defenders are returned.
    """
    if not play.taker:
        return {}
    lines = [line for line in play.seats if line != play.taker]
    attacker = {play.taker: play.attacker} if play.attacker else {}
    if play.defenders:
        return attacker | dict(zip([line for line in "NEW" if line in lines], play.defenders, strict=False))
    team = parts[play.seats[lines[0]]]
    defending = {
        member.place: member.player
        for member in team.team.members
        if team.find(play, play.taker, (member.player,), (member,)) is MemberPart.DEFENCE
    }
    defenders = dict(zip(lines, (defending[place] for place in sorted(defending)), strict=False))
    return attacker | defenders


def find_ranks(report: PublishedReport, *, alone: bool) -> dict[int, int | None]:
    """Return the rank of each entrant in the session's reference, by id.

    `alone`: the tournament has no other session.
    """
    reference = find_reported_reference(report, alone=alone)
    rows = report.together if reference is Reference.SECTIONS else report.players
    return {row.id: getattr(row, reference.rank) for row in rows}


def count_ranked(ranks: Mapping[int, int | None]) -> int:
    return sum(rank is not None for rank in ranks.values())


def find_fields(plays: Sequence[ReportedPlay], is_free: bool) -> defaultdict[tuple[int, str], list[int]]:
    """Return the sorted marks of plays that are compared with each other, by part of the étui's plays and line."""
    fields: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for play in plays:
        if is_compared(play):
            for line, mark in marks_of(play, is_free).items():
                fields[play.part, line].append(mark)
    for marks in fields.values():
        marks.sort()
    return fields


def is_compared(play: ReportedPlay) -> bool:
    """Return whether the play has a score that is compared with other scores."""
    return play.base_score is not None and play.compared


def marks_of(play: ReportedPlay, is_free: bool) -> dict[str, int]:
    """Return the points of each line, or {} if the play has no score.

    In a free auction, they are the marks of the seats. With an imposed contract, all lines have the same base score,
    counted as plus for the taker and as minus for the defenders.
    """
    if play.base_score is None:
        return {}
    if play.marks is not None:  # not four players
        return {seat: play.marks[seat] for seat in play.seats}
    taker = Line(play.taker) if play.taker else None
    marks = {str(line): mark for line, mark in seat_marks(taker, play.base_score).items()}
    return marks if is_free or taker is None else marks | {str(taker): play.base_score}


def find_lead(field: Sequence[int], mark: int, is_in: bool) -> Fraction | None:
    """Return how many points the mark is above the median of the other marks, or None if there are none.

    `field` has the sorted marks; `is_in` tells if the mark itself is one of them.
    """
    count = len(field) - is_in
    if not count:
        return None
    own = bisect_left(field, mark) if is_in else len(field)
    low, high = (field[index + (index >= own)] for index in ((count - 1) // 2, count // 2))
    return mark - Fraction(low + high, 2)


def who_sits(entrant: RankedPlayer, position: int) -> int:
    """Return the id of the player who sits in that position: the entrant's own player, or a stand-in."""
    for each in entrant.stand_ins:
        if (each.first or 0) <= position and (each.last is None or position <= each.last):
            return each.player
    return entrant.player


def read_deal(
    etui: int, play: ReportedPlay, line: str, people: dict[str, int], held: tuple[int, Fraction | None]
) -> PlayedDeal:
    """Return the play as a deal of the player on `line`.

    `held` has the number of compared plays, and the player's points ahead of the others.
    """
    note = play.notes.get(line) if play.notes else None
    attacking = {play.taker, play.partner or play.taker} - {None}
    others = tuple((who, find_sides(line, other, attacking)) for other, who in people.items() if other != line)
    part = find_deal_part(line, play.taker, play.base_score)
    is_partner = play.partner == line != play.taker
    return PlayedDeal(etui, line, play.part, part, note, *held, play.facts, others, is_partner)


def find_sides(line: str, other: str, attacking: Collection[str | None]) -> bool | None:
    """Return whether two players of a deal were on opposite sides.

    True: one attacked and the other defended. False: both defended. None: both attacked, or nobody is known to.
    """
    attackers = (line in attacking) + (other in attacking)
    return None if not attacking or attackers == 2 else attackers == 1


def make_row(
    who: int, seat: SeatedPlayer, format: Format, ranks: Mapping[int, int | None], *, in_detail: bool
) -> Appearance:
    """Return the row of the player `who`. `ranks` and `in_detail` are as for `make_rows`."""
    entrant, size = seat.entrant, find_table_size(format.name)
    is_free, in_percent = format.compares_seats, format.unit is Unit.PER_CENT
    counted = [deal for deal in seat.deals if (deal.note is not None if in_percent else deal.compared > 0)]
    noted, den = measure_notes(counted) if in_percent and in_detail else ([], 1)
    names = [] if size else [name for name in FACTS if name == "b" or is_free]
    overall = "" if entrant.overall is None else str(entrant.overall)
    if seat.is_stand_in:
        overall = mean_of(counted, is_free) if in_detail else ""
    rank, alterne = (None, None) if seat.is_stand_in else (ranks.get(entrant.id), entrant.rank_alterne)
    own = ({SIZE: size} if size else {}) | ({ALTERNE: alterne} if alterne not in (None, rank) else {})
    return Appearance(
        player=who,
        entrant=entrant.id,
        is_stand_in=seat.is_stand_in,
        rank=rank,
        rank_general=None if seat.is_stand_in else entrant.rank_general,
        ranked=count_ranked(ranks),
        overall=overall if in_percent else "",
        deals=len(counted),
        figures=(figure(noted, den, names) if noted else {}) | own,
        plays=[[deal.etui, deal.line, deal.etui_part, note] for deal, note in noted],
    )


def measure_notes(deals: Sequence[PlayedDeal]) -> tuple[list[tuple[PlayedDeal, int]], int]:
    """Return the deals with their notes as whole numbers, and the denominator of these numbers."""
    den = lcm(*(deal.note.denominator for deal in deals if deal.note is not None))
    return [(deal, int(deal.note * den)) for deal in deals if deal.note is not None], den


def mean_of(deals: Sequence[PlayedDeal], is_free: bool) -> str:
    """Return the percentage of these deals as text, computed as in a session's ranking; "" if none counts."""
    samples, none = dict.fromkeys(PARTS, Sample()), dict.fromkeys(PARTS, Sample())
    for deal in deals:
        if deal.note is not None:
            samples[deal.letter] += Sample.of([deal.note])
    mean = figure_of(*weigh_deals(*((none, samples) if is_free else (samples, none)))).mean
    return "" if mean is None else str(mean)


def figure(noted: Sequence[tuple[PlayedDeal, int]], den: int, names: Sequence[str]) -> dict[str, Any]:
    """Return `figures` for these deals, each with its note over `den`. The module's docstring describes the form.

    `names` are those of FACTS by which there is a table.
    """
    samples: dict[str, list[int]] = {}
    notes: Counter[tuple[int, int]] = Counter()
    tables: dict[str, dict[str, list[int]]] = {name: {} for name in names}
    mates: dict[int, list[int]] = {}
    for deal, note in noted:
        add(samples.setdefault(deal.letter, [0, 0, 0]), 0, note)
        notes[deal.compared, note] += 1
        if deal.facts and deal.part in (Part.ATTACK, Part.DEFENCE):
            for name, table in tables.items():
                cell = table.setdefault(str(deal.facts[FACTS[name]]), [0] * 7)
                add(cell, 0 if deal.part == Part.ATTACK else 4, note)
                cell[3] += deal.part == Part.ATTACK and bool(deal.facts["made"])
        for who, against in deal.others:
            mate = mates.setdefault(who, [0] * 7)
            mate[0] += 1
            if against is not None:
                add(mate, 4 if against else 1, note)
    best = sorted(noted, key=lambda each: (-each[1], *rank_of(each[0])))[:MOST_BEST]
    return {
        "den": den,
        **samples,
        "n": [[*key, count] for key, count in sorted(notes.items())],
        **tables,
        "best": [
            [deal.etui, note, deal.compared, PARTNER if deal.is_partner else deal.letter, write(deal.ahead)]
            for deal, note in best
        ],
        "m": [[who, *mate] for who, mate in mates.items()],
    }


def rank_of(deal: PlayedDeal) -> tuple[int, bool, Fraction | int, int]:
    """Return the sort key for deals with equal notes, in the same order as `figures.goodness`."""
    return -deal.compared, deal.ahead is None, -(deal.ahead or 0), deal.etui


def write(ahead: Fraction | None) -> str | None:
    return None if ahead is None else str(ahead)


def add(cells: list[int], at: int, note: int) -> None:
    """Add one note to the sample that begins at index `at` of the cells."""
    cells[at] += 1
    cells[at + 1] += note
    cells[at + 2] += note * note


MARKS = "marks"


def make_rows_in_marks(
    report: PublishedReport, ranks: Mapping[int, int | None], *, in_detail: bool
) -> list[Appearance]:
    """Return a row for each player who played an evening of donnes libres. `ranks` are as for `make_rows`.

    Deals that a stand-in played belong to the stand-in, whose marks are told only with `in_detail`.
    """
    entrants = {player.id: player for player in report.players}
    seats: dict[int, RankedPlayer] = {player.player: player for player in report.players if player.overall is not None}
    deals: Counter[int] = Counter()
    marks: defaultdict[int, Fraction] = defaultdict(Fraction)
    for etui in report.etuis:
        for play in etui.plays:
            for seat, note in (play.notes or {}).items():
                if note is not None:
                    entrant = entrants[play.seats[seat]]
                    who = who_sits(entrant, play.position)
                    seats.setdefault(who, entrant)
                    deals[who] += play.covers or 1
                    marks[who] += note
    return [
        make_row_in_marks(who, entrant, deals[who], marks[who] if in_detail else None, ranks)
        for who, entrant in seats.items()
    ]


def make_row_in_marks(
    who: int, entrant: RankedPlayer, deals: int, own: Fraction | None, ranks: Mapping[int, int | None]
) -> Appearance:
    """Return the row of the player `who`. `own` are the marks of the deals that a stand-in played."""
    is_stand_in = who != entrant.player
    marks = own if is_stand_in else entrant.overall
    return Appearance(
        player=who,
        entrant=entrant.id,
        is_stand_in=is_stand_in,
        rank=None if is_stand_in else ranks.get(entrant.id),
        rank_general=None if is_stand_in else entrant.rank_general,
        ranked=count_ranked(ranks),
        deals=deals,
        figures={MARKS: None if marks is None else str(marks)},
    )

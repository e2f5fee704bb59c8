"""The reading of the data that `scoring` needs to rank a session: its players, and the tournament's rules for ranks."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import F, QuerySet, TextField
from django.db.models.functions import Cast

from scoring.notes import Tally
from scoring.plays import Line
from scoring.teams import name_team_line
from scoring.ties import TieBreak, UnrankedReason, find_unranked
from tournaments.models import Entrant, TieDraw
from tournaments.prepared import PreparedRows, PreparedValues


class FieldMember(NamedTuple):
    """An entrant of a session.

    `pk` is the entrant's id. `competitor` is the player's id. For a team it is the number of the team in the
    tournament, as a number below 0. `line` is the line in whose ranking the entrant is. A player has one of four lines,
    a team has NS, EW or "". `ranked` is False for a filler. `stays` has each stay as (starting number, first position,
    last position, or None for the end).
    """

    pk: int
    line: str
    ranked: bool
    competitor: int
    stays: Sequence[tuple[int, int, int | None]]


class Field(NamedTuple):
    """The entrants of a session by starting number, with the tournament's rules for ranks and ties."""

    members: Sequence[FieldMember]
    least_share: int
    substitutes_ranked: bool
    ties: Sequence[TieBreak]

    def find_unranked(self, tallies: Mapping[int, Tally]) -> dict[int, UnrankedReason]:
        """Return the reason why an entrant has no rank, by entrant id, for each entrant in `tallies` without a rank."""
        return find_unranked_of([self], tallies)


def find_unranked_of(fields: Sequence[Field], tallies: Mapping[int, Tally]) -> dict[int, UnrankedReason]:
    """Return the reasons of `Field.find_unranked` for sections that are ranked together.

    `fields` has one field for each section, all of the same tournament.
    """
    return find_unranked(
        {pk: tally.deals for pk, tally in tallies.items()},
        least_share=max((field.least_share for field in fields), default=0),
        fillers={member.pk for field in fields for member in field.members if not member.ranked},
        substitutes={pk for field in fields if not field.substitutes_ranked for pk in find_substitutes(field.members)},
    )


# Each row also has the tournament's rules, which saves one query in every computation. The list of ties is read as
# text, so that it is parsed once and not for each row.
def member_rows(entrants: QuerySet[Entrant]) -> QuerySet[Any, Any]:
    """Return the queryset of the rows from which `make_field` makes the field of each session."""
    return (
        entrants.order_by("session_id", "number", "pk")
        .annotate(ties=Cast(F("session__tournament__ties"), TextField()))
        .values_list(
            *("session_id", "pk", "line", "ranked", "player_id", "team__number"),
            *("number", "first_position", "last_position", "earlier"),
            *("session__tournament__least_share", "session__tournament__substitutes_ranked", "ties"),
        )
    )


MEMBERS = PreparedValues(lambda session: member_rows(Entrant.objects.filter(session=session)))
DRAWS = PreparedRows(lambda session: TieDraw.objects.filter(session=session).order_by("-pk")[:1])


def read_field(session_id: int) -> Field:
    """Return the entrants of a session and the rules that rank them."""
    return make_field(MEMBERS(session_id))


def read_fields(sessions: Collection[int]) -> dict[int, Field]:
    """Return the fields of these sessions (ids) by session id, with one query. Sessions without entrants have none."""
    rows = member_rows(Entrant.objects.filter(session__in=sessions))
    return {pk: make_field(list(own)) for pk, own in groupby(rows, key=itemgetter(0))}


def make_field(rows: Sequence[tuple[Any, ...]]) -> Field:
    members = [
        FieldMember(
            pk,
            Line(line) if team is None else name_team_line(line),
            ranked,
            player if team is None else -team,
            (*map(tuple, earlier), (number, first, last)),
        )
        for _session, pk, line, ranked, player, team, number, first, last, earlier, *_rules in rows
    ]
    share, substitutes, ties = rows[0][-3:] if rows else (0, True, "[]")
    return Field(members, share, substitutes, tuple(map(TieBreak, json.loads(ties))))


def find_substitutes(members: Sequence[FieldMember]) -> set[int]:
    """Return the ids of the substitutes: the entrants whose first seat another entrant had before, who was ranked.

    Whoever takes the seat of a filler is no substitute but a latecomer.

    A substitute may begin in the middle of a position. That position is then both the last position of the player who
    left, and the first position of the substitute. The row of the player who left has the lower id.
    """
    left: defaultdict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for member in members:
        for number, _first, last in member.stays:
            if last is not None and member.ranked:
                left[member.line, number].append((member.pk, last))
    return {
        member.pk
        for member in members
        for number, first, _last in member.stays[:1]
        for pk, last in left[member.line, number]
        if pk < member.pk and last <= first
    }


def read_session_draw(session_id: int, members: Sequence[FieldMember]) -> list[int]:
    """Return the ids of the entrants who have a lot, in the order of the session's newest draw."""
    entrants = {member.competitor: member.pk for member in members}
    return [entrants[who] for draw in DRAWS(session_id) for who in draw.order if who in entrants]

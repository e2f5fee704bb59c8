"""The reading of the sessions of a simultaneous as values for `scoring.simultaneous`.

The number of queries does not depend on the number of clubs, except for the plays: one query reads those of BATCH
sessions. Nothing is locked. If a play changes meanwhile, the basis of the standings is too old, and a later job reads
again.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef

from clubs.models import Player
from deals.models import Etui
from evenings.plays.state import PlayState
from evenings.standings.computing import penalties_of_sessions
from evenings.standings.etuis import (
    COUNTED,
    MISSING,
    OWNER,
    SCORED,
    STATE,
    Row,
    Rules,
    adjustments_of,
    list_scoring_rows,
    read_scoring_play,
)
from evenings.standings.field import find_substitutes, read_fields
from scoring.contract import find_rules
from scoring.formats import find_format
from scoring.plays import ScoringPlay
from scoring.simultaneous import EtuiKey, FieldEntrant, FieldSession
from tournaments.models import EtuiRuling, Play, ResultEntry, Ruling, Session
from tournaments.rules.etuis import BEFORE, EtuiSplit, find_etui_part

BATCH = 20  # sessions whose plays one query reads


class FieldSeat(NamedTuple):
    """An entrant of a session: the player, the session, the line's starting number."""

    player: int
    session: int
    number: int


@dataclass(frozen=True, slots=True)
class ForAll:
    """The organiser's rulings: the numbers of annulled étuis, and the splits of altered étuis by number."""

    annulled: frozenset[int] = frozenset()
    splits: Mapping[int, EtuiSplit] = field(default_factory=dict)


@dataclass(slots=True)
class FieldInput:
    """The sessions of a field as values for scoring, and what is told beside their ranking.

    `seated` has the players by entrant id. `scored` and `missing` have the number of such plays by session id.
    """

    sessions: list[FieldSession] = field(default_factory=list)
    seated: dict[int, FieldSeat] = field(default_factory=dict)
    scored: dict[int, int] = field(default_factory=dict)
    missing: dict[int, int] = field(default_factory=dict)


def read_field_sessions(sessions: Sequence[Session], for_all: ForAll, *, ended_at: dt.datetime | None) -> FieldInput:
    """Return the plays and the players of these sessions, each with its tournament loaded.

    `ended_at` is the moment at which the field ended, or None. A play without a result or a ruling by then has no
    score in the field. All sessions have the same format.
    """
    ids = [session.pk for session in sessions]
    found = FieldInput()
    fields = read_fields(ids)
    persons = dict(Player.objects.filter(entries__session__in=ids).order_by().values_list("pk", "person_id"))
    penalties = penalties_of_sessions(ids)
    splits = read_splits(ids)
    numbers = dict(Etui.objects.filter(deal_set__sessions__in=ids).order_by().values_list("pk", "number"))
    late = find_late_plays(sessions, ended_at)
    for first in range(0, len(sessions), BATCH):
        some = sessions[first : first + BATCH]
        plays = read_plays(some, PlayContext(numbers, splits, for_all.splits, late), found)
        for session in some:
            own = fields.get(session.pk)
            if own is None or not plays[session.pk]:
                continue
            found.seated |= {
                member.pk: FieldSeat(member.competitor, session.pk, member.stays[0][0]) for member in own.members
            }
            substitutes = find_substitutes(own.members)
            entrants: dict[Any, FieldEntrant] = {
                each.pk: FieldEntrant(persons[each.competitor], each.line, each.ranked, each.pk in substitutes)
                for each in own.members
            }
            found.sessions.append(
                FieldSession(
                    session.pk,
                    session.started_at,
                    plays[session.pk],
                    entrants,
                    {who: penalties[who] for who in entrants if who in penalties},
                    own.least_share,
                    own.substitutes_ranked,
                )
            )
    return found


class PlayContext(NamedTuple):
    """The values that say which plays are compared with each other.

    `numbers` has the number of each étui by its id. `own_splits` are the splits of arbiters by (session id, étui id).
    `splits` are those of the organiser by étui number. `late` are the ids of the plays that came too late.
    """

    numbers: Mapping[int, int]
    own_splits: Mapping[tuple[int, int], EtuiSplit]
    splits: Mapping[int, EtuiSplit]
    late: Collection[int]

    def find_key(self, session: int, etui: int, position: int, table: int) -> EtuiKey:
        """Return the key of a play's étui."""
        number = self.numbers[etui]
        part = find_etui_part(self.splits.get(number), position, table)
        own = find_etui_part(self.own_splits.get((session, etui)), position, table)
        return EtuiKey(number, part, None if own == BEFORE else session)


def read_plays(sessions: Sequence[Session], context: PlayContext, found: FieldInput) -> dict[int, list[ScoringPlay]]:
    """Return the plays of these sessions by session id, with one or two queries. Count them in `found`."""
    rows: Sequence[Row] = list(list_scoring_rows(Play.objects.filter(session__in=[session.pk for session in sessions])))
    adjusted = adjustments_of(row[0] for row in rows if row[STATE] == PlayState.ADJUSTED)
    rules = {
        session.pk: Rules(find_rules(session.tournament.rules), find_format(session.tournament.format))
        for session in sessions
    }
    plays: dict[int, list[ScoringPlay]] = {session.pk: [] for session in sessions}
    found.scored |= dict.fromkeys(plays, 0)
    found.missing |= dict.fromkeys(plays, 0)
    keys: dict[tuple[int, int, int, int], EtuiKey] = {}
    for row in rows:
        _pk, etui, position, table, *_rest = row
        session = row[OWNER]
        place = (session, etui, position, table)
        key = keys.get(place)
        if key is None:
            key = keys[place] = context.find_key(*place)
        play = read_scoring_play(row, key, rules[session], adjusted)
        if context.late and row[0] in context.late:
            play = play._replace(base_score=None, fixed=())
        counted = COUNTED[row[STATE]]
        if counted == SCORED and (play.base_score is not None or play.fixed):
            found.scored[session] += 1
        elif counted in (MISSING, SCORED):
            found.missing[session] += 1
        plays[session].append(play)
    return plays


def read_splits(sessions: Collection[int]) -> dict[tuple[int, int], EtuiSplit]:
    """Return the splits of étuis by the arbiters of these sessions, by (session id, étui id)."""
    newest: dict[tuple[int, int], EtuiSplit | None] = {}
    for ruling in EtuiRuling.objects.filter(session__in=sessions).order_by("pk"):
        newest[ruling.session_id, ruling.etui_id] = ruling.split
    return {place: split for place, split in newest.items() if split is not None}


def find_late_plays(sessions: Iterable[Session], ended_at: dt.datetime | None) -> set[int]:
    """Return the ids of the plays that had neither a result nor an assigned one when the field ended.

    It does not matter what was entered or ruled later.
    """
    if ended_at is None:
        return set()
    entered = ResultEntry.objects.filter(play=OuterRef("pk"), entered_at__lte=ended_at)
    assigned = Ruling.objects.filter(play=OuterRef("pk"), kind=Ruling.RulingKind.ADJUSTED, ruled_at__lte=ended_at)
    late = Play.objects.filter(~Exists(entered), ~Exists(assigned), session__in=[each.pk for each in sessions])
    return set(late.order_by().values_list("pk", flat=True))

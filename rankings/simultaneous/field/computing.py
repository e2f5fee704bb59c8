"""The standings of a simultaneous' field as exact data, and the job that keeps them.

A job reads the plays of all sessions and computes everything anew, at most every 30 seconds. The code that enters a
result does not know the field. `FieldStandings.basis` has the versions of the data from which the stored standings were
made. A sweep compares it with the present versions. If the basis is still current, nothing is computed.
"""

import datetime as dt
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from django.db.models import Q

from clubs.models import Club
from evenings.standings.computing import describe_player, own_means
from rankings.kinds import renew_standings
from rankings.simultaneous.field.reading import FieldInput, ForAll, read_field_sessions
from rankings.simultaneous.hours import find_lookers
from rankings.simultaneous.setup import list_rulings
from scoring.formats import find_format
from scoring.ranking import PlayerStanding
from scoring.simultaneous import EtuiKey, RankedField, rank_field
from tournaments.models import (
    FieldPublication,
    FieldRuling,
    FieldStandings,
    Session,
    Simultaneous,
    SimultaneousClub,
)
from tournaments.queue import FIELD, PAUSES, queue_field
from tournaments.rules.clock import find_age
from tournaments.rules.formats import OF_SIMULTANEOUS
from tournaments.versions import OFFICIAL, find_newest_versions

FORMAT = 1
KEPT_FRESH = dt.timedelta(days=30)  # how long after the public hour the sweep looks at a field
MISSING, PLAYING, CLOSED, OTHER_FORMAT = "missing", "playing", "closed", "other_format"
Data = dict[str, Any]


class FieldClub(NamedTuple):
    """A club of a simultaneous, with its session, or None while it has not begun. `state`: see the constants above."""

    club: int
    session: Session | None
    state: str


class FieldSources(NamedTuple):
    """The clubs of a simultaneous, the organiser's rulings and the entrants who looked at cards.

    `ended_at` is the moment at which the field ended, or None while results still count.
    """

    clubs: list[FieldClub]
    for_all: ForAll
    lookers: frozenset[int]
    ended_at: dt.datetime | None

    @property
    def sessions(self) -> list[Session]:
        """The sessions that count, by club. All have the format of the one that began first.

        The clubs of this site decide the format before those of other sites, whose hours come from files.
        """
        return [each.session for each in self.clubs if each.session and each.state in (PLAYING, CLOSED)]

    @property
    def is_complete(self) -> bool:
        """True if no further result counts: the field has ended, or every club has closed its session."""
        return self.ended_at is not None or all(each.state in (CLOSED, OTHER_FORMAT) for each in self.clubs)


def find_end(simultaneous: Simultaneous, now: dt.datetime) -> dt.datetime | None:
    """Return the moment from which no further play counts: the closing by the organiser, or the public hour."""
    ends = [at for at in (simultaneous.closed_at, simultaneous.public_at) if at is not None and at <= now]
    return min(ends, default=None)


def read_sources(simultaneous: Simultaneous, now: dt.datetime) -> FieldSources:
    """Return what the field is computed from, without the plays. It takes at most five queries."""
    rows = SimultaneousClub.objects.filter(simultaneous=simultaneous, left_at=None).exclude(agreed_at=None)
    there = list(rows.select_related("session__tournament").order_by("pk"))
    begun = [
        (row.is_elsewhere, session.started_at, session.pk, session.tournament.format)
        for row, session in ((row, row.session) for row in there)
        if session is not None and session.started_at is not None and not is_put_away(session)
    ]
    format = min(begun)[3] if begun else ""
    rulings = list_rulings(simultaneous)
    annulled = frozenset(ruling.etui for ruling in rulings if ruling.kind == FieldRuling.FieldRulingKind.ANNULLED)
    return FieldSources(
        [FieldClub(row.club_id, *find_state(row.session, format)) for row in there],
        ForAll(annulled, {ruling.etui: ruling.split for ruling in rulings if ruling.split is not None}),
        frozenset() if simultaneous.keeps_lookers else frozenset(find_lookers(simultaneous)),
        find_end(simultaneous, now),
    )


def is_put_away(session: Session) -> bool:
    """Return whether the session was put away, alone or with its whole tournament."""
    return session.put_away_at is not None or session.tournament.put_away_at is not None


def find_state(session: Session | None, format: str) -> tuple[Session | None, str]:
    """Return the session if it has begun, and its state. `format` is that of the field."""
    if session is None or session.started_at is None or is_put_away(session):
        return None, MISSING
    if session.tournament.format != format or format not in OF_SIMULTANEOUS:
        return session, OTHER_FORMAT
    return session, PLAYING if session.closed_at is None else CLOSED


def find_basis_of_field(simultaneous: Simultaneous, sources: FieldSources) -> Data:
    """Return the basis of the standings. It takes one query more than the sources."""
    clubs = sorted({each.club for each in sources.clubs})
    names = Club.every.filter(pk__in=clubs).order_by("pk").values_list("pk", "names_version")
    return {
        "format": FORMAT,
        "revision": simultaneous.revision,
        "ended": None if sources.ended_at is None else sources.ended_at.isoformat(),
        "sessions": {
            str(each.session.pk): [
                each.session.results_version,
                each.session.revision,
                each.session.tournament.revision,
                each.state,
            ]
            for each in sources.clubs
            if each.session is not None
        },
        "names": [list(each) for each in names],
        "lookers": sorted(sources.lookers),
    }


def refresh_field(simultaneous_id: int, *, now: dt.datetime) -> bool:
    """Compute and store the standings of a field as `renew_standings` does. Return True if they were written."""
    simultaneous = Simultaneous.objects.filter(pk=simultaneous_id).first()
    if simultaneous is None:
        return False
    kept, _made = FieldStandings.objects.get_or_create(simultaneous=simultaneous)
    sources = read_sources(simultaneous, now)
    basis = find_basis_of_field(simultaneous, sources)
    figure, queue = partial(figure_field, simultaneous, sources), partial(queue_field, simultaneous_id)
    return renew_standings(kept, basis, figure, queue=queue, now=now)


def pause_before_field(simultaneous_id: int, *, now: dt.datetime) -> float:
    """Return the seconds until the field may be computed again. It is 0 if the clock has been set back."""
    last = FieldStandings.objects.filter(pk=simultaneous_id).values_list("computed_at", flat=True).first()
    return 0.0 if last is None else max(0.0, PAUSES[FIELD] - find_age(last, now).total_seconds())


def find_stale_fields(now: dt.datetime) -> list[int]:
    """Return the ids of the simultaneous whose stored standings are stale or missing.

    Those are left out that have not begun, that are put away or long over, and those with an official ranking.
    """
    official = find_newest_versions(FieldPublication, "simultaneous").filter(status=OFFICIAL)
    listed = (
        Simultaneous.objects.filter(
            Q(opens_at__lte=now) & Q(public_at__gte=now - KEPT_FRESH), put_away_at=None, clubs__session__isnull=False
        )
        .exclude(pk__in=official.values("simultaneous"))
        .order_by("pk")
        .distinct()
    )
    kept = dict(FieldStandings.objects.exclude(computed_at=None).filter(pk__in=listed).values_list("pk", "basis"))
    return [each.pk for each in listed if kept.get(each.pk) != find_basis_of_field(each, read_sources(each, now))]


def figure_field(simultaneous: Simultaneous, sources: FieldSources) -> Data:
    """Return the standings of the field as data for JSON, computed from all plays. Exact figures are text, as "175/3".

    A player is given by the ids of the player, of the entrant and of the session. `etuis` has the frequency of each
    score, from which the notes of every play follow (`scoring.simultaneous`).
    """
    sessions = sources.sessions
    given = read_field_sessions(sessions, sources.for_all, ended_at=sources.ended_at)
    rules = find_format(sessions[0].tournament.format if sessions else "individual")
    ranked = rank_field(
        given.sessions,
        rules,
        annulled=sources.for_all.annulled,
        lookers=sources.lookers,
        alterne=simultaneous.alterne,
    )
    return {
        "format": FORMAT,
        "auction": rules.auction,
        "alterne": simultaneous.alterne and rules.alterne,
        "complete": sources.is_complete,
        "clubs": [describe_club(each, given, ranked) for each in sources.clubs],
        "players": [describe_field_player(player, given, ranked) for player in ranked.players],
        "etuis": describe_etuis(ranked, sources.for_all),
    }


def describe_club(club: FieldClub, given: FieldInput, ranked: RankedField) -> Data:
    """Return a club as data for JSON: its session, its state, and the number of plays with and without a score."""
    session = None if club.session is None else club.session.pk
    return {
        "club": club.club,
        "session": session,
        "state": club.state,
        "scored": given.scored.get(session or 0, 0),
        "missing": given.missing.get(session or 0, 0),
        "players": sum(given.seated[who].session == session for who in ranked.tallies),
    }


def describe_field_player(player: PlayerStanding, given: FieldInput, ranked: RankedField) -> Data:
    """Return a player's ranks and figures as data for JSON."""
    told = describe_player(player)
    del told["told"]
    seated = given.seated[told["id"]]
    about = {"player": seated.player, "session": seated.session, "number": seated.number}
    return about | told | own_means(ranked.tallies, player)


def describe_etuis(ranked: RankedField, for_all: ForAll) -> list[Data]:
    """Return the frequencies of each étui by number: a list of [taker, base score, number of plays] for each part.

    A part is a set of plays that are compared: all of an étui, if nobody has altered its cards. `split` says from which
    position on, and with which tables before it, the organiser has altered the étui for all.
    """
    annulled = for_all.annulled
    splits = {number: [split.from_position, [*split.played_before]] for number, split in for_all.splits.items()}
    parts: dict[int, list[Data]] = {number: [] for number in annulled}
    keys = [key for key in ranked.frequencies if isinstance(key, EtuiKey)]
    for key in sorted(keys, key=lambda each: (each.number, each.part, each.own or 0)):
        scores = sorted(ranked.frequencies[key].items(), key=lambda each: (-each[0].base_score, each[0].taker or ""))
        told = [[taker, base_score, plays] for (taker, base_score), plays in scores]
        parts.setdefault(key.number, []).append({"part": key.part, "own": key.own, "scores": told})
    return [
        {
            "number": number,
            "annulled": number in annulled,
            "split": splits.get(number),
            "parts": parts[number],
        }
        for number in sorted(parts)
    ]


def count_states(clubs: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return how many clubs of a stored ranking are in each state."""
    counted = dict.fromkeys((MISSING, PLAYING, CLOSED, OTHER_FORMAT), 0)
    for club in clubs:
        counted[club["state"]] += 1
    return counted

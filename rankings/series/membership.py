"""The clubs of a series: asking a club, its answer, its leaving; and doubts about players who may be one person.

A club is not asked too often. One that has declined is not asked again by the same owner for some time.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format

from clubs.log import log_in_clubs
from clubs.models import Club, Player, User, Visibility, real_clubs
from clubs.names import simplify_name
from rankings.series.setup import SeriesRefused, lock_series, touch_series
from tournaments.locks import lock_account, lock_club
from tournaments.models import Series, SeriesClub

MOST_ASKS_A_DAY = 10  # the most questions of an owner, and of one director, in a day
MOST_OPEN_ASKS = 3  # the most questions of one owner that a club has not answered yet
A_DAY, QUIET = dt.timedelta(days=1), dt.timedelta(days=30)  # QUIET: how long a club that declined is not asked again


@transaction.atomic
def ask_club(*, series_id: int, slug: str, by: User, now: dt.datetime) -> SeriesClub:
    """Ask another club to take part. Both clubs log it."""
    lock_account(by.pk)
    series = lock_series(series_id)
    club = Club.objects.filter(real_clubs(), slug=slug).exclude(pk=series.club_id).first()
    if club is None:
        raise SeriesRefused("series_club_unknown", "slug")
    if series.clubs.filter(club=club, left_at=None).exists():
        raise SeriesRefused("series_club_already", "slug", club=club.name)
    check_asking(series, club, by=by, now=now)
    row = SeriesClub.objects.create(series=series, club=club, asked_at=now, asked_by=by)
    log_in_clubs(
        (series.club, "series_club_asked", by, {"series": series.title, "other_club": club.name}),
        (club, "series_asked", None, {"series": series.title, "other_club": series.club.name}),
        now=now,
    )
    return row


def check_asking(series: Series, club: Club, *, by: User, now: dt.datetime) -> None:
    """Raise `SeriesRefused` if the owner or the director has asked too often, or if the club has declined lately.

    It locks the owner's club. So if two directors of that club ask at the same time, the second one waits. The caller
    has locked the account of the director, who may direct several clubs.
    """
    lock_club(series.club_id)
    mine = SeriesClub.objects.filter(series__club=series.club_id)
    lately = SeriesClub.objects.filter(Q(series__club=series.club_id) | Q(asked_by=by), asked_at__gt=now - A_DAY)
    if lately.count() >= MOST_ASKS_A_DAY:
        raise SeriesRefused("series_asked_often", "slug", most=MOST_ASKS_A_DAY)
    answered = mine.filter(club=club, agreed_at=None, left_at__gt=now - QUIET)
    last = answered.order_by("-left_at").values_list("left_at", flat=True).first()
    if last is not None:
        until = date_format(day_in(series.club, last + QUIET), "DATE_FORMAT")
        raise SeriesRefused("series_asked_lately", "slug", club=club.name, day=until)
    if mine.filter(club=club, agreed_at=None, left_at=None).count() >= MOST_OPEN_ASKS:
        raise SeriesRefused("series_asked_unanswered", "slug", club=club.name)


@transaction.atomic
def agree_to_series(*, club: Club, row_id: int, by: User, now: dt.datetime) -> SeriesClub:
    """Agree, for a club that was asked, to take part. Its events count from then on."""
    series, row = lock_membership(row_id, Q(club=club, left_at=None))
    if row.agreed_at is None:
        row.agreed_at, row.agreed_by = now, by
        row.save()
        log_in_clubs(
            (club, "series_agreed", by, {"series": series.title}),
            (series.club, "series_club_agreed", None, {"series": series.title, "other_club": club.name}),
            now=now,
        )
        touch_series(series)
    return row


@transaction.atomic
def leave_series(*, club: Club, row_id: int, by: User, now: dt.datetime) -> SeriesClub:
    """Leave a series, or decline to take part. The events of a club that leaves still count up to today."""
    series, row = lock_membership(row_id, Q(club=club, left_at=None))
    row.left_at, row.left_by, row.left_on = now, by, day_in(club, now)
    row.save()
    mine, theirs = ("series_declined", "series_club_declined")
    if row.agreed_at is not None:
        mine, theirs = ("series_left", "series_club_left")
    log_in_clubs(
        (club, mine, by, {"series": series.title}),
        (series.club, theirs, None, {"series": series.title, "other_club": club.name}),
        now=now,
    )
    touch_series(series)
    return row


@transaction.atomic
def take_club_out(*, series_id: int, row_id: int, reason: str, by: User, now: dt.datetime) -> SeriesClub:
    """Take a club out of a series with all its events, for a reason that both clubs log."""
    series, row = lock_membership(row_id, Q(series=series_id, taken_out_at=None))
    if not reason.strip():
        raise SeriesRefused("series_reason_missing", "reason")
    row.taken_out_at, row.taken_out_by, row.reason = now, by, reason.strip()[:300]
    if row.left_at is None:
        row.left_at, row.left_by, row.left_on = now, by, day_in(row.club, now)
    row.save()
    told = {"series": series.title, "reason": row.reason}
    log_in_clubs(
        (series.club, "series_club_taken_out", by, {"other_club": row.club.name, **told}),
        (row.club, "series_taken_out", None, told),
        now=now,
    )
    touch_series(series)
    return row


def lock_membership(row_id: int, condition: Q) -> tuple[Series, SeriesClub]:
    """Lock the series of a row, and return both. Raise `SeriesRefused` if the row does not meet the condition."""
    found = SeriesClub.objects.filter(pk=row_id).values_list("series", flat=True).first()
    if found is None:
        raise SeriesRefused("series_club_gone")
    series = lock_series(found)
    row = SeriesClub.objects.filter(condition, pk=row_id).select_related("club").first()
    if row is None:
        raise SeriesRefused("series_club_gone")
    return series, row


def day_in(club: Club, now: dt.datetime) -> dt.date:
    """Return the date of a moment in the time zone of a club."""
    return timezone.localdate(now, club.zone)


class TwinPlayers(NamedTuple):
    """A group of players of a series with the same licence or the same name who count as different persons."""

    players: list[Player]
    by_licence: bool


def find_twins(player_ids: Iterable[int], directed: Collection[Club]) -> list[TwinPlayers]:
    """Return the groups of players in a series who have the same licence or name. This takes one query.

    `directed` are the clubs of the director who reads it. Players of other clubs are among them only if they are shown
    by name. So no director learns who a hidden player of another club is.
    """
    may_be_told = Q(club__in=[club.pk for club in directed]) | Q(person__shown=Visibility.NAME)
    seen_players = Player.objects.real().filter(may_be_told, pk__in=set(player_ids))
    found = seen_players.select_related("club", "person").order_by("pk")
    groups: defaultdict[tuple[bool, str], list[Player]] = defaultdict(list)
    for player in found:
        if player.licence:
            groups[True, player.licence].append(player)
        groups[False, simplify_name(f"{player.last_name} {player.first_name}")].append(player)
    told: list[TwinPlayers] = []
    seen: set[frozenset[int]] = set()
    for (by_licence, _key), players in sorted(groups.items(), key=lambda each: not each[0][0]):
        persons = {player.person_id for player in players}
        numbers = frozenset(player.pk for player in players)
        if len(persons) > 1 and numbers not in seen:
            seen.add(numbers)
            told.append(TwinPlayers(players, by_licence))
    return told


def find_twins_of_members(player_ids: Iterable[int], directed: Collection[Club]) -> list[TwinPlayers]:
    """Return the groups of `find_twins` in which there is a player of these clubs."""
    own = {club.pk for club in directed}
    return [twin for twin in find_twins(player_ids, directed) if any(each.club_id in own for each in twin.players)]

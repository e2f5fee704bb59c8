"""The permissions of accounts. Every page and API endpoint gets its club, session, play or deal set from this module.

A helper of a club enters results. A director may do everything in the club. Everybody else, with or without an account,
is a stranger. Strangers may read what is public: the club, the plan of a session under way, publications. A device with
a table's code may do what that table may do, and nothing else.
"""

import datetime as dt
import hashlib
import re
from copy import copy
from enum import IntEnum
from functools import lru_cache
from typing import Any, TypeVar, cast

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, Model, OuterRef, Q, QuerySet, Subquery, Value
from django.http import Http404

from clubs.models import Club, ClubSettings, User
from clubs.roles import DIRECTOR, HELPER, role_of
from deals.models import DealSet
from tournaments.codes import is_code
from tournaments.models import (
    ArbiterCode,
    Etui,
    Play,
    Publication,
    Series,
    Session,
    SessionStandings,
    Simultaneous,
    Table,
    TableToken,
    Tournament,
    TournamentPublication,
)
from tournaments.models.plays import seat_people
from tournaments.prepared import JoinedRelation, PreparedJoined, PreparedValues
from tournaments.published import select_newest_version, standing_now

OfClub = TypeVar("OfClub", Series, Simultaneous)


class Can(IntEnum):
    """The permission levels: reading, entering results, directing. A higher level includes the lower ones."""

    READ = 0
    ENTER = 1
    DIRECT = 2


AFTER_PUBLICATION = dt.timedelta(hours=24)
MOST_NUMBER = 32_767
MOST_ID = 2**63 - 1
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
NUMBER_BEFORE = re.compile(r"[0-9]{8}")  # table cards that were printed before numbers had twelve signs
ROLES = {None: Can.READ, HELPER: Can.ENTER, DIRECTOR: Can.DIRECT}


def power_of(user: User | AnonymousUser, club: Club) -> Can:
    """Return the permission level that this account has in this club."""
    return ROLES[role_of(user, club)]


def require(user: User | AnonymousUser, club: Club, need: Can) -> None:
    """Raise `PermissionDenied` if the account's level in the club is lower than `need`.

    Raise `Http404` for a practice club in which the account has no role.
    """
    require_power(power_of(user, club), need, practice=club.is_practice)


def require_power(power: Can, need: Can, *, practice: bool) -> None:
    """Raise `PermissionDenied` if `power` is lower than `need`.

    Raise `Http404` if the club is for practice and the account has no role there, so that nobody else learns of it.
    """
    if practice and power == Can.READ:
        raise Http404
    if power < need:
        raise PermissionDenied


def get_club_for(user: User | AnonymousUser, need: Can, *, slug: str) -> Club:
    """Return the club with this slug.

    Raise `Http404` if there is none, and `PermissionDenied` if the account's level in it is lower than `need`.
    """
    club = require_found(Club.every.filter(slug=slug).first())
    require(user, club, need)
    return club


def get_tournament_for(user: User | AnonymousUser, need: Can, **where: Any) -> Tournament:
    """Return the tournament that `where` names, by `club__slug` and `slug`, or by `pk`.

    `standing` is the status of its newest publication, or None. Raise `Http404` if there is no such tournament, and
    `PermissionDenied` if the account's level in its club is lower than `need`.
    """
    newest = TournamentPublication.objects.filter(tournament=OuterRef("pk")).order_by("-version").values("status")
    query = Tournament.objects.select_related("club", "season").annotate(standing=Subquery(newest[:1]))
    tournament = require_found(query.filter(**where).first())
    require(user, tournament.club, need)
    return tournament


def get_series_for(user: User | AnonymousUser, need: Can, *, club: str, slug: str) -> Series:
    """Return the series of the club with the slug `club`, with its club and the club's settings.

    Raise `Http404` if there is none, and `PermissionDenied` if the account's level in the club is lower than `need`.
    """
    found = find_of_club(Series, club, slug)
    require(user, found.club, need)
    return found


def find_of_club(model: type[OfClub], club: str, slug: str, *related: str) -> OfClub:
    """Return the series or the simultaneous with this slug, of the club with the slug `club`.

    It comes with its club, the club's settings and the `related` rows. Raise `Http404` if there is none.
    """
    listed = model._default_manager.select_related("club__house", *related)
    return require_found(listed.filter(club__slug=club, slug=slug).first())


def get_session_for(user: User | AnonymousUser, need: Can, **where: Any) -> Session:
    """Return the session that `where` names: by `tournament__club__slug`, `tournament__slug` and `number`, or by `pk`.

    Raise `Http404` if there is none, and `PermissionDenied` if the account's level in its club is lower than `need`.
    """
    session = find_session(**where)
    require(user, session.tournament.club, need)
    return session


def find_session(**where: Any) -> Session:
    """Return the session that `where` names, as `get_session_for` does, without a check of permissions.

    `standing` and `published` are the present status and the number of its newest version, or None.
    """
    if "pk" in where:
        rows = SESSION_BY_ID(min(where["pk"], MOST_ID))
    else:
        *slugs, number = (where[name] for name in NAMES_OF_PLACE)
        rows = SESSION_BY_PLACE(*slugs, min(number, MOST_ID))
    session, session.tournament, club, house, session.deal_set, standings = require_found(next(iter(rows), None))
    session.tournament.club = club
    hang_one(club, "house", house)
    hang_one(session, "standings", standings)
    return cast(Session, session)


def hang_one(owner: Model, name: str, row: Model | None) -> None:
    """Set the cached row of a relation from one row to one other, in both directions, as `select_related` does."""
    relation: Any = owner._meta.get_field(name)
    relation.set_cached_value(owner, row)
    if row is not None:
        relation.remote_field.set_cached_value(row, owner)


# Each page of a session begins with this query. Django takes ten times as long to build it as the database to answer.
NAMES_OF_PLACE = ("tournament__club__slug", "tournament__slug", "number")
BESIDE_SESSION = (
    JoinedRelation("tournament", Tournament),
    JoinedRelation("tournament__club", Club),
    JoinedRelation("tournament__club__house", ClubSettings),
    JoinedRelation("deal_set", DealSet),
    JoinedRelation("standings", SessionStandings, without=frozenset({"data", "sums"})),
)


def select_session(**where: Any) -> QuerySet[Session]:
    """Return the queryset of a session with what the bar of its pages needs."""
    return Session.objects.filter(**where).annotate(standing=standing_now(), published=select_newest_version())


SESSION_BY_ID = PreparedJoined(lambda pk: select_session(pk=pk), *BESIDE_SESSION)
SESSION_BY_PLACE = PreparedJoined(
    lambda club, tournament, number: select_session(
        **dict(zip(NAMES_OF_PLACE, (Value(club), Value(tournament), Value(number)), strict=True))
    ),
    *BESIDE_SESSION,
)


def get_play_for(user: User | AnonymousUser, need: Can, **where: Any) -> Play:
    """Return the play that `where` names, with its session, table, étui and players.

    Raise `Http404` if there is none, and `PermissionDenied` if the account's level in its club is lower than `need`.
    """
    play = read_play(**where)
    require(user, play.session.tournament.club, need)
    return play


def read_play(**where: Any) -> Play:
    """Return the play that `where` names, with its session, table, étui and players. Raise `Http404` if there is none.

    The players are a query of their own: with them, one query joins 26 tables, which takes twice as long. `standing`
    and `published` are those of the session, as in `find_session`.
    """
    plays = Play.objects.select_related("session__tournament__club__house", "table", "etui").filter(**where)
    plays = plays.annotate(standing=standing_now("session"), published=select_newest_version("session"))
    return require_found(next(iter(seat_people(plays[:1])), None))


# For programs that enter many results, one in each request: fast queries that read a play without its players.
PLACE_OF_PLAY = PreparedValues(
    lambda play: (
        Play.objects.filter(pk=play)
        .order_by()
        .values_list("session_id", "session__revision", "session__tournament__club__names_version")
    )
)
PLAY_AT_TABLE = PreparedJoined(
    lambda play: Play.objects.filter(pk=play).order_by(), JoinedRelation("table", Table), JoinedRelation("etui", Etui)
)


def get_play_to_enter(user: User | AnonymousUser, pk: int) -> Play:
    """Return the play with its table, étui and session, but without its players.

    Raise `Http404` if there is none, and `PermissionDenied` if the account may not enter results in its club. The
    session is read before the play and its table. After the lock, `locks.raise_table` compares their revisions and so
    finds out whether anything has changed since.
    """
    place = require_found(next(iter(PLACE_OF_PLAY(min(pk, MOST_ID))), None))
    session = copy(kept_session(*place))
    require(user, session.tournament.club, Can.ENTER)
    play, table, etui = require_found(next(iter(PLAY_AT_TABLE(pk)), None))
    play.table, play.etui = table, etui
    play.session = play.table.session = session
    return cast(Play, play)


def get_deal_set_for(user: User | AnonymousUser, need: Can, **where: Any) -> DealSet:
    """Return the deal set that `where` names, by `club__slug` and `pk`.

    Raise `Http404` if there is none, and `PermissionDenied` if the account's level in its club is lower than `need`. A
    copy of a set in another club belongs to that other club only. Nobody gets a set without a club, which is a room's,
    or a free set, which is a list of numbers.
    """
    deal_set = require_found(DealSet.objects.select_related("club").filter(**where, free=False).first())
    require(user, require_found(deal_set.club), need)
    return deal_set


def open_codes(now: dt.datetime) -> QuerySet[TableToken]:
    """Return the table codes that are valid now: not revoked, and not expired.

    A code expires at its `expires_at`, or a day after the session's newest publication if that is earlier. Official
    versions are left out, because they are often added later than the director's publication. The publication matters
    because the clock of a laptop may have been wrong by days when `expires_at` was set.
    """
    published = Publication.objects.filter(session=OuterRef("table__session")).exclude(status="official")
    going_on = ~Exists(published) | Exists(published.filter(published_at__gt=now - AFTER_PUBLICATION))
    return TableToken.objects.filter(going_on, revoked_at=None, expires_at__gt=now)


@lru_cache(maxsize=64)
def kept_session(session_id: int, _revision: int, _names: int) -> Session:
    """Return the session with its tournament and club, from a cache in this process.

    The session's revision and the club's version of the names are part of the cache's key. The `results_version` and
    the standings of the cached session may be out of date, because new results do not raise the revision.
    """
    return require_found(Session.objects.select_related("tournament__club").filter(pk=session_id).first())


def get_play_at(table: Table, play: int) -> Play:
    """Return the play with this id, with its session, table, étui and players.

    Raise `Http404` if the play is not at this table.
    """
    return read_play(table=table, pk=play)


def find_arbiter(table: Table, grant: str, now: dt.datetime) -> ArbiterCode | None:
    """Return the arbiter's code in force that was typed on the device with the secret `grant`, for this table.

    Return None if there is no such code, or if its author is no longer a director of the club.
    """
    if not TOKEN.fullmatch(grant):
        return None
    codes = ArbiterCode.objects.filter(table=table, grant=digest_secret(grant), ended_at=None)
    code = codes.filter(find_codes_in_force(now)).select_related("author").first()
    directs = code and power_of(code.author, table.session.tournament.club) >= Can.DIRECT
    return code if directs else None


def find_codes_in_force(now: dt.datetime) -> Q:
    """Return the query condition for arbiter's codes that have not expired; they expire after ten minutes.

    A code whose `made_at` is later than `now` counts as expired: the clock has been set back since.
    """
    return Q(expires_at__gt=now, made_at__lte=now)


def digest_secret(secret: str) -> str:
    """Return the SHA-256 digest of a secret, as hexadecimal text."""
    return hashlib.sha256(secret.encode()).hexdigest()


def find_code_by_number(number: str, now: dt.datetime) -> TableToken | None:
    """Return the table's valid code that has this typed `number`, or None.

    The session of the table must be under way with devices at the tables.
    """
    running = {"table__session__status": Session.Status.RUNNING, "table__session__devices": Session.Devices.TABLES}
    codes = open_codes(now).filter(number=number, **running).select_related("table")
    return codes.first() if is_table_number(number) else None


def is_table_number(number: str) -> bool:
    """Return whether the text could be a table's number: twelve signs, or eight digits as on older table cards."""
    return is_code(number) or NUMBER_BEFORE.fullmatch(number) is not None


def may_see_result(user: User | AnonymousUser, power: Can, author_id: int | None) -> bool:
    """Return whether the account may see a result before publication. `power` is the account's level in the club.

    A director sees every result, and a helper only the results that they entered themselves (`author_id`). This check
    is not for a table's device, which may see the results of its own table.
    """
    return power >= Can.DIRECT or (power >= Can.ENTER and author_id is not None and author_id == user.pk)


T = TypeVar("T")


def require_found(thing: T | None) -> T:
    """Return the thing. Raise `Http404` if it is None."""
    if thing is None:
        raise Http404
    return thing

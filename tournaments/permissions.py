"""The permissions of accounts. Every page and every API endpoint gets its object here, if the account may have it.

A stranger may read what is public (club, plan of a session under way, publications). A helper of the club enters
results. A director may do everything in the club. There are no other roles: an account without a membership is a
stranger. A device with a table's code may do what that table does, and nothing else.
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
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from clubs.accounts.roles import DIRECTOR, HELPER, role_of
from clubs.models import Club, User
from deals.models import DealSet
from tournaments.codes import is_code
from tournaments.models import PEOPLE, ArbiterCode, Etui, Play, Publication, Session, Table, TableToken, Tournament
from tournaments.prepared import JoinedRelation, PreparedJoined, PreparedValues


class Can(IntEnum):
    """The level of a role's permissions; a higher level includes the lower ones."""

    READ = 0
    ENTER = 1
    DIRECT = 2


AFTER_PUBLICATION = dt.timedelta(hours=24)
MOST_NUMBER = 32_767
MOST_ID = 2**63 - 1
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
NUMBER_BEFORE = re.compile(r"[0-9]{8}")  # for tables whose cards were printed before numbers had twelve signs
ROLES = {None: Can.READ, HELPER: Can.ENTER, DIRECTOR: Can.DIRECT}


def power_of(user: User | AnonymousUser, club: Club) -> Can:
    """Return the highest level that this account has in this club. A practice club has only its own members."""
    return ROLES[role_of(user, club)]


def require(user: User | AnonymousUser, club: Club, need: Can) -> None:
    """Raise `PermissionDenied` unless the account may do `need` in the club."""
    require_power(power_of(user, club), need, practice=club.is_practice)


def require_power(power: Can, need: Can, *, practice: bool) -> None:
    """Raise `PermissionDenied` if `power` is lower than `need`.

    Raise `Http404` for `practice` and an account without a role in its club: practice clubs are not revealed to others.
    """
    if practice and power == Can.READ:
        raise Http404
    if power < need:
        raise PermissionDenied


def get_club_for(user: User | AnonymousUser, need: Can, *, slug: str) -> Club:
    club = require_found(Club.every.filter(slug=slug).first())
    require(user, club, need)
    return club


def get_tournament_for(user: User | AnonymousUser, need: Can, **where: Any) -> Tournament:
    """Return the tournament, or raise `Http404` or `PermissionDenied`. `where`: `club__slug` and `slug`, or `pk`."""
    tournament = require_found(Tournament.objects.select_related("club", "season").filter(**where).first())
    require(user, tournament.club, need)
    return tournament


def get_session_for(user: User | AnonymousUser, need: Can, **where: Any) -> Session:
    """Return the session, or raise `Http404` or `PermissionDenied`.

    `where`: `tournament__club__slug`, `tournament__slug` and `number`, or `pk`.
    """
    session = find_session(**where)
    require(user, session.tournament.club, need)
    return session


def find_session(**where: Any) -> Session:
    query = Session.objects.select_related("tournament__club", "deal_set", "standings")
    return require_found(query.defer("standings__data", "standings__sums").filter(**where).first())


def get_play_for(user: User | AnonymousUser, need: Can, **where: Any) -> Play:
    query = Play.objects.select_related("session__tournament__club", "table", "etui", *PEOPLE)
    play = require_found(query.filter(**where).first())
    require(user, play.session.tournament.club, need)
    return play


# A program enters many results, with one request for each: so a play is read without its players, by prepared queries.
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
    """Return the play with all relations but its players, if the account may enter its result.

    The session's revision is read first, the table's together with the play: a later comparison shows whether the rest
    is still current.
    """
    place = require_found(next(iter(PLACE_OF_PLAY(min(pk, MOST_ID))), None))
    session = copy(kept_session(*place))
    require(user, session.tournament.club, Can.ENTER)
    play, table, etui = require_found(next(iter(PLAY_AT_TABLE(pk)), None))
    play.table, play.etui = table, etui
    play.session = play.table.session = session
    return cast(Play, play)


def get_deal_set_for(user: User | AnonymousUser, need: Can, **where: Any) -> DealSet:
    """Return the deal set, or raise `Http404` or `PermissionDenied`. `where`: `club__slug` and `pk`.

    A set belongs to its own club only. A copy in another club belongs to that club.
    """
    deal_set = require_found(DealSet.objects.select_related("club").filter(**where).first())
    require(user, deal_set.club, need)
    return deal_set


def open_codes(now: dt.datetime) -> QuerySet[TableToken]:
    """Return the codes that open the screens of their tables.

    A code expires a day after the newest publication of its session, even if that publication became official since.
    The publication counts and not only the evening's clock, which may be wrong by days on a laptop.
    """
    published = Publication.objects.filter(session=OuterRef("table__session")).exclude(status="official")
    going_on = ~Exists(published) | Exists(published.filter(published_at__gt=now - AFTER_PUBLICATION))
    return TableToken.objects.filter(going_on, revoked_at=None, expires_at__gt=now)


@lru_cache(maxsize=64)
def kept_session(session_id: int, _revision: int, _names: int) -> Session:
    """Return a session with its tournament and club, cached by its revision and the version of the names.

    Each process has its own cache. Results and standings of the cached object may be stale.
    """
    return require_found(Session.objects.select_related("tournament__club").filter(pk=session_id).first())


def get_play_at(table: Table, play: int) -> Play:
    """Return this play of the table with the relations of `get_play_for`.

    Raise `Http404` if it is not at this table.
    """
    query = Play.objects.select_related("session__tournament__club", "table", "etui", *PEOPLE)
    return require_found(query.filter(table=table, pk=play).first())


def find_arbiter(table: Table, grant: str, now: dt.datetime) -> ArbiterCode | None:
    """Return the arbiter's code by which the device with this secret rules at this table.

    Return None if there is none in force, or if its author no longer directs the club.
    """
    if not TOKEN.fullmatch(grant):
        return None
    codes = ArbiterCode.objects.filter(table=table, grant=digest_secret(grant), ended_at=None)
    found = codes.filter(find_codes_in_force(now)).select_related("author").first()
    directs = found and power_of(found.author, table.session.tournament.club) >= Can.DIRECT
    return found if directs else None


def find_codes_in_force(now: dt.datetime) -> Q:
    """Return the condition for arbiter's codes that are in force, for ten minutes.

    A code made after `now` is not in force: the clock has been set back since.
    """
    return Q(expires_at__gt=now, made_at__lte=now)


def digest_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def find_code_by_number(number: str, now: dt.datetime) -> TableToken | None:
    """Return the open code of the table with this number, or None.

    Its session must be running with devices at the tables.
    """
    running = {"table__session__status": Session.Status.RUNNING, "table__session__devices": Session.Devices.TABLES}
    known = open_codes(now).filter(number=number, **running).select_related("table")
    return known.first() if is_table_number(number) else None


def is_table_number(number: str) -> bool:
    """Return whether the text can be a table's number: a code of today, or eight digits as in the past."""
    return is_code(number) or NUMBER_BEFORE.fullmatch(number) is not None


def may_see_result(user: User | AnonymousUser, power: Can, author_id: int | None) -> bool:
    """Return whether the account may see a result before publication.

    A director sees every result, a helper only results that they entered themselves. The table that played it does not
    need this check.
    """
    return power >= Can.DIRECT or (power >= Can.ENTER and author_id is not None and author_id == user.pk)


T = TypeVar("T")


def require_found(thing: T | None) -> T:
    if thing is None:
        raise Http404
    return thing

"""Who may do what. Every page and every API door fetches through here: the object comes back only to who may have it.

A stranger may read what is public (club, plan of a session under way, publications). A helper of the club enters
results. A director does everything in his club. Nobody else is anything; an account without a membership is a stranger.
Whoever holds a table's code may do what that table does, and nothing else.
"""

import datetime as dt
import hashlib
import re
from collections.abc import Mapping
from copy import copy
from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django.utils import timezone

from clubs.accounts.roles import DIRECTOR, HELPER, ROLE, role_of, role_params
from clubs.models import Club, User
from deals.models import DealSet
from tournaments.codes import is_code
from tournaments.models import PEOPLE, ArbiterCode, Etui, Play, Publication, Session, Table, TableToken, Tournament
from tournaments.prepared import Prepared


class Can(IntEnum):
    """What a role may do; a higher one includes the lower."""

    READ = 0
    ENTER = 1
    DIRECT = 2


AFTER_PUBLICATION = dt.timedelta(hours=24)
MOST_NUMBER = 32_767
MOST_ID = 2**63 - 1
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
NUMBER_BEFORE = re.compile(r"[0-9]{8}")  # of tables whose cards were printed before numbers had twelve signs
ROLES = {None: Can.READ, HELPER: Can.ENTER, DIRECTOR: Can.DIRECT}


def power_of(user: User | AnonymousUser, club: Club) -> Can:
    """Return the most that this account may do in this club; what is for practice belongs to those of its club."""
    return ROLES[role_of(user, club)]


def require(user: User | AnonymousUser, club: Club, need: Can) -> None:
    """Raise `PermissionDenied` unless the account may do `need` in the club."""
    require_power(power_of(user, club), need, practice=club.practice_of_id is not None)


def require_power(power: Can, need: Can, *, practice: bool) -> None:
    """Raise `PermissionDenied` where the power is too little. What is for `practice` is told to nobody who has no role
    in its club: `Http404`."""
    if practice and power == Can.READ:
        raise Http404
    if power < need:
        raise PermissionDenied


def get_club_for(user: User | AnonymousUser, need: Can, *, slug: str) -> Club:
    club = require_found(Club.every.filter(slug=slug).first())
    require(user, club, need)
    return club


def get_tournament_for(user: User | AnonymousUser, need: Can, **where: Any) -> Tournament:
    """`where`: `club__slug` and `slug`, or `pk`."""
    tournament = require_found(Tournament.objects.select_related("club", "season").filter(**where).first())
    require(user, tournament.club, need)
    return tournament


def get_session_for(user: User | AnonymousUser, need: Can, **where: Any) -> Session:
    """`where`: `tournament__club__slug`, `tournament__slug` and `number`, or `pk`."""
    session = find_session(**where)
    require(user, session.tournament.club, need)
    return session


def get_session_at(glance: "SessionGlance", need: Can) -> Session:
    """The session under way of which somebody was told, and what he may do there with it."""
    if glance.power < need:
        raise PermissionDenied
    return find_session(pk=glance.session_id)


def find_session(**where: Any) -> Session:
    query = Session.objects.select_related("tournament__club", "deal_set", "standings")
    return require_found(query.defer("standings__data", "standings__sums").filter(**where).first())


def get_play_for(user: User | AnonymousUser, need: Can, **where: Any) -> Play:
    query = Play.objects.select_related("session__tournament__club", "table", "etui", *PEOPLE)
    play = require_found(query.filter(**where).first())
    require(user, play.session.tournament.club, need)
    return play


# Who enters by program enters many, one request for each: a play comes with its players in four times the time.
PLACE_OF_PLAY = f"""SELECT s.id, s.revision, club.names_version, club.practice_of_id IS NOT NULL, {ROLE}
    FROM tournaments_play p
    JOIN tournaments_session s ON s.id = p.session_id
    JOIN tournaments_tournament tournament ON tournament.id = s.tournament_id
    JOIN clubs_club club ON club.id = tournament.club_id
    WHERE p.id = %s
"""
TABLE_OF_PLAY = Prepared(lambda play: Table.objects.filter(plays=play))
ETUI_OF_PLAY = Prepared(lambda play: Etui.objects.filter(plays=play))
PLAY = Prepared(lambda play: Play.objects.filter(pk=play))


def get_play_to_enter(user: User | AnonymousUser, pk: int) -> Play:
    """A play for who may enter its result, with all but its players. The table's revision is read first: by it is known
    whether the rest still holds."""
    with connection.cursor() as cursor:
        cursor.execute(PLACE_OF_PLAY, (*role_params(user, timezone.now()), min(pk, MOST_ID)))
        session_id, shared, names, practice, role = require_found(cursor.fetchone())
    require_power(ROLES[role], Can.ENTER, practice=practice)
    tables, etuis, plays = TABLE_OF_PLAY(pk), ETUI_OF_PLAY(pk), PLAY(pk)
    play = require_found(next(iter(plays), None))
    (play.table,), (play.etui,) = tables, etuis
    play.session = play.table.session = copy(kept_session(session_id, shared, names))
    return play


def get_deal_set_for(user: User | AnonymousUser, need: Can, **where: Any) -> DealSet:
    """`where`: `club__slug` and `pk`. A set is its own club's alone, its copies in other clubs are theirs."""
    deal_set = require_found(DealSet.objects.select_related("club").filter(**where).first())
    require(user, deal_set.club, need)
    return deal_set


def open_codes(now: dt.datetime) -> QuerySet[TableToken]:
    """The codes that open their tables' screens. A code is over a day after its session's newest publication, be it
    made official since.

    By the publication and not by the evening's clock alone, which may be wrong by days on a laptop.
    """
    published = Publication.objects.filter(session=OuterRef("table__session")).exclude(status="official")
    going_on = ~Exists(published) | Exists(published.filter(published_at__gt=now - AFTER_PUBLICATION))
    return TableToken.objects.filter(going_on, revoked_at=None, expires_at__gt=now)


def get_table_for_token(token: str, now: dt.datetime) -> Table:
    """The table whose screen this code opens, to anybody, while its session runs with devices at the tables."""
    return get_table_at(glance_at_table(token, "", now, coming=now, seen=now))


def get_table_at(glance: "Glance") -> Table:
    """The table of which whoever has its code was told; with its session."""
    session = kept_session(glance.session_id, glance.shared, glance.names)
    return Table(
        pk=glance.table_id,
        session=copy(session),
        number=glance.number,
        last_call=glance.last_call,
        revision=glance.own,
    )


@lru_cache(maxsize=64)
def kept_session(session_id: int, _revision: int, _names: int) -> Session:
    """A session with its tournament and club, kept in the process by its revision and the version of the names. What it
    has by then of results and standings is old."""
    return require_found(Session.objects.select_related("tournament__club").filter(pk=session_id).first())


def get_play_at(table: Table, play: int) -> Play:
    """A play of the table, as `get_play_for` gives it, and of no other one."""
    query = Play.objects.select_related("session__tournament__club", "table", "etui", *PEOPLE)
    return require_found(query.filter(table=table, pk=play).first())


def find_arbiter(table: Table, grant: str, now: dt.datetime) -> ArbiterCode | None:
    """By whose word the device that has this secret rules at this table; he still directs the club."""
    if not TOKEN.fullmatch(grant):
        return None
    codes = ArbiterCode.objects.filter(table=table, grant=digest_of(grant), ended_at=None)
    found = codes.filter(in_force(now)).select_related("author").first()
    directs = found and found.author.is_active and power_of(found.author, table.session.tournament.club) >= Can.DIRECT
    return found if directs else None


def in_force(now: dt.datetime) -> Q:
    """Return what chooses the arbiter's codes whose ten minutes go on: by a clock that has been set back since one was
    made, they are over."""
    return Q(expires_at__gt=now, made_at__lte=now)


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def find_code_by_number(number: str, now: dt.datetime) -> TableToken | None:
    """The open code of the table that has this number, while its session runs with devices at the tables."""
    running = {"table__session__status": Session.Status.RUNNING, "table__session__devices": Session.Devices.TABLES}
    known = open_codes(now).filter(number=number, **running).select_related("table")
    return known.first() if is_table_number(number) else None


def is_table_number(number: str) -> bool:
    """Return whether a table's number could read so: as they are drawn, or of eight figures, as they were before."""
    return is_code(number) or NUMBER_BEFORE.fullmatch(number) is not None


class Glance(NamedTuple):
    """A table as it is known before anything is built for its screen: what it and its session are at, what is computed
    of all that it may be shown, whether the arbiter is on the way to it, and the row of the device that asks, with
    whether that was seen lately. Then what the table's own row says."""

    table_id: int
    own: int
    shared: int
    names: int
    computed: int | None
    coming: bool
    device: int | None
    unseen: bool
    session_id: int
    number: int
    last_call: int


# The code is open (as `open_codes` has it), and its session runs with devices at the tables. Of topages those alone can
# be shown that are of étuis entered at the table's present position (`tables.state.After`): the versions of these only
# climb, so their sum tells of each. Every screen of the hall asks it every few seconds, and Django takes ten times as
# long to put the question together as the database to answer.
GLANCE = """SELECT t.id, t.revision, s.revision, club.names_version,
        CASE s.shows_after WHEN 'ranking' THEN computed.results_version WHEN 'topage' THEN (
            SELECT SUM(shown.results_version) FROM tournaments_etuistandings shown
            WHERE shown.standings_id = s.id AND shown.etui_id IN (
                SELECT p.etui_id FROM tournaments_play p
                JOIN tournaments_resultentry e ON e.play_id = p.id AND e.current
                WHERE p.table_id = t.id AND p.position = (
                    SELECT MAX(q.position) FROM tournaments_play q
                    JOIN tournaments_resultentry f ON f.play_id = q.id AND f.current
                    WHERE q.table_id = t.id AND (q.position <= s.position OR s.position = 0)
                )
            )
        ) END,
        EXISTS (
            SELECT 1 FROM tournaments_arbitercall c
            WHERE c.table_id = t.id AND c.answered_by_id IS NOT NULL AND c.answered_at > %s
                AND c.answered_at <= %s
        ),
        d.id, d.seen_at NOT BETWEEN %s AND %s, t.session_id, t.number, t.last_call
    FROM tournaments_tabletoken k
    JOIN tournaments_table t ON t.id = k.table_id
    JOIN tournaments_session s ON s.id = t.session_id
    JOIN tournaments_tournament tournament ON tournament.id = s.tournament_id
    JOIN clubs_club club ON club.id = tournament.club_id
    LEFT JOIN tournaments_sessionstandings computed ON computed.session_id = s.id
    LEFT JOIN tournaments_tabledevice d ON d.table_id = t.id AND d.device = %s
    WHERE k.token = %s AND k.revoked_at IS NULL AND k.expires_at > %s AND s.status = 'running' AND s.devices = 'tables'
        AND COALESCE((
            SELECT MAX(p.published_at) FROM tournaments_publication p
            WHERE p.session_id = s.id AND p.status <> 'official'
        ), %s) > %s
"""


def glance_at_table(token: str, device: str, now: dt.datetime, *, coming: dt.datetime, seen: dt.datetime) -> Glance:
    """What a table is at, by its code. `coming` and `seen` are the moments from which an answered call and a device
    are told of as such, up to now: what lies ahead was long ago, by a clock that has been set back."""
    if not TOKEN.fullmatch(token):
        raise Http404
    moment = connection.ops.adapt_datetimefield_value
    closed = now - AFTER_PUBLICATION
    present = moment(now)
    since = moment(coming), present, moment(seen), present
    asked = (*since, device, token, present, present, moment(closed))
    with connection.cursor() as cursor:
        cursor.execute(plan_of_glance() or GLANCE, asked)
        return Glance(*require_found(cursor.fetchone()))


def plan_of_glance() -> str:
    """What asks for a glance whose plan this connection to PostgreSQL keeps: to plan it takes ten times as long as to
    answer it. "" where no plans are kept."""
    if connection.vendor != "postgresql":
        return ""
    connection.ensure_connection()
    opened = connection.connection
    if not getattr(opened, "has_glance", False):
        types = f"{'timestamptz, ' * 4}text, text, timestamptz, timestamptz, timestamptz"
        places = (f"${number}" for number in range(1, 10))
        # A word to the connection, as its settings are, and no question of a request.
        with connection.wrap_database_errors, opened.cursor() as cursor:
            cursor.execute(f"PREPARE glance ({types}) AS {GLANCE % tuple(places)}")
        opened.has_glance = True
    return f"EXECUTE glance ({'%s, ' * 8}%s)"


class SessionGlance(NamedTuple):
    """A session under way before anything is built of it: what it and its tables are at, what standings are computed,
    whether the clock's end is near, and over, whether it is for practice, and the role in its club of who asks."""

    session_id: int
    shared: int
    names: int
    tables: int
    results: int
    computed: int | None
    soon: bool | None
    over: bool | None
    practice: bool
    role: str | None

    @property
    def power(self) -> Can:
        return ROLES[self.role]


GLANCE_AT_SESSION = f"""SELECT s.id, s.revision, club.names_version,
        (SELECT SUM(t.revision) FROM tournaments_table t WHERE t.session_id = s.id),
        s.results_version, computed.results_version, s.clock_ends_at <= %s, s.clock_ends_at <= %s,
        club.practice_of_id IS NOT NULL, {ROLE}
    FROM tournaments_session s
    JOIN tournaments_tournament tournament ON tournament.id = s.tournament_id
    JOIN clubs_club club ON club.id = tournament.club_id
    LEFT JOIN tournaments_sessionstandings computed ON computed.session_id = s.id
    WHERE club.slug = %s AND tournament.slug = %s AND s.number = %s AND s.status = 'running'
"""


def glance_at_session(
    user: User | AnonymousUser | None, address: Mapping[str, Any], *, now: dt.datetime, soon: dt.datetime
) -> SessionGlance | None:
    """What a session under way is at, by its address (`club`, `tournament`, `number`); None where there is none, or
    where it is for practice and who asks has no role there.

    `soon` is the moment by which the clock's end is near. Who may be told is asked by whoever builds something of it.
    """
    moment = connection.ops.adapt_datetimefield_value
    where = (address["club"], address["tournament"], min(address["number"], MOST_NUMBER))
    with connection.cursor() as cursor:
        cursor.execute(GLANCE_AT_SESSION, (moment(soon), moment(now), *role_params(user, now), *where))
        row = cursor.fetchone()
    glance = row and SessionGlance(*row)
    return None if glance is None or (glance.practice and glance.role is None) else glance


def may_see_result(user: User | AnonymousUser, power: Can, author_id: int | None) -> bool:
    """Before publication a result is its own table's and the directors': a helper sees what he entered himself."""
    return power >= Can.DIRECT or (power >= Can.ENTER and author_id is not None and author_id == user.pk)


T = TypeVar("T")


def require_found(thing: T | None) -> T:
    if thing is None:
        raise Http404
    return thing

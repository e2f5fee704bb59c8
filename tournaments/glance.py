"""The queries that every screen of a hall repeats every few seconds: they return the state of its table or session.

Each kind of screen needs one query, written in SQL by hand: Django takes ten times as long to build the query as the
database takes to answer it. The content of the screen is built only if the answer has changed.
"""

import datetime as dt
from collections.abc import Mapping
from copy import copy
from typing import Any, NamedTuple, cast

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import connection

from clubs.accounts.roles import IS_PRACTICE, ROLE, role_params
from clubs.models import Club, User
from deals.models import DealSet
from tournaments.models import Session, SessionStandings, Table, Tournament
from tournaments.permissions import (
    AFTER_PUBLICATION,
    MOST_NUMBER,
    ROLES,
    TOKEN,
    Can,
    kept_session,
    require_found,
)
from tournaments.prepared import JoinedRelation, PreparedJoined


class Glance(NamedTuple):
    """The state of a table, read before anything is built for its screen.

    `own` and `shared` are the revisions of the table and of its session, `names` the version of the club's names,
    `computed` the version of all standings that the screen may show. `coming`: the arbiter is on the way. `device` is
    the row of the device that sends the request, `unseen` is True if it was not seen lately. The other fields are
    columns of the table's own row.
    """

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


# The code is open (see `open_codes`), and its session runs with devices at the tables. A screen shows only the topages
# of étuis that were entered at the table's present position (`tables.state.After`): the versions of these only climb,
# so their sum changes whenever one of them does.
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
    """Return the glance at the table that has this code.

    `coming` and `seen` are the moments since which an answered call and a visit of the device still count. A moment
    after `now` does not count: the clock has been set back since.
    """
    require_found(TOKEN.fullmatch(token))
    moment = connection.ops.adapt_datetimefield_value
    closed = now - AFTER_PUBLICATION
    present = moment(now)
    since = moment(coming), present, moment(seen), present
    asked = (*since, device, token, present, present, moment(closed))
    with connection.cursor() as cursor:
        cursor.execute(plan_of_glance() or GLANCE, asked)
        return Glance(*require_found(cursor.fetchone()))


def plan_of_glance() -> str:
    """Prepare the query on this connection to PostgreSQL, once, and return the SQL that executes it.

    PostgreSQL takes ten times as long to plan the query as to answer it. Return "" on SQLite, which prepares nothing.
    """
    if connection.vendor != "postgresql":
        return ""
    connection.ensure_connection()
    opened = connection.connection
    if not getattr(opened, "has_glance", False):
        types = f"{'timestamptz, ' * 4}text, text, timestamptz, timestamptz, timestamptz"
        places = (f"${number}" for number in range(1, 10))
        # This sets up the connection, as its settings do, and counts as no query of a request.
        with connection.wrap_database_errors, opened.cursor() as cursor:
            cursor.execute(f"PREPARE glance ({types}) AS {GLANCE % tuple(places)}")
        opened.has_glance = True
    return f"EXECUTE glance ({'%s, ' * 8}%s)"


class SessionGlance(NamedTuple):
    """The state of a session under way, read before anything is built from it.

    `shared` is its revision, `tables` the sum of its tables' revisions, `names` the version of the club's names,
    `results` the version of the results, `computed` the version of the standings. `soon`: the clock's end is near,
    `over`: it is past. `practice`: the club is one for practice. `role` is the role that the account has in the club.
    """

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
        {IS_PRACTICE}, {ROLE}
    FROM tournaments_session s
    JOIN tournaments_tournament tournament ON tournament.id = s.tournament_id
    JOIN clubs_club club ON club.id = tournament.club_id
    LEFT JOIN tournaments_sessionstandings computed ON computed.session_id = s.id
    WHERE club.slug = %s AND tournament.slug = %s AND s.number = %s AND s.status = 'running'
"""


def glance_at_session(
    user: User | AnonymousUser | None, address: Mapping[str, Any], *, now: dt.datetime, soon: dt.datetime
) -> SessionGlance | None:
    """Return the glance at the session under way with this address (`club`, `tournament`, `number`).

    Return None if there is no such session, or if it is for practice and the account has no role there. The clock's end
    is near if it comes before `soon`. The caller checks whether the account may see the content it builds.
    """
    moment = connection.ops.adapt_datetimefield_value
    where = (address["club"], address["tournament"], min(address["number"], MOST_NUMBER))
    with connection.cursor() as cursor:
        cursor.execute(GLANCE_AT_SESSION, (moment(soon), moment(now), *role_params(user, now), *where))
        row = cursor.fetchone()
    glance = row and SessionGlance(*row)
    return None if glance is None or (glance.practice and glance.power == Can.READ) else glance


def get_table_for_token(token: str, now: dt.datetime) -> Table:
    """Return the table whose screen this code opens, to anybody, while its session runs with devices at the tables."""
    return get_table_at(glance_at_table(token, "", now, coming=now, seen=now))


def get_table_at(glance: Glance) -> Table:
    """Return the table that the glance is about, with its session."""
    session = kept_session(glance.session_id, glance.shared, glance.names)
    return Table(
        pk=glance.table_id,
        session=copy(session),
        number=glance.number,
        last_call=glance.last_call,
        revision=glance.own,
    )


def get_session_at(glance: SessionGlance, need: Can) -> Session:
    """Return the session that the glance is about. Raise `PermissionDenied` unless the account may do `need` there."""
    if glance.power < need:
        raise PermissionDenied
    found = require_found(next(iter(SESSION_WITH_ALL(glance.session_id)), None))
    session, session.tournament, club, session.deal_set, standings = found
    session.tournament.club = club
    Session._meta.get_field("standings").set_cached_value(session, standings)
    return cast(Session, session)


# The rows that `find_session` reads: the screens of a desk ask for them after each result.
SESSION_WITH_ALL = PreparedJoined(
    lambda session: Session.objects.filter(pk=session),
    JoinedRelation("tournament", Tournament),
    JoinedRelation("tournament__club", Club),
    JoinedRelation("deal_set", DealSet),
    JoinedRelation("standings", SessionStandings, without=frozenset({"data", "sums"})),
)

"""The length of an evening of free deals, for calendars: games in which a table of five has a mort deal more deals.

Before the start, the length follows from the number of players. After it, the length follows from the seated games, and
a game that is not seated yet is as long as the last seated one.
"""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

from django.db.models import Case, Count, Max, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import JSONObject

from evenings.plans.by_format import find_odd_tables
from evenings.plans.free.laying import count_timed_deals
from movements import PlanError
from movements.games import split_people
from movements.games.plan import MOST_AT_TABLE
from scoring.formats import FREE_DEALS, find_format
from tournaments.locks import raise_told
from tournaments.models import Entrant, Play, Session


def with_fives(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Return the sessions with the columns that `count_deals_with_rests` reads.

    `people_there`: the number of players of a session in preparation. `fives`: how many games have a table of five,
    the last such game, and the last seated game. Both are None where nobody rests.
    """
    may_rest = Q(tournament__format=FREE_DEALS.name, odd_tables=Session.OddTable.MORT, fits_deals=False)
    people = Entrant.objects.filter(session=OuterRef("pk")).order_by().values("session")
    with_five = Q(fifth__isnull=False)
    fives = JSONObject(
        count=Count("position", distinct=True, filter=with_five),
        last=Max("position", filter=with_five),
        seated=Max("position"),
    )
    plays = Play.objects.filter(session=OuterRef("pk")).order_by().values("session")
    drafts = may_rest & Q(status=Session.Status.DRAFT)
    return sessions.annotate(
        people_there=Case(When(drafts, then=Subquery(people.annotate(count=Count("pk")).values("count")))),
        fives=Case(When(may_rest & ~drafts, then=Subquery(plays.annotate(told=fives).values("told")))),
    )


def count_deals_with_rests(session: Session) -> int:
    """Return the number of deals for which the evening has time, in all its games.

    The session comes from `with_fives`.
    """
    longer = count_longer_games(session)
    usual = session.positions - longer
    return usual * session.etuis_per_position + longer * count_timed_deals(session, has_five=True)


def count_longer_games(session: Session) -> int:
    people: int | None = session.people_there  # type: ignore[attr-defined]
    fives: dict[str, int] | None = session.fives  # type: ignore[attr-defined]
    if people is not None:
        return session.positions if has_fives(session, people) else 0
    if fives is None or not fives["count"]:
        return 0
    to_come = session.positions - fives["seated"] if fives["last"] == fives["seated"] else 0
    return fives["count"] + to_come


def has_fives(session: Session, people: int) -> bool:
    """Return whether this number of players needs a table of five."""
    try:
        sizes = split_people(people, find_odd_tables(find_format(session.tournament.format), session.odd_tables))
    except PlanError:
        return False
    return MOST_AT_TABLE in sizes


@contextmanager
def follow_end(session: Session, now: dt.datetime | None) -> Iterator[None]:
    """Raise the version of the session's calendar entry if the block inside changes the length of the evening.

    The caller has locked the session. `now` is None if the caller does not know the time: the entry then keeps the
    time of its last change.
    """
    if not session.tournament.deals_freely:
        yield
        return
    before = read_deals(session.pk)
    yield
    if read_deals(session.pk) != before:
        raise_told(now, pk=session.pk)


def read_deals(session_id: int) -> int:
    return count_deals_with_rests(with_fives(Session.objects.select_related("tournament")).get(pk=session_id))

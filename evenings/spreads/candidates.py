"""The étuis that bots play next: those that a director has asked for, and by night those that everybody may see.

An app that lies above, such as `rooms`, registers a source of further étuis.
"""

import datetime as dt
from collections.abc import Callable
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from clubs.models import real_clubs
from deals.models import Etui
from evenings.spreads.playing import ensure_spread
from scoring.formats import FREE_AUCTION, Taker, find_format
from tournaments.models import BotSpread, Play, Publication, Session

BEGINS = dt.time(1)  # when the night begins, in the time zone of the site
LATEST = 200  # only so many of the newest sessions are searched
IS_FREE, IS_IMPOSED = Q(taker=""), ~Q(taker="")


class SpreadCandidate(NamedTuple):
    """An étui that bots may play, its taker ("" for an auction), and the moment when its cards became public."""

    since: dt.datetime
    etui: int
    taker: str


Source = Callable[[], SpreadCandidate | None]
sources: list[Source] = []


def register_source(source: Source) -> None:
    """Add a source of étuis. It returns the newest public étui without a spread, or None."""
    if source not in sources:
        sources.append(source)


def is_night(now: dt.datetime) -> bool:
    """Return whether bots may play étuis that nobody asked for. With 0 minutes they never do."""
    zone = timezone.get_default_timezone()
    begin = dt.datetime.combine(timezone.localdate(now, zone), BEGINS, zone)
    return begin <= now < begin + dt.timedelta(minutes=settings.BOT_NIGHT_MINUTES)


def find_next_spread(now: dt.datetime) -> BotSpread | None:
    """Return the row that bots play next, or None if there is nothing to play now.

    Étuis that a director has asked for come first, the oldest request first. Then, by night, come rows that were begun,
    and étuis without a row, the newest first.
    """
    open_rows = BotSpread.objects.filter(made_at=None)
    asked = open_rows.filter(asked_at__isnull=False).order_by("asked_at", "etui__number", "pk").first()
    if asked is not None or not is_night(now):
        return asked
    return open_rows.order_by("-pk").first() or begin_newest()


def begin_newest() -> BotSpread | None:
    """Make the row of the newest public étui that has none, and return it. Return None if there is none."""
    skipped: set[int] = set()
    while True:
        found = [each for source in (lambda: find_in_sessions(skipped), *sources) if (each := source())]
        newest = max(found, default=None)
        if newest is None or newest.etui in skipped:
            return None
        row = ensure_spread(Etui.objects.get(pk=newest.etui), taker=newest.taker)
        if row is not None and row.made_at is None:
            return row
        skipped.add(newest.etui)  # bots cannot play it, or its plays are known


def find_in_sessions(skipped: set[int]) -> SpreadCandidate | None:
    """Return the first étui without a spread of the newest session whose cards everybody may see, or None."""
    sessions = {session.pk: session.newest for session in find_public_sessions()[:LATEST]}
    plays = Play.objects.filter(session__in=sessions, etui__deal_set__players=4).exclude(etui__cards="")
    auction = Q(session__tournament__format=FREE_AUCTION.name)
    has = {taken: Exists(BotSpread.objects.filter(taken, etui=OuterRef("etui"))) for taken in (IS_FREE, IS_IMPOSED)}
    missing = plays.filter((auction & ~has[IS_FREE]) | (~auction & ~has[IS_IMPOSED])).exclude(etui__in=skipped)
    waiting = set(missing.order_by().values_list("session", flat=True).distinct())
    first = next((pk for pk in sessions if pk in waiting), None)
    play = (
        first
        and missing.filter(session=first)
        .select_related("etui", "session__tournament")
        .order_by("etui__number", "pk")
        .first()
    )
    if not first or play is None:
        return None
    taker = find_bot_taker(play.session.tournament.format, play.etui.taker)
    return SpreadCandidate(sessions[first], play.etui_id, taker)


def find_public_sessions() -> QuerySet[Any]:
    """Return the sessions of real clubs whose cards everybody may see, the newest publication first."""
    versions = Publication.objects.filter(session=OuterRef("pk")).order_by("-version")
    shown = Session.objects.filter(shows_cards=True, held_until=None, put_away_at=None)
    real = shown.filter(real_clubs("tournament__club"))
    told = real.annotate(
        newest=Max("publications__published_at"), newest_status=Subquery(versions.values("status")[:1])
    )
    return told.filter(newest__isnull=False).exclude(newest_status="withdrawn").order_by("-newest", "-pk")


def find_bot_taker(format_name: str, taker: str) -> str:
    """Return the seat that plays an imposed garde in this format, or "" for an auction."""
    rule = find_format(format_name).taker
    if rule == Taker.AUCTION:
        return ""
    return taker if rule == Taker.ETUI else str(rule)

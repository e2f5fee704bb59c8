"""The events of a series that its rule chooses, with a director's decisions; and the rules in sentences.

An event is a session, a whole tournament, or a typed list. Sections with one ranking are one event. A tournament of one
session has no ranking of its own, so the ranking of its session counts. A session whose tournament is an event is no
event itself. Events of teams are left out, because a series ranks single players.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import Count, Max, Min, Q
from django.db.models.functions import Coalesce, NullIf
from django.utils.translation import gettext, ngettext

from clubs.models import Club, real_clubs
from scoring.formats import FREE_AUCTION, FREE_AUCTION_3, FREE_AUCTION_5, FREE_DEALS, INDIVIDUAL, Unit, find_format
from tournaments.models import Series, SeriesClub, SeriesEvent, Session, Tournament
from tournaments.rules.formats import find_table_size
from tournaments.rules.series import (
    GENERAL,
    MARKS,
    PERCENT,
    TOURNAMENTS,
    UNSCALED,
    SeriesSettings,
    read_settings,
)
from tournaments.words.figures import decimal, percent_sign

SESSION, TOURNAMENT, LIST = KINDS = ("session", "tournament", "list")
FORMATS = tuple(each.name for each in (INDIVIDUAL, FREE_AUCTION, FREE_AUCTION_3, FREE_AUCTION_5, FREE_DEALS))
Decisions = Mapping[int | None, SeriesEvent]


class MemberClub(NamedTuple):
    """A club whose events may count. `until` is the last day on which they count, or None."""

    club: int
    until: dt.date | None = None


class SectionOfEvent(NamedTuple):
    """A session that is one of several sections of an event. `number` is its number in the tournament."""

    pk: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenEvent:
    """An event of a series, or one that could be chosen: then `counts` is False.

    `pk` is the id of the session, of the tournament or, for a typed list, of its `SeriesEvent`. `session` is the id of
    the session whose ranking counts: None for a tournament of several sessions, and for a typed list. `number` is the
    number of that session. `fits` is False if its ranking has marks and percentages count, or the other way round: then
    it never counts. `sections` has the sessions of an event of several sections with one ranking: `pk`,
    `session` and `number` are then those of the first one. `format` is the name of the tournament's format, `slug` the
    tournament's address. `sessions` is the number of sessions of a tournament. `by_hand` is True if a director chose
    the event or left it out. `by_rule` is True if it counts by the rule and the days of the series alone.
    """

    kind: str
    pk: int
    day: dt.date
    title: str
    club: str
    club_id: int
    club_slug: str
    tournament: int | None = None
    slug: str = ""
    format: str = ""
    number: int = 0
    session: int | None = None
    sections: tuple[SectionOfEvent, ...] = ()
    sessions: int = 1
    coefficient: Decimal = Decimal(1)
    stage: str = ""
    by_hand: bool = False
    by_rule: bool = False
    counts: bool = True
    fits: bool = True

    @property
    def key(self) -> str:
        """The text that names the event in forms and in stored data, as "s12", "t3" or "l5"."""
        return f"{self.kind[0]}{self.pk}"

    @property
    def unit(self) -> Unit:
        """The unit of its ranking. Typed lists count as percentages."""
        return find_format(self.format).unit if self.format else Unit.PER_CENT

    @property
    def table_size(self) -> int:
        """The number of players at each table with étuis for 3 or 5, otherwise 0."""
        return find_table_size(self.format) if self.format else 0

    @property
    def counted_sessions(self) -> list[int]:
        """The ids of the sessions whose rankings count, none for a tournament of several sessions or a typed list."""
        return [each.pk for each in self.sections] or ([self.session] if self.session is not None else [])

    @property
    def place(self) -> tuple[dt.date, int, int]:
        """The sort key: the day, then the kind, then the id."""
        return self.day, KINDS.index(self.kind), self.pk


def find_member_clubs(series: Series) -> list[MemberClub]:
    """Return the clubs whose events may count, the owner first, without clubs that were taken out."""
    rows = SeriesClub.objects.filter(series=series, taken_out_at=None).exclude(agreed_at=None).order_by("pk")
    return [MemberClub(series.club_id), *(MemberClub(*row) for row in rows.values_list("club_id", "left_on"))]


def choose_events(series: Series, clubs: list[MemberClub] | None = None) -> list[ChosenEvent]:
    """Return the events of a series in their order, with those that could be chosen.

    This takes four queries, or three if the caller has read the clubs of the series.
    """
    clubs = find_member_clubs(series) if clubs is None else clubs
    rows = list(SeriesEvent.objects.filter(series=series).select_related("series__club").order_by("pk"))
    tournaments = list(find_tournaments(series, clubs, {row.tournament_id: row for row in rows}))
    whole = {event.pk for event in tournaments if event.counts}
    sessions = [
        event
        for event in find_sessions(series, clubs, {row.session_id: row for row in rows})
        if event.tournament not in whole
    ]
    lists = [describe_list(row) for row in rows if row.title]
    return sorted([*tournaments, *sessions, *lists], key=lambda event: event.place)


def find_tournaments(series: Series, clubs: list[MemberClub], decisions: Decisions) -> Iterator[ChosenEvent]:
    """Yield the tournaments of the clubs that end within the days of the series, and those that a director chose.

    If a session of a tournament has started, only its started sessions count here. So the results that a tournament
    brings stay when its club adds a session.
    """
    shown = Q(sessions__put_away_at=None)
    begun = shown & Q(sessions__status=Session.Status.RUNNING)
    rows = Tournament.objects.filter(of_clubs(clubs, "club"), put_away_at=None, format__in=FORMATS).order_by("pk")
    ends = rows.annotate(
        day=Coalesce(Max("sessions__date", filter=begun), Max("sessions__date", filter=shown)),
        several=Coalesce(NullIf(Count("sessions", filter=begun), 0), Count("sessions", filter=shown)),
        only=Coalesce(Min("sessions", filter=begun), Min("sessions", filter=shown)),
        first=Coalesce(Min("sessions__number", filter=begun), Min("sessions__number", filter=shown)),
    )
    between = Q(day__range=(series.starts_on, series.ends_on))
    found = ends.filter(between | Q(pk__in=[pk for pk in decisions if pk], several__gt=0))
    for tournament in found.select_related("club"):
        row = decisions.get(tournament.pk)
        several = tournament.several > 1
        if not several and read_settings(series.rules).chooses != TOURNAMENTS and row is None:
            continue  # its session is offered instead
        yield decide(
            ChosenEvent(
                kind=TOURNAMENT,
                pk=tournament.pk,
                day=tournament.day,
                title=tournament.name,
                **name_tournament(tournament),
                number=0 if several else tournament.first,
                session=None if several else tournament.only,
                sessions=tournament.several,
            ),
            row,
            series,
            clubs,
        )


def find_sessions(series: Series, clubs: list[MemberClub], decisions: Decisions) -> Iterator[ChosenEvent]:
    """Yield the sessions of the clubs between the days of the series, and those that a director chose."""
    rows = Session.objects.filter(
        of_clubs(clubs, "tournament__club"),
        put_away_at=None,
        tournament__put_away_at=None,
        tournament__format__in=FORMATS,
    )
    between = Q(date__range=(series.starts_on, series.ends_on))
    found = rows.filter(between | Q(pk__in=[pk for pk in decisions if pk])).order_by("pk")
    columns = found.select_related("tournament__club", "group").only(
        "number",
        "date",
        "section",
        "group__one_ranking",
        *(f"tournament__{name}" for name in ("name", "slug", "format")),
        *(f"tournament__club__{name}" for name in ("name", "slug")),
    )
    for sections in join_sections(columns):
        session, several = sections[0], len(sections) > 1
        tournament = session.tournament
        yield decide(
            ChosenEvent(
                kind=SESSION,
                pk=session.pk,
                day=session.date,
                title=tournament.name if several else f"{tournament.name} {session.section}".strip(),
                **name_tournament(tournament),
                number=session.number,
                session=session.pk,
                sections=tuple(SectionOfEvent(each.pk, each.number) for each in sections) if several else (),
            ),
            next((row for each in sections if (row := decisions.get(each.pk)) is not None), None),
            series,
            clubs,
        )


def join_sections(sessions: Iterable[Session]) -> list[list[Session]]:
    """Return the sessions, those that are sections with one ranking together, in their order."""
    joined: dict[tuple[str, int], list[Session]] = {}
    for session in sessions:
        one = session.group is not None and session.group.one_ranking
        joined.setdefault(("group", session.group_id or 0) if one else ("session", session.pk), []).append(session)
    return list(joined.values())


def describe_list(row: SeriesEvent) -> ChosenEvent:
    """Return the event of a typed list."""
    assert row.day is not None
    event = ChosenEvent(kind=LIST, pk=row.pk, day=row.day, title=row.title, **name_club(row.series.club))
    return replace(event, coefficient=row.coefficient, stage=row.stage, by_hand=True, counts=row.included is not False)


def decide(event: ChosenEvent, row: SeriesEvent | None, series: Series, clubs: list[MemberClub]) -> ChosenEvent:
    """Return the event, which counts as the rule of the series says or as a director decided, if there is a decision.

    An event counts only while its club takes part, and only if its figures go with those of the series.
    """
    settings = read_settings(series.rules)
    fits, between = settings.can_count(event.unit), series.starts_on <= event.day <= series.ends_on
    by_rule = fits and between and settings.chooses == f"{event.kind}s" and settings.format in ("", event.format)
    counts = by_rule
    if row is not None:
        event = replace(event, coefficient=row.coefficient, stage=row.stage, by_hand=row.included is not None)
        counts = by_rule if row.included is None else row.included
    takes_part = any(each.club == event.club_id and event.day <= (each.until or event.day) for each in clubs)
    return replace(event, by_rule=by_rule, counts=counts and takes_part and fits, fits=fits)


def of_clubs(clubs: list[MemberClub], path: str) -> Q:
    """Return the condition that a row belongs to one of these clubs, which are not for practice."""
    return Q(real_clubs(path), **{f"{path}__in": [each.club for each in clubs]})


def name_tournament(tournament: Tournament) -> dict[str, Any]:
    own = {"tournament": tournament.pk, "slug": tournament.slug, "format": tournament.format}
    return own | name_club(tournament.club)


def name_club(club: Club) -> dict[str, Any]:
    return {"club": club.name, "club_id": club.pk, "club_slug": club.slug}


def say_series_rules(settings: SeriesSettings, *, has_final: bool) -> list[str]:
    """Return the rules in sentences, in the order in which they apply."""
    told = [say_brings(settings)]
    if settings.presence:
        more = ngettext(
            "Everybody who plays gets %(points)s point more.",
            "Everybody who plays gets %(points)s points more.",
            1 if settings.presence == 1 else 2,
        )
        told.append(more % {"points": say_series_points(settings.presence)})
    if settings.brings not in UNSCALED:
        told.append(gettext("Players who share a rank share the points of their places."))
        if settings.ranks == GENERAL:
            told.append(gettext("The rank is that of the classement général."))
        else:
            told.append(gettext("The rank is that of the classement alterné, over several sessions of the général."))
    told.append(
        gettext("The total is the mean of the results.")
        if settings.counting == "mean"
        else gettext("Results are added up.")
    )
    if settings.best_of:
        counted = ngettext("Only the best %(n)s result counts.", "Only the best %(n)s results count.", settings.best_of)
        told.append(counted % {"n": settings.best_of})
    if settings.least > 1:
        told.append(gettext("Players are ranked from %(n)s events on.") % {"n": settings.least})
    if settings.best_of_day:
        told.append(gettext("Of several events on one day, only the best result counts."))
    if has_final:
        share = f"{settings.carry_over}{percent_sign()}"
        told.append(
            gettext("Finalists come first, with %(share)s of what they had before the final.") % {"share": share}
        )
    return told


def say_no_form() -> str:
    """Return a sentence about evenings with étuis for three or five players at each table."""
    return gettext(
        "Étuis at three or at five count like the others, with the rank of their only ranking. The federation has no "
        "such form: leave these evenings out of a championship that it homologates, or that counts for its classes."
    )


def say_misfits(settings: SeriesSettings, events: Iterable[ChosenEvent]) -> str:
    """Return a sentence that says why some of the events do not count, or "" if all can."""
    if all(event.fits for event in events):
        return ""
    if settings.brings == MARKS:
        return gettext("Evenings with étuis have percentages. Marks count here, so these evenings are left out.")
    return gettext("Evenings of donnes libres have marks. Percentages count here, so these evenings are left out.")


def say_series_points(points: Fraction) -> str:
    """Return points as text, with two decimals unless they are whole."""
    return decimal(points, 0 if points.denominator == 1 else 2)


def say_brings(settings: SeriesSettings) -> str:
    """Return a sentence that tells how many points, or which percentage, an event brings."""
    if settings.brings == "table":
        points = " · ".join(map(say_series_points, settings.table))
        return gettext("Ranks give points, from the first on: %(points)s. Other ranks give 0.") % {"points": points}
    return {
        PERCENT: gettext("Each event brings its percentage."),
        MARKS: gettext("Each event brings its marks. Only donnes libres count."),
        "places": gettext("Among 20 ranked players the first gets 20 points, the next 19, and the last 1."),
        "hundred": gettext("The first gets 100 points and the last 0, with equal steps in between."),
    }[settings.brings]

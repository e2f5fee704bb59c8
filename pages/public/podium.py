"""The pictures of a published ranking's podium, for previews of shared links.

All readers get the same picture, in the language of the club. It is cached like the pages of the publication and
becomes stale at the same time.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from operator import attrgetter
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.house import find_club_language
from clubs.models import Club
from outgoing.paper.ranking import DrawnStep, Heading, draw_podium
from pages.public.field.published import FIELD, PublishedField
from pages.public.published import KEPT_AS, SESSION, PublishedVersion, with_ranking
from pages.public.series.published import SERIES, PublishedSeries
from pages.public.tournament import TOURNAMENT, PublishedEvent
from rankings.events.news import read_tournament_podiums
from rankings.events.report import show_rounds
from rankings.publication.order import PodiumStep, choose_podium, read_podiums
from rankings.series.report import SeriesReport, read_report_of_series
from scoring.formats import Unit
from tournaments.models.published import Version
from tournaments.reports.tournament import decode_tournament
from tournaments.versions.stamps import VersionStamp
from tournaments.words.figures import decimal, percent
from tournaments.words.messages import label
from wording.figures import round_half

View = Callable[..., HttpResponse]


def for_everybody(view: View) -> View:
    """Decorate a view so that it ignores the user, cookies and language of the request, and has one cached response."""

    @wraps(view)
    def ask(request: HttpRequest, *given: Any, **more: Any) -> HttpResponse:
        request.user, request.COOKIES = AnonymousUser(), {}
        with translation.override(settings.LANGUAGE_CODE):
            response = view(request, *given, **more)
        request.META.pop(KEPT_AS, None)  # otherwise `shortcut` would remember this page for the reader's language only
        return response

    return ask


@for_everybody
@with_ranking(SESSION, "ranking")
def podium(_: HttpRequest, shown: PublishedVersion) -> HttpResponse:
    session, language = shown.session, find_club_language(shown.session.tournament.club)
    with translation.override(language):
        occasion = say_session(session.number, shown.context["date"])
        heading = head(session.tournament.name, session.tournament.club, occasion, shown.publication, shown.stamp)
        if session.tournament.deals_freely:
            heading = heading._replace(nobody=say_nobody_dealt())
        steps = read_podiums([shown.publication])[shown.publication.pk]
        return picture(draw_podium(heading, write(steps, percent), language=language))


@for_everybody
@with_ranking(TOURNAMENT)
def tournament_podium(_: HttpRequest, shown: PublishedEvent) -> HttpResponse:
    publication, tournament = shown.publication, shown.tournament
    data = decode_tournament(publication.data)
    language = find_club_language(tournament.club)
    with translation.override(language):
        rounds = show_rounds(data)
        occasion = say_tournament(len(rounds), rounds[-1].first.day)
        heading = head(tournament.name, tournament.club, occasion, publication, shown.stamp)
        if tournament.deals_freely:
            heading = heading._replace(nobody=say_nobody_dealt())
        steps = read_tournament_podiums([publication.pk])[publication.pk]
        in_points = data.counting == "sum" and data.format.unit is Unit.PER_CENT
        written = write(steps, decimal if in_points else percent)
        return picture(draw_podium(heading, written, language=language))


@for_everybody
@with_ranking(FIELD)
def field_podium(_: HttpRequest, shown: PublishedField) -> HttpResponse:
    simultaneous, language = shown.simultaneous, find_club_language(shown.simultaneous.club)
    with translation.override(language):
        occasion = say_field(timezone.localtime(simultaneous.opens_at))
        heading = head(simultaneous.title, simultaneous.club, occasion, shown.publication, shown.stamp)
        report = shown.context["report"]
        firsts, rank = report.show(report.find_podium()), attrgetter(report.reference.rank)
        steps = [PodiumStep(rank(player) or 0, player.name, 0, player.overall) for player in firsts]
        return picture(draw_podium(heading, write(steps, percent), language=language))


@for_everybody
@with_ranking(SERIES)
def series_podium(_request: HttpRequest, shown: PublishedSeries) -> HttpResponse:
    series, seen = shown
    language = find_club_language(series.club)
    report = None if seen.data is None else read_report_of_series(seen.data)
    if report is None or not report.events or series.club.is_practice:
        raise Http404
    with translation.override(language):
        official = seen.is_official
        state = capfirst(label("standing", "official" if official else "provisional"))
        nobody = _("The whole ranking, with every event")
        heading = Heading(series.club.name, series.title, say_series(report), state, official, nobody)
        firsts = choose_podium(report.players, attrgetter("rank"))
        steps = [PodiumStep(player.rank or 0, player.name, 0, player.total) for player in firsts]
        return picture(draw_podium(heading, write(steps, decimal if report.in_points else percent), language=language))


def picture(drawn: bytes) -> HttpResponse:
    return HttpResponse(drawn, content_type="image/png")


def head(tournament: str, club: Club, occasion: str, version: Version, stamp: VersionStamp) -> Heading:
    official = version.status == Version.PublicationStatus.OFFICIAL
    state = label("standing", version.status)
    if stamp.version != stamp.newest and not (stamp.same and official):
        official, state = False, _("version %(version)s, replaced since") % {"version": stamp.version}
    nobody = _("The whole ranking, with every étui")
    return Heading(club.name, tournament, occasion, capfirst(state), official, nobody)


def say_nobody_dealt() -> str:
    """Return the text of a podium without players where the tables deal: there are no étuis."""
    return _("The whole ranking, with every deal")


def say_session(number: int, date: Any) -> str:
    told = {"number": number, "date": date_format(date, "DATE_FORMAT")}
    return _("Ranking of session %(number)s · %(date)s") % told


def say_field(opens_at: Any) -> str:
    return _("Ranking over all clubs · %(date)s") % {"date": date_format(opens_at, "DATE_FORMAT")}


def say_series(report: SeriesReport) -> str:
    count = len(report.events)
    text = ngettext("Ranking after %(n)s event, %(date)s", "Ranking after %(n)s events, %(date)s", count)
    return text % {"n": count, "date": date_format(report.events[-1].day)}


def say_tournament(sessions: int, last: Any) -> str:
    told = {"n": sessions, "date": date_format(last, "DATE_FORMAT")}
    return (
        ngettext(
            "Tournament ranking after %(n)s session · %(date)s",
            "Tournament ranking after %(n)s sessions · %(date)s",
            sessions,
        )
        % told
    )


def write(steps: Sequence[PodiumStep], say: Callable[[Any, int], str]) -> list[DrawnStep]:
    """Return the podium's figures as text with one decimal, or with two if different figures would look equal."""
    figures = {step.overall for step in steps if step.overall is not None}
    places = 1 if len({round_half(figure, 1) for figure in figures}) == len(figures) else 2
    return [DrawnStep(str(step.rank), step.name, say(step.overall, places)) for step in steps]

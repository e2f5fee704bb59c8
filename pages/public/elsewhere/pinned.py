"""The PDFs of published rankings, to pin up, and of the feuilles de route.

Each shows what the page at the same address shows, to the same readers. The PDF is cached with the page and becomes
stale with it. So a new PDF never shows a name that was hidden in the meantime, or a withdrawn version.
"""

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from clubs.models import Club, ClubLogo
from outgoing.paper.feuilles import public_feuilles
from outgoing.paper.pdf import Code
from outgoing.paper.ranking import PinnedHeading, PinnedTable, set_ranking
from outgoing.paper.teams.feuilles import public_member_feuilles
from pages.pinned_rows import pin
from pages.public.field.published import FIELD, PublishedField, is_club_of_field
from pages.public.field.ranking import VIEWS as FIELD_VIEWS
from pages.public.field.ranking import FieldQuery, lay_out_field
from pages.public.published import SESSION, PublishedVersion, with_ranking
from pages.public.tournament import TOURNAMENT, PublishedEvent
from pages.ranking_pages import (
    ALL,
    ALTERNE,
    CATEGORY,
    GENERAL,
    LINE,
    OVER_SESSIONS,
    SECTIONS,
    TEAMS,
    VIEWS,
    RankingQuery,
    RankingTable,
    ranking_page,
    tournament_ranking,
)
from rankings.events.report import read_tournament_report
from rankings.rows import LINES_IN_ORDER, RankedRow
from tournaments.addresses import link_to
from tournaments.models.published import Version
from tournaments.versions.stamps import VersionStamp
from tournaments.words.messages import label

MEMBER = "member"
MOST_PINNED = 600  # players of a national field on a PDF to pin up: ten sheets


@with_ranking(SESSION, "ranking", by=VIEWS)
def ranking_pdf(request: HttpRequest, shown: PublishedVersion) -> HttpResponse:
    """Return the ranking of a session as PDF. The query parameter `by` chooses the kind of ranking, as on the page."""
    place, session = shown.session.tournament, shown.session
    page = ranking_page(shown.report, RankingQuery(by=request.GET.get("by", ""), part=ALL), alone=shown.stamp.alone)
    told = {"number": session.number, "date": date_format(shown.context["date"])}
    title = _("Ranking of session %(number)s, %(date)s") % told
    title = f"{title} · {name_view(page['by'])}"
    names = {"club": place.club.slug, "tournament": place.slug, "number": session.number}
    address = link_to(request, reverse("ranking", kwargs=names))
    heading = head(place.club, place.name, title, (shown.publication, shown.stamp), address)
    return answer_sheet(heading, pin(page, points=False), f"{place.slug}-{session.number}-v{shown.publication.version}")


@with_ranking(TOURNAMENT, by=OVER_SESSIONS)
def tournament_pdf(request: HttpRequest, shown: PublishedEvent) -> HttpResponse:
    """Return the ranking of a tournament over all its sessions as PDF."""
    place, publication = shown.tournament, shown.publication
    report = read_tournament_report(publication.data, publication.sessions)
    page = tournament_ranking(report, RankingQuery(by=request.GET.get("by", ""), part=ALL))
    rounds = len(report.rounds)
    text = ngettext(
        "Tournament ranking after %(n)s session, %(date)s",
        "Tournament ranking after %(n)s sessions, %(date)s",
        rounds,
    )
    title = text % {"n": rounds, "date": date_format(report.rounds[-1].first.day)}
    address = link_to(request, reverse("tournament_ranking", args=[place.club.slug, place.slug]))
    heading = head(place.club, place.name, title, (publication, shown.stamp), address)
    return answer_sheet(heading, pin(page, points=page["is_points"]), f"{place.slug}-v{publication.version}")


@with_ranking(SESSION, "feuilles", by={MEMBER})
def feuilles_pdf(request: HttpRequest, shown: PublishedVersion) -> HttpResponse:
    """Return every feuille de route as PDF, as on the players' pages: without ranks if the ranking is not shown.

    If teams play, these are the teams' feuilles, or with `by=member` those of their members.
    """
    session, language = shown.session, (get_language() or "fr")[:2]
    by_member = shown.report.is_of_teams and request.GET.get("by") == MEMBER
    make = public_member_feuilles if by_member else public_feuilles
    document = make(session, shown.report, language=language, ranked=shown.shows.ranking)
    of = "players" if by_member else "feuilles"
    name = f"{session.tournament.slug}-{session.number}-v{shown.publication.version}-{of}"
    headers = {"Content-Disposition": f'inline; filename="{name}.pdf"'}
    return HttpResponse(document, content_type="application/pdf", headers=headers)


@with_ranking(FIELD, by=FIELD_VIEWS, club=is_club_of_field)
def field_pdf(request: HttpRequest, shown: PublishedField) -> HttpResponse:
    """Return the first players of a simultaneous as PDF, or those of one club. `by` chooses the kind of ranking."""
    simultaneous, report = shown.simultaneous, shown.context["report"]
    given = {name: request.GET.get(name, "") for name in ("by", "club")}
    page = lay_out_field(report, FieldQuery(**given, part=ALL), most=MOST_PINNED)
    day = date_format(timezone.localtime(simultaneous.opens_at))
    title = _("Ranking over all clubs, %(date)s") % {"date": day}
    title = f"{title} · {label('line', page['by']) if page['by'] in LINES_IN_ORDER else name_view(page['by'])}"
    rows = page["rows"]
    if page["asked_club"] and rows:
        title = f"{title} · {rows[0].player.club}"
    name: Callable[[RankedRow], str] = attrgetter("name") if page["asked_club"] else name_with_club
    rows = [replace(row, player=replace(row.player, name=name(row.player), line="")) for row in rows]
    address = link_to(request, reverse("field", args=[simultaneous.club.slug, simultaneous.slug]))
    heading = head(simultaneous.club, simultaneous.title, title, (shown.publication, shown.stamp), address)
    if page["count"] > len(rows):
        most = _("The first %(n)s of %(count)s players.") % {"n": len(rows), "count": page["count"]}
        heading = heading._replace(notes=[most, *heading.notes])
    tables = pin({"tables": [RankingTable(rows)]}, points=False)
    return answer_sheet(heading, tables, f"{simultaneous.slug}-v{shown.publication.version}")


def name_with_club(player: RankedRow) -> str:
    return _("%(player)s, %(club)s") % {"player": player.name, "club": player.club}


def name_view(by: str) -> str:
    """Return the name of a kind of ranking, as on the tabs of the page. `by` is its code in addresses."""
    names = {
        ALTERNE: _("Alterné"),
        GENERAL: _("Général"),
        LINE: _("By line"),
        SECTIONS: _("All sections"),
        CATEGORY: _("By category"),
        TEAMS: pgettext("a ranking", "Teams"),
    }
    return names[by]


def head(
    club: Club, tournament: str, title: str, published: tuple[Version, VersionStamp], address: str
) -> PinnedHeading:
    version, stamp = published
    official = version.status == Version.PublicationStatus.OFFICIAL
    state = capfirst(label("standing", version.status))
    if stamp.version != stamp.newest and not (stamp.same and official):
        official, state = False, _("Version %(version)s, replaced since") % {"version": stamp.version}
    told = {
        "version": version.version,
        "moment": date_format(timezone.localtime(version.published_at), "DATETIME_FORMAT"),
    }
    notes = [_("Version %(version)s, published on %(moment)s.") % told, address.partition("://")[2]]
    logo = ClubLogo.objects.filter(club=club).values_list("data", flat=True).first()
    return PinnedHeading(club.name, tournament, title, state, official, notes, Code(address), bytes(logo or b""))


def answer_sheet(heading: PinnedHeading, tables: list[PinnedTable], name: str) -> HttpResponse:
    document = set_ranking(heading, tables, language=(get_language() or "fr")[:2])
    headers = {"Content-Disposition": f'inline; filename="{name}.pdf"'}
    return HttpResponse(document, content_type="application/pdf", headers=headers)

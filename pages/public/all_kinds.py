"""The views that are the same for rankings of every kind: page, frame, picture, PDF, file, and the list of versions.

`list_paths` gives the views of a kind their addresses. All of them are cached like the page of the ranking, and become
stale at the same time. So none shows a name that was hidden in the meantime, or a withdrawn version.

The frame is what other web sites show: without cookies, forms or scripts. Each club lists the sites that may show its
rankings (`ClubSettings.embedders`). Every response has this list in a header, even a 304, so that a change of the list
applies at once. The picture of the podium is for previews of shared links. All readers get the same frame and the same
picture, in the club's language.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from operator import attrgetter
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubs.house import find_club_language
from clubs.models import ClubLogo, ClubSettings
from outgoing.paper.pdf import Code
from outgoing.paper.ranking import Heading, PinnedHeading, PinnedRow, draw_podium, set_ranking
from outgoing.sheets.files import CSV, KINDS, SheetFile, write_file
from outgoing.sheets.ranking_tables import TEAMS, make_ranking_table, make_team_sums
from pages.parts.ranking_rows import RankingRow
from pages.pinned_rows import pin
from pages.public.published import ANY, KEPT_AS, Entrance, with_ranking
from pages.public.shown import ShownRanking
from pages.ranking_pages import ALL, PAGE_SORTS, PARTS, RankingQuery
from rankings.columns import EMBED, list_columns
from rankings.publication.differences import list_versions
from rankings.ranking import RankedRow, Ranking
from scoring.formats import Unit
from tournaments.addresses import link_to
from tournaments.words.figures import decimal, percent
from wording.figures import round_half

View = Callable[..., HttpResponse]
POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {}"
SHOWN = (200, 304)
MOST_PINNED = 600  # players of a national field on a PDF to pin up: ten sheets


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


def embeddable(view: View) -> View:
    """Decorate a view so that only the sites on the club's list may show its page in a frame, and no error page."""

    @wraps(view)
    def show(request: HttpRequest, club: str, **more: Any) -> HttpResponse:
        response = view(request, club=club, **more)
        if response.status_code in SHOWN:
            named = ClubSettings.objects.filter(club__slug=club).values_list("embedders", flat=True).first()
            response["Content-Security-Policy"] = POLICY.format(" ".join(named or ["'none'"]))
            # The older header (X-Frame-Options) cannot list sites. With it, some browsers would refuse all sites.
            response.xframe_options_exempt = True
        return response

    return show


def list_paths(
    way: Entrance, base: str, version: str, *, frame: str, papers: Entrance | None = None
) -> list[URLPattern]:
    """Return the addresses of a kind of ranking that every kind has.

    `base` is that of the newest version, and `version` that of one with a number. `frame` is the name of the address
    of the frame. `papers` is the entrance to the PDF, if it is another one.
    """
    names = way.kind.addresses
    page = with_ranking(way, way.part, **way.parameters, sort=PAGE_SORTS, part=PARTS, q=ANY)(show_page)
    embedded = with_ranking(way, way.part, part=PARTS, **way.choose("by", "club"))(show_embedded)
    pinned = with_ranking(papers or way, way.part, **way.choose("by", "club"))(show_pinned)
    sheets = version if names.numbered else base
    return [
        path(base, page, name=names.page),
        path(version, page, name=names.version),
        path(f"{base}embed/", embeddable(for_everybody(embedded)), name=frame),
        path(f"{base}versions/", with_ranking(way)(show_versions), name=names.versions),
        path(f"{sheets}ranking.pdf", pinned, name=names.paper),
        path(f"{sheets}podium.png", for_everybody(with_ranking(way, way.part)(show_picture)), name=names.picture),
    ]


def show_page(request: HttpRequest, shown: ShownRanking) -> HttpResponse:
    """Show the page of a ranking, of its newest version or of one with a number."""
    page = shown.describe_page(request, RankingQuery.read(request.GET.dict()))
    return render(request, f"ranking/kinds/{shown.kind.name}.html", shown.context | page)


def show_embedded(request: HttpRequest, shown: ShownRanking) -> HttpResponse:
    """Show a ranking in a frame: all rows, or a part of a national ranking."""
    if shown.club.is_practice:
        raise Http404
    ranking = shown.ranking
    query = {name: request.GET.get(name, "") for name in ("by", "club", "part")}
    if not query["part"] and not ranking.clubs:
        query["part"] = ALL
    with translation.override(find_club_language(shown.club)):
        told = {"publication": shown.version, "shown": list_columns(ranking.shape, EMBED)}
        return render(request, "embedded/ranking.html", shown.context | told | shown.lay_out(RankingQuery(**query)))


def show_picture(_request: HttpRequest, shown: ShownRanking) -> HttpResponse:
    """Return the picture of the podium."""
    if shown.club.is_practice:
        raise Http404
    language = find_club_language(shown.club)
    with translation.override(language):
        ranking = shown.ranking
        steps = write(shown.lay_out(RankingQuery())["podium"], decimal if ranking.shape.points else percent)
        official = shown.is_official and not shown.is_replaced
        nobody = say_nobody(ranking)
        heading = Heading(shown.club.name, shown.name, shown.say_title(" · "), shown.state, official, nobody)
        return HttpResponse(draw_podium(heading, steps, language=language), content_type="image/png")


def say_nobody(ranking: Ranking[Any]) -> str:
    """Return the text of a podium without players: what readers find on the page."""
    if ranking.shape.events:
        return _("The whole ranking, with every event")
    if ranking.shape.unit is Unit.MARKS:  # the tables deal: there are no étuis
        return _("The whole ranking, with every deal")
    return _("The whole ranking, with every étui")


def write(steps: Sequence[RankingRow], say: Callable[[Any, int], str]) -> list[PinnedRow]:
    """Return the podium's figures as text with one decimal, or with two if different figures would look equal."""
    figures = {step.figure for step in steps if step.figure is not None}
    places = 1 if len({round_half(figure, 1) for figure in figures}) == len(figures) else 2
    return [PinnedRow(str(step.rank), step.player.name, say(step.figure, places)) for step in steps]


def show_pinned(request: HttpRequest, shown: ShownRanking) -> HttpResponse:
    """Return the ranking as PDF: of thousands of players the first ones, or those of one club.

    `by` chooses the view of it, as on the page.
    """
    ranking = shown.ranking
    given = {name: request.GET.get(name, "") for name in ("by", "club")}
    page = shown.lay_out(RankingQuery(**given, part=ALL), most=MOST_PINNED if ranking.clubs else None)
    title = shown.say_title(", ")
    if not ranking.shape.over_steps:
        view = next(tab.label for tab in page["tabs"] if tab.key == page["by"])
        title = f"{title} · {view}"
    notes: list[str] = []
    if ranking.clubs:
        title, notes = name_clubs(page, title)
    address = link_to(request, shown.place.page)
    logo = ClubLogo.objects.filter(club=shown.club).values_list("data", flat=True).first()
    heading = PinnedHeading(
        shown.club.name,
        shown.name,
        title,
        shown.state,
        shown.is_official and not shown.is_replaced,
        [*notes, *filter(None, [shown.say_version()]), address.partition("://")[2]],
        Code(address),
        bytes(logo or b""),
    )
    document = set_ranking(heading, pin(page), language=(get_language() or "fr")[:2])
    number = [f"v{shown.version.version}"] if shown.version.version else []
    name = "-".join([*shown.file_name, *number])
    headers = {"Content-Disposition": f'inline; filename="{name}.pdf"'}
    return HttpResponse(document, content_type="application/pdf", headers=headers)


def name_clubs(page: dict[str, Any], title: str) -> tuple[str, list[str]]:
    """Put the clubs after the players' names, or the one club into the title. Return the title, and what is left out.

    The lines of players from all over the country are not printed.
    """
    (table,) = page["tables"]
    name: Callable[[RankedRow], str] = attrgetter("name") if page["asked_club"] else name_with_club
    if page["asked_club"] and table.rows:
        title = f"{title} · {table.rows[0].player.club}"
    rows = [replace(row, player=replace(row.player, name=name(row.player), line="")) for row in table.rows]
    page["tables"] = [replace(table, rows=rows)]
    told = {"n": len(rows), "count": page["count"]}
    return title, [_("The first %(n)s of %(count)s players.") % told] if page["count"] > len(rows) else []


def name_with_club(player: RankedRow) -> str:
    return _("%(player)s, %(club)s") % {"player": player.name, "club": player.club}


def make_file_view(way: Entrance, *, kind: str = CSV, numbered: bool = False) -> View:
    """Return the view with the ranking of one kind as a file, or with `table=teams` that of its teams.

    `kind` is the kind of file if the reader asks for none. With `numbered`, its name has the number of the version.
    """

    def give(request: HttpRequest, shown: ShownRanking) -> HttpResponse:
        ranking, query = shown.ranking, request.GET
        name = [*shown.file_name, *([f"v{shown.version.version}"] if numbered else [])]
        tables = [make_team_sums(ranking)] if ranking.team_sums else []
        if query.get("table") == TEAMS:
            if not tables:
                raise Http404
            name.append(TEAMS)
        else:
            tables.insert(0, make_ranking_table(ranking, shown.file_title))
        return give_file(write_file(tables, query.get("kind", kind), *name))

    return with_ranking(way, table={TEAMS}, kind=set(KINDS))(give)


def give_file(file: SheetFile) -> HttpResponse:
    """Answer with a file that the cache of published pages may keep."""
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return HttpResponse(file.content, content_type=file.content_type, headers=headers)


def show_versions(request: HttpRequest, shown: ShownRanking) -> HttpResponse:
    """Show every version of the ranking with its changes, the newest first."""
    reasons = {
        "": "",
        "held": _("It counts a session whose ranking is not shown, so nothing of it is shown until that ranking is."),
        "held_before": _("The changes are not shown: the version before counts a session whose ranking is not shown."),
        "hidden": _("What changed is not shown."),
    }
    listed = list_versions(shown.owner, shown.shows, shown.kind.find_held(shown.owner, shown.stamp))
    rows = [each._replace(untold=reasons[each.untold]) for each in listed]
    # Of a ranking with versions no figures are read: the newest version tells its page.
    place = shown.kind.place(rows[0].version) if rows else shown.place
    told = {"versions": rows, "title": shown.title, "page": place.page, "club": shown.club, "stamp": shown.stamp}
    return render(request, "public/versions.html", shown.owned | told)

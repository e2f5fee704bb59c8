"""The pages beside the ranking of a session's publication, which everybody may read: feuilles, étuis, files.

`published.with_ranking` decides who may read a publication. Its figures are read only through a `Report`.
"""

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language

from evenings.records import find_shown_records
from evenings.spreads import find_bot_taker
from outgoing.paper.feuilles import public_feuilles
from outgoing.paper.teams.feuilles import public_member_feuilles
from outgoing.sheets.files import CSV, KINDS, XLSX, SheetFile, write_file
from outgoing.sheets.ranking_tables import NEEDS
from outgoing.sheets.wanted import EVERYTHING, LARGE, choose_tables, count_rows, make_shown_table
from pages.parts.bots import show_spread
from pages.parts.etui import PARTS as PLAY_PARTS
from pages.parts.etui import asked_of_etui, etui_page, find_trial_link
from pages.parts.member_feuille import is_member_number, list_member_rows, member_page
from pages.public.all_kinds import give_file
from pages.public.published import SESSION, PublishedVersion, names_row, with_ranking
from pages.public.sitemap import let_list
from pages.report_pages import etuis_page, feuille_page
from rankings.publication.standings_file import results_csv
from rankings.simultaneous.field.feuilles import find_place_in_field
from tournaments.models import Entrant, PlayRecord
from tournaments.permissions import require_found
from tournaments.published import Stamp

MEMBER = "member"


@with_ranking(SESSION, "file")
def results(_: HttpRequest, shown: PublishedVersion) -> HttpResponse:
    """Return a CSV file with every play, in the columns that `manage.py standings` reads.

    With this file, anybody can compute the ranking again.
    """
    name = f"{shown.session.tournament.slug}-{shown.session.number}-v{shown.version.version}.csv"
    return give_file(SheetFile(results_csv(shown.report).encode(), KINDS[CSV], name))


@with_ranking(SESSION, "feuilles", member=is_member_number)
def feuille(request: HttpRequest, shown: PublishedVersion, entrant: int) -> HttpResponse:
    """Show the feuille of a player or a team. `member` asks for that of a member of the team, by number from 1."""
    player = require_found(shown.report.player(entrant))
    if is_member_number(request.GET.get("member", "")):
        mine = require_found(member_page(shown.report, player, int(request.GET["member"]), ranked=shown.shows.ranking))
        return render(request, "public/teams/member.html", {**shown.context, **mine})
    page = feuille_page(shown.report, player) | {"member_rows": list_member_rows(shown.report, player)}
    if not shown.shows.ranking:
        page |= {"ranks": False, "before": None, "after": None}
    if shown.over_all_clubs is not None:
        page["in_field"] = find_place_in_field(shown.over_all_clubs, entrant)
    return render(request, "public/feuille.html", {**shown.context, **page})


@with_ranking(SESSION, "etui_pages")
def published_etuis(request: HttpRequest, shown: PublishedVersion) -> HttpResponse:
    return render(request, "public/etuis/etuis.html", {**shown.context, **etuis_page(shown.open_report)})


def find_shown_record(number: int, stamp: Stamp) -> QuerySet[PlayRecord]:
    """Return the record of the session's play with this id, if the cards are shown."""
    records = PlayRecord.objects.filter(play=number, play__session=stamp.owner, current=True)
    return records if stamp.shows.cards else records.none()


is_entrant = names_row(lambda number, stamp: Entrant.objects.filter(pk=number, session=stamp.owner))
is_recorded = names_row(find_shown_record)


@with_ranking(SESSION, "etui_pages", of=is_entrant, part=PLAY_PARTS, replay=is_recorded, beside=is_recorded)
def published_etui(request: HttpRequest, shown: PublishedVersion, etui: int) -> HttpResponse:
    found = require_found(shown.open_report.etui(etui))
    asked = asked_of_etui(request.GET)
    if not shown.shows.feuilles:
        asked["of"] = None  # in this case no page may show the evening of one player
    kept = find_shown_records(found, shown.session.tournament) if shown.shows.cards else {}
    records = {play: each.record for play, each in kept.items()}
    page = etui_page(shown.open_report, found, records=records, **asked)
    if page["hands"]:
        taker = find_bot_taker(shown.session.tournament.format, found.taker)
        page["bots"] = show_spread(found.cards, found.dealer, taker)
        page["trial"] = "" if shown.stamp.practice else find_trial_link(shown.session, found, seen=shown.shows)
    response = render(request, "public/etuis/etui.html", {**shown.context, **page})
    # A page about one player's evening is personal. The page with a chosen replay has the same content as the one
    # without.
    return let_list(response, indexed=page["evening"] is None and not asked["replay"])


@with_ranking(SESSION, "feuilles", by={MEMBER})
def feuilles_pdf(request: HttpRequest, shown: PublishedVersion) -> HttpResponse:
    """Return every feuille de route as PDF, as on the players' pages: without ranks if the ranking is not shown.

    If teams play, these are the teams' feuilles, or with `by=member` those of their members.
    """
    session, language = shown.session, (get_language() or "fr")[:2]
    by_member = shown.ranking.shape.teams and request.GET.get("by") == MEMBER
    make = public_member_feuilles if by_member else public_feuilles
    document = make(session, shown.report, language=language, ranked=shown.shows.ranking)
    of = "players" if by_member else "feuilles"
    name = f"{session.tournament.slug}-{session.number}-v{shown.version.version}-{of}"
    headers = {"Content-Disposition": f'inline; filename="{name}.pdf"'}
    return HttpResponse(document, content_type="application/pdf", headers=headers)


@with_ranking(SESSION, table=NEEDS, kind=KINDS)
def published_file(request: HttpRequest, shown: PublishedVersion) -> HttpResponse:
    """Return the tables of a session's publication that readers may see, or the one asked for.

    If they have very many rows, return the page that asks a job for the file.
    """
    # Everything in one workbook by default.
    table, kind = request.GET.get("table", EVERYTHING), request.GET.get("kind", XLSX)
    data = shown.version.data
    codes = choose_tables(shown.shows, table, data)
    if not codes or (kind, table) == (CSV, EVERYTHING):
        raise Http404
    count = count_rows(data, codes)
    if count >= LARGE:
        about = {"table": table, "kind": kind, "count": count}
        return render(request, "public/files/large.html", shown.context | about)
    tables = [make_shown_table(data, shown.stamp, code) for code in codes]
    place = shown.session.tournament.slug, shown.session.number, f"v{shown.version.version}"
    return give_file(write_file(tables, kind, *place, "" if table == EVERYTHING else table))

"""The pages of publications, which everybody may read.

`published.with_ranking` decides who may read a publication. Its figures are read only through a `Report`.
"""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from evenings.records import find_shown_records
from evenings.spreads import find_bot_taker
from pages.doors import session_url
from pages.parts.bots import show_spread
from pages.parts.etui import PARTS as PLAY_PARTS
from pages.parts.etui import asked_of_etui, etui_page, find_trial_link
from pages.parts.member_feuille import is_member_number, list_member_rows, member_page
from pages.parts.version_rows import show_versions
from pages.public.published import (
    ANY,
    SESSION,
    PublishedVersion,
    is_entrant,
    is_reader,
    is_recorded,
    with_ranking,
)
from pages.public.sitemap import let_list
from pages.ranking_pages import PAGE_SORTS, PARTS, VIEWS, RankingQuery, ranking_page
from pages.report_pages import etuis_page, feuille_page
from rankings.publication.differences import list_changes
from rankings.publication.report import read_former
from rankings.publication.standings_file import results_csv
from rankings.simultaneous.field.feuilles import find_place_in_field


@with_ranking(SESSION, "ranking", by=VIEWS, sort=PAGE_SORTS, part=PARTS, q=ANY, me=is_reader)
def ranking_page_of(request: HttpRequest, shown: PublishedVersion) -> HttpResponse:
    former, asked = read_former(shown.stamp.former), RankingQuery.read(request.GET.dict())
    table = ranking_page(shown.report, asked, former, alone=shown.stamp.alone)
    changes = list_changes(shown.publication.changes, shown.shows, version=shown.publication)
    over_all = shown.over_all_clubs and shown.over_all_clubs.simultaneous
    told = {"changes": changes, "simultaneous": over_all}
    return render(request, "public/ranking.html", {**shown.context, **table, **told})


@with_ranking(SESSION)
def versions(request: HttpRequest, shown: PublishedVersion) -> HttpResponse:
    """Show every version of the ranking with its changes, the newest first."""
    address = partial(session_url, "ranking_version", shown.session)
    return show_versions(request, shown.session, shown.context, address, shows=shown.shows)


@with_ranking(SESSION, "file")
def results(_: HttpRequest, shown: PublishedVersion) -> HttpResponse:
    """Return a CSV file with every play, in the columns that `manage.py standings` reads.

    With this file, anybody can compute the ranking again.
    """
    name = f"{shown.session.tournament.slug}-{shown.session.number}-v{shown.publication.version}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(results_csv(shown.report), content_type="text/csv; charset=utf-8", headers=headers)


@with_ranking(SESSION, "feuilles", member=is_member_number)
def feuille(request: HttpRequest, shown: PublishedVersion, entrant: int) -> HttpResponse:
    """Show the feuille of a player or a team. `member` asks for that of a member of the team, by number from 1."""
    player = shown.report.player(entrant)
    if player is None:
        raise Http404
    if is_member_number(request.GET.get("member", "")):
        mine = member_page(shown.report, player, int(request.GET["member"]), ranked=shown.shows.ranking)
        if mine is None:
            raise Http404
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


@with_ranking(SESSION, "etui_pages", of=is_entrant, part=PLAY_PARTS, replay=is_recorded, beside=is_recorded)
def published_etui(request: HttpRequest, shown: PublishedVersion, etui: int) -> HttpResponse:
    found = shown.open_report.etui(etui)
    if found is None:
        raise Http404
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

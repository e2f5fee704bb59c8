"""The files of published tables. Each file has the same content as the pages that its reader may see."""

from collections.abc import Mapping
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from outgoing.sheets.files import CSV, KINDS, XLSX, SheetFile, write_file
from outgoing.sheets.ranking_tables import NEEDS, TEAMS, make_team_sums, make_tournament_ranking
from outgoing.sheets.wanted import EVERYTHING, LARGE, choose_tables, count_rows, make_shown_table
from pages.public.published import SESSION, PublishedVersion, with_ranking
from pages.public.tournament import TOURNAMENT, PublishedEvent
from rankings.events.report import read_tournament_report


class AskedFile(NamedTuple):
    """The table and the kind of file that a reader asks for: everything in one workbook by default."""

    table: str
    kind: str

    @classmethod
    def read(cls, given: Mapping[str, str]) -> "AskedFile":
        return cls(given.get("table", EVERYTHING), given.get("kind", XLSX))


@with_ranking(SESSION, table=NEEDS, kind=KINDS)
def published_file(request: HttpRequest, shown: PublishedVersion) -> HttpResponse:
    """Return the tables of a session's publication that readers may see, or the one asked for.

    If they have very many rows, return the page that asks a job for the file.
    """
    asked = AskedFile.read(request.GET.dict())
    data = shown.publication.data
    codes = choose_tables(shown.shows, asked.table, data)
    if not codes or (asked.kind == CSV and asked.table == EVERYTHING):
        raise Http404
    count = count_rows(data, codes)
    if count >= LARGE:
        return render(request, "public/files/large.html", {**shown.context, "asked": asked, "count": count})
    tables = [make_shown_table(data, shown.stamp, code) for code in codes]
    place = shown.session.tournament.slug, shown.session.number, f"v{shown.publication.version}"
    return give_file(write_file(tables, asked.kind, *place, "" if asked.table == EVERYTHING else asked.table))


@with_ranking(TOURNAMENT, table={TEAMS}, kind=KINDS)
def tournament_file(request: HttpRequest, shown: PublishedEvent) -> HttpResponse:
    """Return the ranking of a tournament over all its sessions, or with `table=teams` that of its teams."""
    publication = shown.publication
    report = read_tournament_report(publication.data, publication.sessions)
    asked = AskedFile.read(request.GET.dict())
    name = shown.tournament.slug, f"v{publication.version}"
    if asked.table == TEAMS:
        if not report.team_sums:
            raise Http404
        return give_file(write_file([make_team_sums(report)], asked.kind, *name, TEAMS))
    tables = [make_tournament_ranking(report), *([make_team_sums(report)] if report.team_sums else [])]
    return give_file(write_file(tables, asked.kind, *name))


def give_file(file: SheetFile) -> HttpResponse:
    """Answer with a file that the cache of published pages may keep."""
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return HttpResponse(file.content, content_type=file.content_type, headers=headers)

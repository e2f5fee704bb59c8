"""The public pages of a simultaneous' ranking: the ranking, its versions, an étui, a feuille, and the files."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from outgoing.sheets.files import CSV, KINDS, write_file
from outgoing.sheets.ranking_tables import make_field_ranking
from pages.parts.cards import hands_of
from pages.parts.version_rows import show_versions
from pages.public.field.published import FIELD, OPENED, PublishedField, is_club_of_field
from pages.public.field.ranking import FIELD_SORTS, VIEWS, FieldQuery, lay_out_field
from pages.public.published import ANY, with_ranking
from pages.ranking_pages import PARTS
from rankings.publication.differences import list_changes
from rankings.simultaneous.field.computing import count_states
from rankings.simultaneous.field.feuilles import read_field_feuille
from rankings.simultaneous.field.report import list_field_scores
from tournaments.permissions import require_found
from tournaments.published import Shows


@with_ranking(FIELD, by=VIEWS, club=is_club_of_field, sort=FIELD_SORTS, part=PARTS, q=ANY, me=ANY)
def field_ranking(request: HttpRequest, shown: PublishedField) -> HttpResponse:
    """Show a part of the ranking over all clubs."""
    given = {name: request.GET.get(name, "") for name in ("by", "club", "sort", "part", "me")}
    context = shown.context
    ranking = lay_out_field(context["report"], FieldQuery(**given, wanted=request.GET.get("q", "").strip()[:80]))
    states = count_states(shown.publication.data["clubs"])
    changes = list_changes(shown.publication.changes, Shows())
    told = {"states": states, "changes": changes, "etuis": shown.publication.data["etuis"]}
    return render(request, "simultaneous/field/ranking.html", context | ranking | told)


@with_ranking(FIELD)
def field_versions(request: HttpRequest, shown: PublishedField) -> HttpResponse:
    """Show every version of the ranking with its changes, the newest first."""
    place = [shown.simultaneous.club.slug, shown.simultaneous.slug]

    def address(version: int) -> str:
        return reverse("field_version", args=[*place, version])

    return show_versions(request, shown.simultaneous, shown.context | {"stamp": shown.stamp}, address)


@with_ranking(FIELD, OPENED)
def field_etui(request: HttpRequest, shown: PublishedField, etui: int) -> HttpResponse:
    """Show how often each score of an étui was made in all clubs. It is open from the public hour on."""
    context = shown.context
    report = context["report"]
    found = report.find_etui(etui)
    if found is None:
        raise Http404
    dealt = require_found(shown.simultaneous.deal_set.etuis.filter(number=etui).first())
    hands, chien = hands_of(dealt.cards)
    numbers = [each["number"] for each in report.data["etuis"]]
    place = numbers.index(etui)
    fields = list_field_scores(report, found)
    told: dict[str, Any] = {
        "fields": [(field, [{"frequency": each} for each in field.scores]) for field in fields],
        "etui": dealt,
        "annulled": found["annulled"],
        "hands": hands,
        "chien": chien,
        "weighted": report.weighted,
        "before": numbers[place - 1] if place else None,
        "after": numbers[place + 1] if place + 1 < len(numbers) else None,
    }
    return render(request, "simultaneous/field/etui.html", context | told)


@with_ranking(FIELD, OPENED)
def field_feuille(request: HttpRequest, shown: PublishedField, entrant: int) -> HttpResponse:
    """Show a player's étuis with the notes in the club and in the field. It is open from the public hour on."""
    context = shown.context
    report = context["report"]
    row = report.find_row(entrant)
    if row is None:
        raise Http404
    (player,) = report.show([row])
    told = {"player": player, "feuille": read_field_feuille(report, row), "weighted": report.weighted}
    return render(request, "simultaneous/field/feuille.html", context | told)


@with_ranking(FIELD, kind=set(KINDS))
def field_file(request: HttpRequest, shown: PublishedField) -> HttpResponse:
    """Return the ranking as a file for a spreadsheet."""
    kind = request.GET.get("kind", CSV)
    report = shown.context["report"]
    file = write_file([make_field_ranking(report, shown.simultaneous.title)], kind, shown.simultaneous.slug)
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return HttpResponse(file.content, content_type=file.content_type, headers=headers)

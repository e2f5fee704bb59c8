"""The leaderboards of the site and of a club: a page of a list, and the whole list as a file."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from clubs.models import Club, User
from outgoing.sheets.files import CSV, KINDS, CellKind, SheetCell, SheetColumn, SheetTable, write_file
from pages.everybody import answer_everybody, open_club, read_page_number, with_bounded_builds
from pages.public.all_kinds import give_file
from rankings.leaderboards.boards import ALL, PERCENTAGES, find_least
from rankings.leaderboards.reading import (
    BoardState,
    find_board,
    find_own_row,
    find_page_of,
    read_all_rows,
    read_board_page,
    read_season_names,
    say_measure,
    say_period,
)
from tournaments.models import BoardMeasure, LeaderboardRow
from tournaments.page_cache import count_build


def make_board_table(state: BoardState) -> SheetTable:
    """Return the whole leaderboard as a table, with the columns of its page. It takes two database queries."""
    measure = state.choice.measure
    exact = measure == BoardMeasure.RATING or measure in PERCENTAGES
    rated = [SheetColumn("within", "±", CellKind.FIGURE)] if measure == BoardMeasure.RATING else []
    columns = [
        SheetColumn("position", pgettext("on a leaderboard", "Position"), CellKind.WHOLE),
        SheetColumn("player", _("Player")),
        SheetColumn(measure.value, say_measure(measure), CellKind.FIGURE if exact else CellKind.WHOLE),
        *rated,
        SheetColumn("sessions", _("Sessions"), CellKind.WHOLE),
        SheetColumn("deals", _("Deals"), CellKind.WHOLE),
        SheetColumn("country", _("Country")),
        SheetColumn("club", _("Club")),
    ]
    rows: list[list[SheetCell]] = []
    for row, player in read_all_rows(state):
        within = [Fraction(row.within or 0)] if rated else []
        shown = Fraction(row.figure) if exact else int(row.figure)
        told: list[SheetCell] = [row.position, player.name, shown, *within, row.sessions, row.deals]
        rows.append([*told, player.country, player.club.name])
    return SheetTable("leaderboard", _("Leaderboard"), columns, rows)


KEPT_PAGES = 20  # later pages of a list are built for each reader, so that they do not fill the cache


@require_safe
@with_bounded_builds
def leaderboards(request: HttpRequest, club: str = "") -> HttpResponse:
    """Show a page of a list of a club or of the site. A reader who is logged in sees their own place, too."""
    owner = open_club(request, club) if club else None
    state = read_board(request, owner)
    number = min(read_page_number(request), state.pages)
    names = read_season_names(owner, state.periods) if owner else {}

    def build(request: HttpRequest) -> HttpResponse:
        own = find_own_row(state, request.user) if isinstance(request.user, User) else None
        return render(request, "public/boards/board.html", make_context(owner, state, number, own, names))

    asked = describe_choice(state) | ({"page": str(number)} if number > 1 else {})
    if number > KEPT_PAGES:
        count_build(request)
    told = (state.stamp, number, owner and owner.name, sorted(names.items()))
    return answer_everybody(request, told, build, asked, kept=number <= KEPT_PAGES)


def read_board(request: HttpRequest, club: Club | None) -> BoardState:
    """Return the list of the club or of the site that the parameters of the address name."""
    return find_board(club, *(request.GET.get(name, "") for name in ("game", "by", "period")))


def describe_choice(state: BoardState) -> dict[str, str]:
    """Return the query parameters of a list."""
    choice = state.choice
    return {"game": str(choice.kind), "by": choice.measure.value, "period": choice.period}


def make_context(
    club: Club | None, state: BoardState, number: int, own: LeaderboardRow | None, names: Mapping[str, str]
) -> dict[str, Any]:
    """Return the values for the template of a page. `names` has the names of a club's own seasons.

    The periods of the form are all sessions, the seasons, then the months, the newest first.
    """
    choice = state.choice
    periods = sorted(state.periods, key=lambda period: (period != ALL, "-" in period))
    return {
        "club": club,
        "state": state,
        "choice": choice,
        "rows": read_board_page(state, number),
        "own": own,
        "own_page": own and find_page_of(own),
        "least": find_least(choice.measure, choice.period),
        "periods": [(period, say_period(period, names)) for period in periods],
        "period": say_period(choice.period, names),
        "hidden": {"game": choice.kind, "by": choice.measure},
        "number": number,
    }


@require_safe
@with_bounded_builds
def leaderboards_file(request: HttpRequest, club: str = "") -> HttpResponse:
    """Return the whole list as a file. Its readers are counted, because a list can be long."""
    kind = request.GET.get("kind", CSV)
    if kind not in KINDS:
        raise Http404
    state = read_board(request, open_club(request, club) if club else None)
    count_build(request)
    parts: Mapping[str, str] = describe_choice(state)
    return give_file(write_file([make_board_table(state)], kind, club, *parts.values()))

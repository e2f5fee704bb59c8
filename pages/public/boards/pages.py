"""The leaderboards of the site and of a club: a page of a list, and the whole list as a file."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.models import Club, User
from outgoing.sheets.files import CSV, KINDS, write_file
from pages.everybody import answer_everybody, open_club, read_page_number, refuse_builds
from pages.public.all_kinds import give_file
from pages.public.boards.words import MEASURES, make_board_table, say_period
from rankings.leaderboards.boards import ALL, find_least
from rankings.leaderboards.reading import (
    AskedBoard,
    BoardState,
    find_board,
    find_own_row,
    find_page_of,
    read_board_page,
    read_season_names,
)
from tournaments.models import LeaderboardRow
from tournaments.page_cache import TooManyBuilt, count_build

KEPT_PAGES = 20  # later pages of a list are built for each reader, so that they do not fill the cache


@require_safe
def leaderboards(request: HttpRequest, club: str = "") -> HttpResponse:
    """Show a page of a list of a club or of the site. A reader who is logged in sees their own place, too."""
    owner = open_club(request, club) if club else None
    state = find_board(owner, read_asked(request))
    number = min(read_page_number(request), state.pages)
    names = read_season_names(owner, state.periods) if owner else {}

    def build(request: HttpRequest) -> HttpResponse:
        own = find_own_row(state, request.user) if isinstance(request.user, User) else None
        return render(
            request, "public/boards/board.html", make_context(owner, state, number, own) | name_periods(state, names)
        )

    asked = describe_choice(state) | ({"page": str(number)} if number > 1 else {})
    try:
        if number > KEPT_PAGES:
            count_build(request)
        told = (state.stamp, number, owner and owner.name, sorted(names.items()))
        return answer_everybody(request, told, build, asked, kept=number <= KEPT_PAGES)
    except TooManyBuilt:
        return refuse_builds(request)


def read_asked(request: HttpRequest) -> AskedBoard:
    return AskedBoard(*(request.GET.get(name, "") for name in ("game", "by", "period")))


def describe_choice(state: BoardState) -> dict[str, str]:
    """Return the query parameters of a list."""
    choice = state.choice
    return {"game": str(choice.kind), "by": choice.measure.value, "period": choice.period}


def make_context(club: Club | None, state: BoardState, number: int, own: LeaderboardRow | None) -> dict[str, Any]:
    """Return the values for the template of a page."""
    asked = describe_choice(state)
    return {
        "club": club,
        "state": state,
        "rows": read_board_page(state, number),
        "own": own,
        "own_page": own and find_page_of(own),
        "title": MEASURES[state.choice.measure],
        "least": find_least(state.choice.measure, state.choice.period),
        "apart": state.board.apart if state.board else 0,
        "asked": asked,
        "hidden": {name: asked[name] for name in ("game", "by")},
        "number": number,
    }


def name_periods(state: BoardState, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the periods of the form and the name of the chosen one, as values for the template."""
    return {
        "periods": [(period, say_period(period, names)) for period in sort_periods(state)],
        "period": say_period(state.choice.period, names),
    }


def sort_periods(state: BoardState) -> list[str]:
    """Return the periods of the form: all sessions, the seasons, then the months, the newest first."""
    return sorted(state.periods, key=lambda period: (period != ALL, "-" in period))


@require_safe
def leaderboards_file(request: HttpRequest, club: str = "") -> HttpResponse:
    """Return the whole list as a file. Its readers are counted, because a list can be long."""
    kind = request.GET.get("kind", CSV)
    if kind not in KINDS:
        raise Http404
    state = find_board(open_club(request, club) if club else None, read_asked(request))
    try:
        count_build(request)
    except TooManyBuilt:
        return refuse_builds(request)
    parts: Mapping[str, str] = describe_choice(state)
    return give_file(write_file([make_board_table(state)], kind, club, *parts.values()))

"""The page of a player's results in all published sessions, and the pages to compare two players.

A few queries first tell whether the page has changed. Its content is read only if it has. Finished pages are cached.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from math import ceil
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe

from pages.everybody import answer_stamped, as_anybody, is_personal, with_bounded_builds
from pages.public.published import MOST_TYPED
from rankings.careers.head_to_head import HeadToHead, find_choices
from rankings.careers.reading import A_PAGE, Career
from rankings.careers.subjects import CareerState, Subject, find_subject, look_at
from rankings.leaderboards.reading import find_made_at, read_places
from tournaments.addresses import origin_of
from tournaments.numbers import MOST_PAGES, parse_number
from tournaments.page_cache import KeptPage, compress, count_build, find_counted_page
from tournaments.permissions import require_found
from tournaments.words.stamps import make_stamp

View = Callable[..., HttpResponse]


def page_of_players(*asked: str) -> Callable[[View], View]:
    """Return a decorator for `view(request, known, *subjects, **more)`, a page about the players in the address.

    `known` is a few values that tell whether the page has changed, and `subjects` are the players. If the reader may
    not see a player, the page is a 404. `asked` names the query parameters that change the page; the view gets them as
    `more`.
    """

    def decorate(view: View) -> View:
        @require_safe
        @with_bounded_builds
        @wraps(view)
        def find(request: HttpRequest, **numbers: int) -> HttpResponse:
            subjects = [require_found(find_subject(request.user, number)) for number in numbers.values()]
            own = {name: subject.player.pk for name, subject in zip(numbers, subjects, strict=True)}
            if own != numbers:
                return redirect(address_of(request, own))
            known = look_at(*subjects)
            wanted: dict[str, Any] = {name: read_wanted(name, request.GET.get(name, "")) for name in asked}
            if "q" not in asked:
                wanted["page"] = min(wanted["page"], ceil(known.rows / A_PAGE))
            if wanted["page"] == 1:  # the page without a number
                wanted["page"] = 0

            def build(request: HttpRequest) -> HttpResponse:
                return view(request, known, *subjects, **wanted)

            if not is_personal(request) and all(subject.is_public for subject in subjects):
                return answer_player(request, known, wanted, build)
            count_build(request)
            response = build(request)
            add_never_cache_headers(response)
            return response

        return find

    return decorate


def address_of(request: HttpRequest, numbers: dict[str, int]) -> str:
    """Return the address of this page with the present ids of its players.

    The id of a player changes when the player is merged with another one.
    """
    match, asked = request.resolver_match, request.META.get("QUERY_STRING", "")
    assert match is not None
    return reverse(match.view_name, kwargs=numbers) + (f"?{asked}" if asked else "")


def answer_player(request: HttpRequest, known: CareerState, wanted: dict[str, Any], build: View) -> HttpResponse:
    """Return the page that all readers share, from the cache or newly built, or a 304 if the reader has it already."""
    address = request.resolver_match
    assert address is not None
    origin = origin_of(request)
    places = find_made_at() if address.view_name == "player" else None
    told = make_stamp("career", known, places, address.view_name, sorted(wanted.items()), origin)
    given = {name: value for name, value in wanted.items() if value}

    def build_for_all() -> KeptPage:
        return compress(build(as_anybody(address, given, origin)))

    def find() -> KeptPage:
        if given.get("q") or not has_season(given, known):  # not cached, because there can be any number of such pages
            count_build(request)
            return build_for_all()
        return find_counted_page(request, told, build_for_all)

    return answer_stamped(request, told, find)


def read_wanted(name: str, typed: str) -> str | int:
    """Return the value of a query parameter as the key of the cache has it: a text, or a number.

    A text that is no valid number becomes 0, so that it does not make another page in the cache.
    """
    return typed.strip()[:MOST_TYPED] if name == "q" else number_in(typed)


def has_season(given: Mapping[str, Any], known: CareerState) -> bool:
    return "season" not in given or given["season"] in known.seasons


def number_in(text: str) -> int:
    """Return the number of a page or a season, or 0 if the text holds no valid number."""
    number = parse_number(text)
    return number if 0 < number < MOST_PAGES else 0


@page_of_players("season", "page")
def player(request: HttpRequest, known: CareerState, subject: Subject, *, season: int, page: int) -> HttpResponse:
    career = Career(subject, known, season=season, page=page or 1)
    places = read_places(subject.player.person_id, subject.clubs)
    context = {"career": career, "subject": subject, "places": places}
    return render(request, "careers/player.html", context)


@page_of_players("page")
def head_to_head(request: HttpRequest, known: CareerState, one: Subject, other: Subject, *, page: int) -> HttpResponse:
    if one.player == other.player:
        return redirect("player", one.player.pk)
    held = HeadToHead(one, other, known, page=page or 1)
    return render(request, "careers/head_to_head.html", {"held": held, "one": one, "other": other})


@page_of_players("q", "page")
def choose_other(request: HttpRequest, known: CareerState, one: Subject, *, q: str, page: int) -> HttpResponse:
    listed, choices = find_choices(one, known, q, page or 1)
    context: dict[str, Any] = {"subject": one, "wanted": q, "listed": listed, "choices": choices}
    return render(request, "careers/choose_other.html", context)

"""A player's page over all his published sessions, two players held against each other, and the choice of the other.

Told from what it was by few questions, before any of it is read; kept for whoever asks next where it is everybody's.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import (
    add_never_cache_headers,
    get_conditional_response,
    patch_cache_control,
    patch_vary_headers,
)
from django.views.decorators.http import require_safe

from tournaments.addresses import origin_of
from tournaments.careers.head_to_head import HeadToHead, find_choices
from tournaments.careers.reading import Career
from tournaments.careers.subjects import Known, Subject, find_subject, look_at
from tournaments.publication.kept import compress, find_page, send
from tournaments.web.numbers import MOST_PAGES, number_of
from tournaments.web.public.published import MOST_TYPED, VARIES, as_anybody, is_personal
from tournaments.words.stamps import make_stamp

View = Callable[..., HttpResponse]


def page_of_players(*asked: str) -> Callable[[View], View]:
    """`view(request, known, *subjects, **more)` of whom the address names, if the reader may have them. `asked`:
    the parameters of the address that make another page, which are the rest that it takes."""

    def decorate(view: View) -> View:
        @require_safe
        @wraps(view)
        def find(request: HttpRequest, **numbers: int) -> HttpResponse:
            subjects = [find_or_404(request, number) for number in numbers.values()]
            own = {name: subject.player.pk for name, subject in zip(numbers, subjects, strict=True)}
            if own != numbers:
                return redirect(address_of(request, own))
            known = look_at(*subjects)
            wanted = {name: request.GET.get(name, "").strip()[:MOST_TYPED] for name in asked}

            def build(request: HttpRequest) -> HttpResponse:
                return view(request, known, *subjects, **wanted)

            if is_personal(request) or not all(subject.is_public for subject in subjects):
                response = build(request)
                add_never_cache_headers(response)
                return response
            return answer(request, known, wanted, build)

        return find

    return decorate


def find_or_404(request: HttpRequest, number: int) -> Subject:
    subject = find_subject(request.user, number)
    if subject is None:
        raise Http404
    return subject


def address_of(request: HttpRequest, numbers: dict[str, int]) -> str:
    """The same address with the numbers by which these players are known."""
    match, asked = request.resolver_match, request.META.get("QUERY_STRING", "")
    assert match is not None
    return reverse(match.view_name, kwargs=numbers) + (f"?{asked}" if asked else "")


def answer(request: HttpRequest, known: Known, wanted: dict[str, str], build: View) -> HttpResponse:
    """That the reader has it, or the page that is kept, or that is built for nobody in particular."""
    address = request.resolver_match
    assert address is not None
    origin = origin_of(request)
    told = make_stamp("career", known, address.view_name, sorted(wanted.items()), origin)
    response = get_conditional_response(request, etag=f'W/"{told}"')
    if response is None:
        given = {name: value for name, value in wanted.items() if value}
        response = send(request, find_page(told, lambda: compress(build(as_anybody(address, given, origin)))))
    response["ETag"] = f'W/"{told}"'
    patch_vary_headers(response, VARIES)
    patch_cache_control(response, no_cache=True)
    return response


def number_in(text: str) -> int:
    """Of a page or a season; 0 where nothing of the kind is written."""
    number = number_of(text)
    return number if 0 < number < MOST_PAGES else 0


@page_of_players("season", "page")
def player(request: HttpRequest, known: Known, subject: Subject, *, season: str, page: str) -> HttpResponse:
    career = Career(subject, known, season=number_in(season), page=number_in(page) or 1)
    return render(request, "careers/player.html", {"career": career, "subject": subject, "linked": True})


@page_of_players("page")
def head_to_head(request: HttpRequest, _known: Known, one: Subject, other: Subject, *, page: str) -> HttpResponse:
    if one.player == other.player:
        return redirect("player", one.player.pk)
    held = HeadToHead(one, other, page=number_in(page) or 1)
    return render(request, "careers/head_to_head.html", {"held": held, "one": one, "other": other})


@page_of_players("q", "page")
def choose_other(request: HttpRequest, known: Known, one: Subject, *, q: str, page: str) -> HttpResponse:
    listed, choices = find_choices(one, known, q, number_in(page) or 1)
    context: dict[str, Any] = {"subject": one, "wanted": q, "listed": listed, "choices": choices}
    return render(request, "careers/choose_other.html", context)

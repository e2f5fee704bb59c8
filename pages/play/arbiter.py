"""The arbiter's pages on a table's own device.

The arbiter types the code that the desk shows, and then rules on that table's plays.

The players can see the screen. So these pages show no results of other tables, and no doubts that come from such
results or from the étui's cards. The arbiter sees these at the desk. Results that are hidden from a director who plays
are hidden here too.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.guard import Count, find_full, know_device, note_tries
from clubs.guard.counting import counts_of_arbiter
from evenings.glance import get_table_for_token
from evenings.plays.desk_state import hidden_etuis
from evenings.plays.state import VIEWS
from evenings.plays.table_plays import TablePlay, plays_at, present_position
from evenings.tables import devices as arbiters
from pages.acting import refusals_told
from pages.play.entry import PlayDesk, preview_entry, show_entry
from pages.play.rulings import RULINGS
from tournaments.models import ArbiterCode, Play, Table
from tournaments.permissions import find_arbiter, get_play_at, require_found

COOKIE = "arbiter"


class TableDesk(PlayDesk):
    """A play as the table's own device shows it to the arbiter.

    The addresses of its pages begin with the table's code.
    """

    at_table = True

    @property
    def token(self) -> str:
        assert self.request.resolver_match
        return str(self.request.resolver_match.kwargs["token"])

    @property
    def up(self) -> str:
        return reverse("arbiter", args=(self.token,))

    @property
    def at(self) -> dict[str, str]:
        ruled = {name: reverse("arbiter_rule", args=(self.token, self.play.pk, name)) for name in RULINGS}
        preview_at = reverse("arbiter_preview", args=(self.token, self.play.pk))
        return ruled | {"play": self.address_of(self.play), "play_preview": preview_at}

    def address_of(self, play: Play) -> str:
        return reverse("arbiter_play", args=(self.token, play.pk))


def table_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate `view(request, table, code)`, a page for everybody who has the table's code.

    `code` is the arbiter's code in force on this device, or None. The response is never cached.
    """

    @wraps(view)
    def page(request: HttpRequest, token: str, **rest: Any) -> HttpResponse:
        now = timezone.now()
        table = get_table_for_token(token, now)
        code = find_arbiter(table, request.COOKIES.get(COOKIE, ""), now)
        response = view(request, table, code, **rest)
        add_never_cache_headers(response)
        return response

    return page


def arbiter_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate `view(desk)`, a page of one of the table's plays that needs an arbiter's code in force.

    Without a code in force, redirect to the page where it is typed.
    """

    @table_page
    @wraps(view)
    def page(request: HttpRequest, table: Table, code: ArbiterCode | None, play: int, **rest: Any) -> HttpResponse:
        if code is None:
            return redirect(start_of(request))
        desk = TableDesk(request, get_play_at(table, play), code.author)
        with refusals_told(request):
            return view(desk, **rest)
        return redirect(desk.at["play"])

    return page


def start_of(request: HttpRequest) -> str:
    assert request.resolver_match
    return reverse("arbiter", args=(request.resolver_match.kwargs["token"],))


@require_http_methods(["GET", "HEAD", "POST"])
@table_page
def arbiter(request: HttpRequest, table: Table, code: ArbiterCode | None) -> HttpResponse:
    """Show the table's plays if the arbiter's code is in force, else the form for the code."""
    if request.method == "POST":
        return arbiter_comes(request, table)
    context: dict[str, Any] = {
        "table": table,
        "session": table.session,
        "code": code,
        "back": start_of(request)[: -len("arbiter/")],
    }
    if code is None:
        know_device(request)  # wrong codes typed on this device are counted apart from those of other devices
        return render(request, "arbiter/code.html", context)
    plays = plays_at(table)
    here = present_position(table.session, plays)
    hidden = hidden_etuis(table.session, code.author)
    context |= {
        "now": [row_of(each, hidden) for each in plays if each.play.position == here],
        "before": [row_of(each, hidden) for each in reversed(plays) if each.play.position < here],
        "later": [row_of(each, hidden) for each in plays if each.play.position > here],
        "here": here,
    }
    return render(request, "arbiter/plays.html", context)


def row_of(each: TablePlay, hidden: frozenset[int]) -> dict[str, Any]:
    """Return template values for a play: the play, its state as the desk calls it, and whether it is hidden.

    The result is left out, because the players can see the screen.
    """
    return {"play": each.play, "state": VIEWS[each.state].desk, "hidden": each.play.etui_id in hidden}


def arbiter_comes(request: HttpRequest, table: Table) -> HttpResponse:
    typed = "".join(filter(str.isdecimal, request.POST.get("code", "")[:40]))
    start, now = start_of(request), timezone.now()
    waiting = arbiters.waiting_codes(table, now).values_list("pk", flat=True).first()
    counts = counts_of_arbiter(request, waiting) if waiting else []
    if counts and find_full(counts):
        messages.error(request, _("Five wrong codes were typed on this device: ask the desk for a new one."))
        return redirect(start)
    answer = arbiters.let_in(table=table, code=typed, now=now)
    if not answer.grant:
        note_tries(counts)
        messages.error(request, say_wrong(answer, counts))
        return redirect(start)
    grant = answer.grant
    response = redirect(start)
    seconds = int(arbiters.ARBITER_LIFETIME.total_seconds())
    response.set_cookie(
        COOKIE, grant, seconds, path=start, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Strict"
    )
    return response


def say_wrong(answer: arbiters.CodeAnswer, counts: list[Count]) -> str:
    if answer.is_spent:
        return _("Fifty wrong codes were typed at this table: ask the desk for a new one.")
    if counts and find_full(counts):
        return _("Five wrong codes were typed on this device: ask the desk for a new one.")
    return _("This code does not work here: look at the desk, or ask it for a new one.")


@require_POST
@table_page
def arbiter_done(request: HttpRequest, table: Table, code: ArbiterCode | None) -> HttpResponse:
    """End the arbiter's access on this device, and go back to the table's screen."""
    if code is not None:
        arbiters.leave_table(table=table, now=timezone.now())
    start = start_of(request)
    response = redirect(start.removesuffix("arbiter/"))
    response.delete_cookie(COOKIE, path=start, samesite="Strict")
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@arbiter_page
def arbiter_play(desk: TableDesk) -> HttpResponse:
    return show_entry(desk)


@require_POST
@arbiter_page
def arbiter_preview(desk: TableDesk) -> HttpResponse:
    return preview_entry(desk)


@require_POST
@arbiter_page
def arbiter_rule(desk: TableDesk, rule: str) -> HttpResponse:
    return require_found(RULINGS.get(rule))(desk)

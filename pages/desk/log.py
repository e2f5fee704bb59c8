"""The log of a session: every action, newest first, in pages. It can be searched by words, action and author."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode

from evenings.plans.free.laying import find_deal_stride
from evenings.plays.logged import find_figures
from pages.doors import session_page
from tournaments.log import list_logged, search_log
from tournaments.models import LogEntry, Session
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.words.log_sentences import GAMES, LOG, PLACE, PLACE_OF_DEAL, say_log

A_PAGE = 50
MOST_TYPED = 80


@dataclass(frozen=True, slots=True)
class LogRow:
    """An entry of the log as text, with the figure that it is about. `figure` is "" if the reader may not see it."""

    entry: LogEntry
    text: str
    figure: str


@session_page(Can.DIRECT)
def log(request: HttpRequest, session: Session) -> HttpResponse:
    asked = {name: request.GET.get(name, "").strip()[:MOST_TYPED] for name in ("q", "action", "author")}
    page = Paginator(search_log(session, **asked), A_PAGE).get_page(read_number(request.GET, "page", none=1))
    actions, authors = list_logged(session)
    figures = find_figures(session, list(page), request.user)
    stride = find_deal_stride(session)
    context = {
        "session": session,
        "page": page,
        "lines": [LogRow(entry, say_log(entry, stride=stride), figures.get(entry.pk, "")) for entry in page],
        "asked": asked,
        "narrowed": any(asked.values()),
        "actions": name_actions(actions, has_deals=bool(stride)),
        "authors": authors,
        **pager(page, asked),
    }
    return render(request, "desk/log.html", context)


class Several(int):
    """A number that is written as dots. In a sentence with a plural it counts as more than one."""

    def __str__(self) -> str:
        return "…"


class Dots(dict[str, Several]):
    """A mapping that fills every placeholder of a log sentence with dots, to show the sentence without an entry."""

    def __missing__(self, name: str) -> Several:
        return Several(2)


def name_actions(actions: set[str], *, has_deals: bool) -> list[tuple[str, str]]:
    """Return each action with its sentence, sorted by sentence. `has_deals`: whether the tables deal."""
    texts = {action: str(LOG.texts[action]) for action in actions}
    if has_deals:
        texts |= {action: str(text) for action, text in GAMES.items() if action in actions}
        texts = {action: text.replace(str(PLACE), str(PLACE_OF_DEAL)) for action, text in texts.items()}
    return sorted(((action, text % Dots()) for action, text in texts.items()), key=lambda named: named[1])


def pager(page: Page[Any], asked: dict[str, str]) -> dict[str, str]:
    def address(number: int) -> str:
        given = {name: value for name, value in asked.items() if value}
        return "?" + urlencode(given | {"page": str(number)})

    return {
        "newer": address(page.previous_page_number()) if page.has_previous() else "",
        "older": address(page.next_page_number()) if page.has_next() else "",
    }

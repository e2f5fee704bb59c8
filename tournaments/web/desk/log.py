"""The log of a session: everything that was done, newest first, searched by words, action and author, page by page."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode

from clubs.names import plain
from tournaments.models import LogEntry, Session
from tournaments.permissions import Can
from tournaments.web.doors import session_page
from tournaments.web.numbers import read_number
from tournaments.words.log_sentences import LOG
from tournaments.words.log_words import say_log

A_PAGE = 50
MOST_TYPED = 80


@dataclass(frozen=True, slots=True)
class LogRow:
    entry: LogEntry
    text: str


@session_page(Can.DIRECT)
def log(request: HttpRequest, session: Session) -> HttpResponse:
    asked = {name: request.GET.get(name, "").strip()[:MOST_TYPED] for name in ("q", "action", "author")}
    entries = search(LogEntry.objects.filter(session=session), **asked)
    page = Paginator(entries.select_related("author").order_by("-id"), A_PAGE).get_page(
        read_number(request.GET, "page", none=1)
    )
    known = LogEntry.objects.filter(session=session).order_by()
    context = {
        "session": session,
        "page": page,
        "lines": [LogRow(entry, say_log(entry)) for entry in page],
        "asked": asked,
        "narrowed": any(asked.values()),
        "actions": list_actions(known),
        "authors": sorted(known.exclude(author=None).values_list("author__username", flat=True).distinct()),
        **pager(page, asked),
    }
    return render(request, "desk/log.html", context)


def search(entries: QuerySet[LogEntry], *, q: str, action: str, author: str) -> QuerySet[LogEntry]:
    """Every word of `q` is found among the names and numbers of the entry, in its author's name or its device's."""
    for word in q.split():
        entries = entries.filter(
            Q(words__icontains=word)
            | Q(words__icontains=plain(word))
            | Q(author__username__icontains=word)
            | Q(device__icontains=word)
        )
    if action:
        entries = entries.filter(action=action)
    return entries.filter(author__username=author) if author else entries


class Several(int):
    """Reads as dots, and counts as more than one where a sentence has a plural."""

    def __str__(self) -> str:
        return "…"


class Dots(dict[str, Several]):
    """Stands for what a sentence is about where it is said of no entry in particular."""

    def __missing__(self, name: str) -> Several:
        return Several(2)


def list_actions(entries: QuerySet[LogEntry]) -> list[tuple[str, str]]:
    """The actions that there are in the log, each by its sentence."""
    actions = entries.values_list("action", flat=True).distinct()
    return sorted(((action, str(LOG.texts[action] % Dots())) for action in actions), key=lambda named: named[1])


def pager(page: Page[Any], asked: dict[str, str]) -> dict[str, str]:
    def address(number: int) -> str:
        given = {name: value for name, value in asked.items() if value}
        return "?" + urlencode(given | {"page": str(number)})

    return {
        "newer": address(page.previous_page_number()) if page.has_previous() else "",
        "older": address(page.next_page_number()) if page.has_next() else "",
    }

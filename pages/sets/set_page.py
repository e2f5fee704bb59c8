"""The code that the pages of deal sets share: the permission check, and the data of a set.

A deal set is a number of étuis that were made together. No cards are read here.
"""

import datetime as dt
from collections.abc import Callable
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from deals.copies import may_read_cards
from deals.domain.cards import Seat
from deals.domain.etui import leader
from deals.models import DealLook, DealSet, Etui
from evenings.plans.by_format import list_formats_for
from evenings.plans.deal_sets import find_unplayed_copies, is_played, sessions_to_wait_for, sets_with
from evenings.sessions.lists import drafts_of
from pages.doors import READING, PageAddress, View, door
from pages.origins import describe_origin
from tournaments.models import Session
from tournaments.permissions import Can, get_deal_set_for
from tournaments.words.messages import label

AWAITED, GENERATED, IMPORTED, NONE = (
    Etui.Origin.AWAITED,
    Etui.Origin.GENERATED,
    Etui.Origin.IMPORTED,
    Etui.Origin.NONE,
)


def club_of(deal_set: DealSet) -> Club:
    """Return the club of a set that a page shows. Only sets of rooms have none, and no page shows them."""
    assert deal_set.club is not None
    return deal_set.club


def deal_set_page(methods: tuple[str, ...] = READING) -> Callable[[View], View]:
    """Return a decorator for `view(request, deal_set, **rest)`, a page for directors of the set's club.

    `rest` has the other arguments of the address.
    """

    def fetch(request: HttpRequest, *, club: str, pk: int) -> tuple[DealSet]:
        return (get_deal_set_for(request.user, Can.DIRECT, club__slug=club, pk=pk),)

    return door(Can.DIRECT, methods, fetch, PageAddress("deal_set", ("club", "pk")))


def set_url(name: str, deal_set: DealSet, *rest: int | str) -> str:
    """Return the address of one of a set's pages. `rest` has its further arguments, like the number of an étui."""
    return reverse(name, args=(club_of(deal_set).slug, deal_set.pk, *rest))


class EtuiRow(NamedTuple):
    """The label of an étui: its number, taker (if one is imposed), dealer and leader, and the origin of its cards."""

    number: int
    taker: str
    dealer: str
    leads: str
    origin: str

    @property
    def has_cards(self) -> bool:
        return self.origin not in (AWAITED, NONE)


class SetPage:
    """The data of a deal set for its pages. Each property makes one query, when a page first reads it."""

    def __init__(self, deal_set: DealSet) -> None:
        self.deal_set = deal_set

    @cached_property
    def rows(self) -> list[EtuiRow]:
        players, is_copy = self.deal_set.players, self.deal_set.master_id is not None
        known = is_copy and may_read_cards(self.deal_set, timezone.now())  # through the master
        told = self.deal_set.etuis.values_list("number", "taker", "dealer", "origin")
        return [
            EtuiRow(number, taker, dealer, leader(Seat(dealer), players).value, GENERATED if known else origin)
            for number, taker, dealer, origin in told
        ]

    @property
    def numbers(self) -> list[int]:
        return [row.number for row in self.rows]

    @property
    def groups(self) -> list[list[EtuiRow]]:
        """The étuis in groups of as many as there are players. In each group, every line takes and deals once."""
        by = self.deal_set.players
        return [list(rows) for _group, rows in groupby(self.rows, lambda row: (row.number - 1) // by)]

    @property
    def names_takers(self) -> bool:
        return any(row.taker for row in self.rows)

    @property
    def origins(self) -> set[str]:
        return {row.origin for row in self.rows}

    @property
    def awaits_value(self) -> bool:
        return AWAITED.value in self.origins and self.deal_set.master_id is None

    @property
    def has_cards(self) -> bool:
        return any(row.has_cards for row in self.rows)

    @property
    def untyped(self) -> list[int]:
        """The numbers of the étuis whose cards can still be typed."""
        return [row.number for row in self.rows if row.origin == NONE]

    @property
    def origin_text(self) -> str:
        return describe_origin(self.deal_set, imported=IMPORTED.value in self.origins)

    @cached_property
    def sessions(self) -> list[Session]:
        """The club's own sessions that play the set."""
        return list(self.deal_set.sessions.select_related("tournament__club").order_by("date", "number"))

    @cached_property
    def waiting(self) -> list[Session]:
        """The sessions, in any club, that play these deals and do not have all results published yet."""
        return list(sessions_to_wait_for(self.deal_set).select_related("tournament__club").order_by("date"))

    @cached_property
    def unplayed_copies(self) -> list[DealSet]:
        """The copies of this set that no session uses yet, but that their clubs may still play."""
        return list(find_unplayed_copies(self.deal_set).select_related("club").order_by("club__name"))

    @property
    def waited_for(self) -> bool:
        return self.is_played and bool(self.waiting or self.unplayed_copies)

    @property
    def can_be_given_up(self) -> bool:
        if self.deal_set.held_until is not None:  # in a simultaneous nobody waits for a copy
            return False
        others = sets_with(self.deal_set).exclude(club=self.deal_set.club_id)
        return not self.deal_set.given_up_at and not self.sessions and others.exists()

    @property
    def is_played(self) -> bool:
        return is_played(self.deal_set)

    @property
    def can_be_declared(self) -> bool:
        own = self.deal_set
        return own.players != 4 and own.sealed_at is not None and not own.revealed_at and not self.sessions

    @cached_property
    def looks(self) -> list[DealLook]:
        return list(self.deal_set.looks.select_related("user"))

    @property
    def drafts(self) -> QuerySet[Session]:
        """The club's sessions in preparation, which may take their étuis from this set."""
        formats = list_formats_for(self.deal_set.players)
        return drafts_of(club_of(self.deal_set)).filter(tournament__format__in=formats)


DOCUMENTS = {
    "diagrams": _("hand diagrams"),
    "building": _("hand-building list"),
    "txt": _("text"),
    "csv": _("CSV"),
    "json": _("JSON without the secret draw"),
    "json+seed": _("JSON with the secret draw"),
}


def look_text(look: DealLook) -> str:
    """Return what somebody did with the cards of a set as text: "printed (hand diagrams, North)"."""
    if look.kind == DealLook.LookKind.PLAYED:
        return f"{look.get_kind_display()} ({date_format(dt.date.fromisoformat(look.document), 'DATE_FORMAT')})"
    document, _space, hand = look.document.partition(" ")
    parts = [DOCUMENTS.get(document, ""), label("hand", hand) if hand else ""]
    told = ", ".join(str(part) for part in parts if part)
    return f"{look.get_kind_display()} ({told})" if told else str(look.get_kind_display())


def context_of(page: SetPage, **more: Any) -> dict[str, Any]:
    return {"club": page.deal_set.club, "deal_set": page.deal_set, "page": page, **more}

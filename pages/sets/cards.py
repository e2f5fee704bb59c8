"""The pages on which a director sees or types the cards of a deal set before the evening. They are never cached.

Every look at cards needs a POST, and is logged before a card is read.

On one page a director lets bots play étuis of a set, and sees what they made of them. The figures tell something about
the cards. So each view of that page needs a POST, and is logged before a card is read.
"""

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from deals.copies import read_etuis
from deals.domain.cards import show_card
from deals.domain.deal import Deal, loads, places
from deals.domain.reading import TypedDeal, check_typed
from deals.domain.statistics import means_by_place
from deals.errors import DealSetRefused
from deals.models import DealLook, DealSet, Etui
from deals.sets import record_look
from evenings.plans.deal_sets import type_cards_of
from evenings.spreads import SpreadFigures, ask_bots, list_asked
from pages.acting import done, refusals_told
from pages.doors import FORM, author, refuse
from pages.parts.bots import describe_spread, say_outcome
from pages.parts.cards import CardFace, faces
from pages.sets.forms import TypedForm
from pages.sets.set_page import SetPage, context_of, deal_set_page, set_url
from tournaments.errors import ActionRefused
from tournaments.numbers import read_number
from tournaments.permissions import require_found
from tournaments.words.messages import label, say

A_PAGE = 4
NAMED = 12  # the most missing cards that the page names one by one


class ShownCards(NamedTuple):
    """An étui as the page shows it. `hands` has (place, cards) of each hand and of the chien."""

    number: int
    taker: str
    dealer: str
    hands: list[tuple[str, list[CardFace]]]


def never_cached(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    response = render(request, template, context)
    response["Cache-Control"] = "no-store"
    return response


@deal_set_page(FORM)
def cards(request: HttpRequest, deal_set: DealSet) -> HttpResponse:
    """Show the cards of four étuis, beginning with the number in the field `from`, and log that they were seen."""
    page = SetPage(deal_set)
    numbers = [row.number for row in page.rows if row.has_cards]
    wanted = read_number(request.POST, "from")
    shown: list[ShownCards] = []
    at = numbers.index(wanted) if wanted in numbers else None
    if request.method == "POST" and at is None:
        messages.error(
            request, say(ActionRefused("etui_unknown", "from", number=request.POST.get("from", "")[:9] or "–"))
        )
    if at is not None:
        chosen = numbers[at : at + A_PAGE]
        record_look(deal_set=deal_set, user=author(request), first=chosen[0], last=chosen[-1], now=timezone.now())
        shown = [show(etui) for etui in read_etuis(deal_set, timezone.now()) if etui.number in chosen]
    pages = [(chunk[0], chunk[-1]) for i in range(0, len(numbers), A_PAGE) if (chunk := numbers[i : i + A_PAGE])]
    context = context_of(
        page,
        shown=shown,
        pages=pages,
        before=numbers[max(at - A_PAGE, 0)] if at else None,
        after=numbers[at + A_PAGE] if at is not None and at + A_PAGE < len(numbers) else None,
    )
    return never_cached(request, "sets/cards.html", context)


def show(etui: Etui) -> ShownCards:
    deal = loads(etui.cards)
    names = places(deal.players)
    hands = [(place, faces(pile)) for place, pile in zip(names, deal.piles, strict=True)]
    return ShownCards(etui.number, etui.taker, etui.dealer, hands)


@deal_set_page(FORM)
def statistics(request: HttpRequest, deal_set: DealSet) -> HttpResponse:
    """Show the average hand of each line. The figures tell something about the cards, so this is logged like a look."""
    page = SetPage(deal_set)
    numbers = [row.number for row in page.rows if row.has_cards]
    means = []
    if request.method == "POST" and numbers:
        record_look(
            deal_set=deal_set,
            user=author(request),
            first=numbers[0],
            last=numbers[-1],
            now=timezone.now(),
            kind=DealLook.LookKind.STATISTICS,
        )
        means = means_by_place(deals_of(deal_set))
    return never_cached(request, "sets/statistics.html", context_of(page, means=means, dealt=len(numbers)))


def deals_of(deal_set: DealSet) -> list[Deal]:
    return [loads(etui.cards) for etui in read_etuis(deal_set, timezone.now()) if etui.cards]


@deal_set_page(FORM)
def type_etui(request: HttpRequest, deal_set: DealSet, number: int) -> HttpResponse:
    """Show and save the form to type the cards of one étui from its paper diagrams.

    A script sends the cards for a check while they are typed. Cards with mistakes stay in the form.
    """
    page = SetPage(deal_set)
    row = require_found(next((row for row in page.rows if row.number == number), None))
    if row.origin != Etui.Origin.NONE:
        return refuse(request, DealSetRefused("cards_known", "cards", number=number), set_url("deal_set", deal_set))
    form = TypedForm(deal_set.players, request.POST if request.method == "POST" else None)
    texts = form.texts if form.is_bound and form.is_valid() else {}
    typed = check_typed(texts, deal_set.players)
    if request.htmx:  # type: ignore[attr-defined]
        return never_cached(request, "sets/_typed.html", {"check": TypedCards(typed)})
    if typed.deal is not None and texts:
        with refusals_told(request):
            type_cards_of(deal_set_id=deal_set.pk, number=number, cards=typed.deal)
            rest = [other for other in page.untyped if other != number]
            after = next((other for other in rest if other > number), rest[0] if rest else None)
            to = set_url("deal_set_type", deal_set, after) if after else set_url("deal_set", deal_set)
            return done(request, _("The cards of étui %(number)s are saved.") % {"number": number}, to)
    context = context_of(page, form=form, row=row, check=TypedCards(typed) if form.is_bound else None)
    return never_cached(request, "sets/type.html", context)


class TypedCards:
    """The typed cards of an étui, prepared for the page."""

    def __init__(self, typed: TypedDeal) -> None:
        self.typed = typed
        self.hands = [(hand, say(hand.error) if hand.error else "") for hand in typed.hands]

    @property
    def complete(self) -> bool:
        return self.typed.deal is not None

    @property
    def repeated(self) -> list[tuple[str, str]]:
        """The cards that occur more than once, each with its places."""
        return [
            (write_card(card), ", ".join(label("hand", place) for place in hands))
            for card, hands in self.typed.repeated
        ]

    @property
    def missing(self) -> int:
        return len(self.typed.missing)

    @property
    def named_missing(self) -> list[str]:
        return [write_card(card) for card in self.typed.missing] if self.missing <= NAMED else []


def write_card(card: int) -> str:
    """Return the card's short sign. For the Excuse return its name, because few people know its sign, a star."""
    return _("Excuse") if show_card(card) == "*" else show_card(card)


AT_ONCE = 12  # étuis


class AskedEtui(NamedTuple):
    """An étui that bots play for a director. `figures` is None until their first play, or if they cannot play it."""

    number: int
    figures: SpreadFigures | None
    outcome: str
    desc: str


@deal_set_page(FORM)
def bots(request: HttpRequest, deal_set: DealSet) -> HttpResponse:
    """Let bots play some étuis, beginning with the number in the field `from`, and show what they have made so far."""
    page = SetPage(deal_set)
    numbers = [row.number for row in page.rows if row.has_cards] if deal_set.players == 4 else []
    wanted = read_number(request.POST, "from")
    shown: list[AskedEtui] = []
    if request.method == "POST" and wanted in numbers:
        at, now = numbers.index(wanted), timezone.now()
        first, last = wanted, numbers[at : at + AT_ONCE][-1]
        record_look(
            deal_set=deal_set, user=author(request), first=first, last=last, now=now, kind=DealLook.LookKind.BOTS
        )
        ask_bots(deal_set, numbers[at : at + AT_ONCE], now=now)
        shown = [show_asked(*each) for each in list_asked(deal_set, numbers[at : at + AT_ONCE], now=now)]
    parts = [(part[0], part[-1]) for i in range(0, len(numbers), AT_ONCE) if (part := numbers[i : i + AT_ONCE])]
    waits = any(each.figures is not None and not each.figures.is_over for each in shown)
    return never_cached(
        request, "sets/bots.html", context_of(page, shown=shown, parts=parts, asked=wanted, waits=waits)
    )


def show_asked(number: int, figures: SpreadFigures | None) -> AskedEtui:
    """Return an étui with its figures in words."""
    if figures is None or not figures.count:
        return AskedEtui(number, figures, "", "")
    return AskedEtui(number, figures, say_outcome(figures), describe_spread(figures) if figures.took else "")

"""The page on which a director lets bots play étuis of a set, and sees what they made of them. It is never cached.

The figures tell something about the cards. So each view needs a POST, and is logged before a card is read.
"""

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from deals.models import DealLook, DealSet
from deals.sets import record_look
from evenings.spreads import SpreadFigures, ask_bots, list_asked
from pages.doors import FORM, author
from pages.parts.bots import describe_spread, say_outcome
from pages.sets.cards import never_cached
from pages.sets.set_page import SetPage, context_of, deal_set_page
from tournaments.numbers import read_number

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

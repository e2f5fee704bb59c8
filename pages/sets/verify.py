"""The public pages of deal sets, on which everybody can check that the cards were not chosen, and of taker profiles.

All deals of a set are computed from its seed, which is secret at first. When a set is sealed, its commitment becomes
public: a digest that proves later that the seed was not changed. The seed and the deals are public only after a
director has revealed the seed.
"""

import re
from fractions import Fraction

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from deals.domain.profile import PROFILES
from deals.models import DealSet, Etui
from deals.sets import find_sealed, list_commitments
from pages.sets.profile_figures import charts, read_counts
from tournaments.permissions import require_found

LISTED = 20


@require_safe
def verify(request: HttpRequest) -> HttpResponse:
    """Explain how to check a set, list the newest commitments, and redirect to the set of the commitment typed."""
    asked = "".join(request.GET.get("commitment", "").split()).lower()
    if re.fullmatch("[0-9a-f]{64}", asked) and find_sealed(asked).exists():
        return redirect("verify_set", asked)
    return render(request, "sets/verify.html", {"asked": asked[:80], "newest": list_commitments()[:LISTED]})


@require_safe
def verify_set(request: HttpRequest, commitment: str) -> HttpResponse:
    """Show the public part of a set.

    Before the seed is revealed, the page shows only the commitment, and nothing else that depends on the seed.
    """
    sets = list(find_sealed(commitment)) if commitment else []
    deal_set = require_found(sets[0] if sets else None)
    old = deal_set.commitment == deal_set.seed_digest
    context = {"deal_set": deal_set, "sets": sets, "old": old}
    if deal_set.revealed_at is not None:
        cards = list_generated(deal_set)
        context |= {"file": file_name(deal_set), "lines": "\n".join(cards), "count": len(cards)}
    return render(request, "sets/verify_set.html", context)


@require_safe
def verify_file(_request: HttpRequest, commitment: str) -> HttpResponse:
    """Download a revealed set in the format of `topage_deals.py`: the data of the set, then one étui per line."""
    return give_set_file(require_found(find_sealed(commitment).filter(revealed_at__isnull=False).first()))


def give_set_file(deal_set: DealSet) -> HttpResponse:
    """Return a revealed set as a file for `topage_deals.py`."""
    told = {
        "commitment": deal_set.commitment,
        "seed": deal_set.seed,
        "players": deal_set.players,
        "profile": deal_set.profile,
        "value-name": deal_set.value_name,
        "value": deal_set.value,
    }
    lines = [f"{key} {value}" for key, value in told.items() if value] + list_generated(deal_set)
    headers = {"Content-Disposition": f'attachment; filename="{file_name(deal_set)}"'}
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8", headers=headers)


def list_generated(deal_set: DealSet) -> list[str]:
    """Return a line "number cards" for each étui that was dealt from the seed. Étuis typed by hand are left out."""
    rows = deal_set.etuis.filter(origin=Etui.Origin.GENERATED).values_list("number", "cards")
    return [f"{number} {cards}" for number, cards in rows]


def file_name(deal_set: DealSet) -> str:
    return f"etuis-{deal_set.commitment[:8]}.txt"


@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Show the conditions of a taker profile, and the hands that meet them, compared with all hands."""
    data = require_found(read_counts(name) if name in PROFILES else None)
    attempts = Fraction(data["profiled"]["attempts"], data["boards"])
    told = {
        "profile": data,
        "is_for_auction": PROFILES[name].for_auction,
        "taker": PROFILES[name].taker,
        "charts": charts(data),
        "attempts": attempts,
    }
    return render(request, "sets/profile.html", told)

"""What everybody may read of deal sets: commitments, what is revealed, how to check it, and what a taker profile does.

A commitment is public once its set is sealed, the seed and the deals once the seed is revealed; nothing before.
"""

import re
import shlex
from fractions import Fraction

from django.db.models import Min, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from deals.domain.profile import PROFILES
from deals.models import DealSet
from tournaments.permissions import found
from tournaments.views.profile_figures import charts, counted

LISTED = 20


@require_safe
def verify(request: HttpRequest) -> HttpResponse:
    """What commit, reveal and verify mean; finds a set by its commitment; the newest ones."""
    asked = "".join(request.GET.get("commitment", "").split()).lower()
    if re.fullmatch("[0-9a-f]{64}", asked) and sealed(asked).exists():
        return redirect("verify_set", asked)
    newest = (
        DealSet.objects.exclude(commitment="")
        .filter(sealed_at__isnull=False)
        .values("commitment", "revealed_at")
        .annotate(sealed=Min("sealed_at"))
        .order_by("-sealed")[:LISTED]
    )
    return render(request, "sets/verify.html", {"asked": asked[:80], "newest": newest})


def sealed(commitment: str) -> QuerySet[DealSet]:
    """The sealed sets of a commitment, one a club that has it, the first sealed first."""
    sets = DealSet.objects.filter(commitment=commitment, sealed_at__isnull=False)
    return sets.select_related("club").order_by("sealed_at", "pk")


@require_safe
def verify_set(request: HttpRequest, commitment: str) -> HttpResponse:
    """One set as far as it is public: before the reveal nothing follows from the seed here but its commitment."""
    sets = list(sealed(commitment)) if commitment else []
    deal_set = found(sets[0] if sets else None)
    context = {"deal_set": deal_set, "sets": sets}
    if deal_set.revealed_at is not None:
        etuis = list(deal_set.etuis.exclude(cards="").values_list("number", "cards"))
        context |= {
            "command": command(deal_set, etuis[0][0], etuis[-1][0]),
            "lines": "\n".join(f"{number} {cards}" for number, cards in etuis),
            "count": len(etuis),
        }
    return render(request, "sets/verify_set.html", context)


def command(deal_set: DealSet, first: int, last: int) -> str:
    """What to type to deal the étuis of a revealed set again."""
    words = ["python3", "topage_deals.py", deal_set.seed, str(first), str(last)]
    if deal_set.players != 4:
        words += ["--players", str(deal_set.players)]
    if deal_set.value:
        words += ["--value", deal_set.value]
    if deal_set.profile:
        words += ["--profile", deal_set.profile]
    return shlex.join(words)


@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """What a taker profile asks of a hand, and the hands it gives against unfiltered ones."""
    data = found(counted(name) if name in PROFILES else None)
    attempts = Fraction(data["profiled"]["attempts"], data["boards"])
    return render(request, "sets/profile.html", {"profile": data, "charts": charts(data), "attempts": attempts})

"""The evenings of a tournament that are still to come: all of them on one page, to be deleted by ticking them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Tournament
from tournaments.permissions import MOST_NUMBER, Can
from tournaments.sessions.weekly import delete_evenings, find_evenings_ahead
from tournaments.web.doors import author, tournament_page
from tournaments.web.numbers import number_of, read_number


@tournament_page(Can.DIRECT)
def evenings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Those that the address says were just made are ticked, so that one click takes them back."""
    if request.method == "POST":
        numbers = [number_of(each) for each in request.POST.getlist("number")]
        count = delete_evenings(tournament_id=tournament.pk, numbers=numbers, by=author(request), now=timezone.now())
        if count:
            told = ngettext("%(count)s evening is deleted.", "%(count)s evenings are deleted.", count)
            messages.success(request, told % {"count": count})
        else:
            messages.error(request, _("Nothing is ticked that could be deleted: tick evenings that have not begun."))
        return redirect("evenings", tournament.club.slug, tournament.slug)
    first, last = (read_number(request.GET, name) for name in ("first", "last"))
    context = {
        "club": tournament.club,
        "tournament": tournament,
        "evenings": find_evenings_ahead(tournament),
        "made": range(first, min(last, MOST_NUMBER) + 1) if first else (),
    }
    return render(request, "prepare/evenings.html", context)

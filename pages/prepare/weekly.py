"""The page of a tournament's coming evenings, where a director ticks those to delete."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evenings.sessions.weekly import delete_evenings, find_evenings_ahead
from pages.acting import signed
from pages.doors import tournament_page
from pages.roster_rows import tell_counted
from tournaments.models import Tournament
from tournaments.numbers import parse_number, read_number
from tournaments.permissions import MOST_NUMBER, Can


@tournament_page(Can.DIRECT)
def evenings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the coming evenings. A POST deletes the ticked ones.

    New evenings, from number `first` to `last` in the address, are ticked, so that one click deletes them again.
    """
    if request.method == "POST":
        numbers = [parse_number(each) for each in request.POST.getlist("number")]
        count = delete_evenings(tournament_id=tournament.pk, numbers=numbers, **signed(request))
        if count:
            told = ngettext("%(count)s evening is deleted.", "%(count)s evenings are deleted.", count)
            tell_counted(request, told, count)
        else:
            messages.error(
                request, _("None of the ticked evenings can be deleted: tick evenings that have not started.")
            )
        return redirect("evenings", tournament.club.slug, tournament.slug)
    first, last = (read_number(request.GET, name) for name in ("first", "last"))
    context = {
        "club": tournament.club,
        "tournament": tournament,
        "evenings": find_evenings_ahead(tournament),
        "made": range(first, min(last, MOST_NUMBER) + 1) if first else (),
    }
    return render(request, "prepare/evenings.html", context)

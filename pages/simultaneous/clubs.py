"""The pages on which a club answers an invitation to a simultaneous, by its list or by the organiser's link."""

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.models import Club, real_clubs
from clubs.roles import directed_by
from pages.acting import done, signed
from pages.doors import ACTION, club_page
from pages.reason import read_typed
from pages.simultaneous.readers import find_phase, get_invitation
from rankings.simultaneous.membership import agree_to_simultaneous, join_by_link, leave_simultaneous
from rankings.simultaneous.refusals import SimultaneousRefused
from tournaments.permissions import Can
from tournaments.words.messages import say


@club_page(Can.DIRECT, ACTION, back="simultaneous_list")
def simultaneous_answer(request: HttpRequest, club: Club, row: int) -> HttpResponse:
    """Agree, for a club, to play a simultaneous, or leave it."""
    do = request.POST.get("do")
    if do == "agree":
        told = agree_to_simultaneous(club=club, row_id=row, **signed(request))
        text = _("Your club takes part: its copy of the étuis is ready for your session.")
        return done(request, text, "simultaneous", told.simultaneous.club.slug, told.simultaneous.slug)
    if do == "leave":
        leave_simultaneous(club=club, row_id=row, reason=read_typed(request.POST, "reason"), **signed(request))
        text = _("Your club does not play this simultaneous. Its own evenings stay as they are.")
        return done(request, text, "simultaneous_list", club.slug)
    return redirect("simultaneous_list", club.slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def simultaneous_join(request: HttpRequest, token: str) -> HttpResponse:
    """Show the invitation that a link brings. A POST joins with one of the clubs that the account directs."""
    found = get_invitation(token)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    clubs = list(Club.objects.filter(real_clubs(), pk__in=directed_by(request.user)).order_by("name", "pk"))
    inside = set(found.clubs.filter(left_at=None, agreed_at__isnull=False).values_list("club", flat=True))
    error = ""
    if request.method == "POST":
        club = next((each for each in clubs if each.slug == request.POST.get("club")), None)
        try:
            if club is None:
                raise SimultaneousRefused("simultaneous_club_unknown", "club")
            join_by_link(club=club, token=token, **signed(request))
            text = _("Your club takes part: its copy of the étuis is ready for your session.")
            return done(request, text, "simultaneous", found.club.slug, found.slug)
        except SimultaneousRefused as refusal:
            error = say(refusal)
    context = {
        "club": found.club,
        "simultaneous": found,
        "phase": find_phase(found, timezone.now()),
        "choices": [each for each in clubs if each.pk not in inside],
        "already": [each for each in clubs if each.pk in inside],
        "error": error,
    }
    return render(request, "simultaneous/join.html", context)

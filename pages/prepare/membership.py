"""The form for the last day of a player's membership, for clubs that keep a cash box."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.editing import set_member_until
from clubs.models import Club
from pages.acting import done
from pages.doors import author


class MembershipForm(forms.Form):
    """A form for the last day of a player's membership. Empty for a player who is no member."""

    member_until = forms.DateField(
        label=gettext_lazy("Member of the club until"),
        required=False,
        help_text=gettext_lazy("Empty: not a member. The check-in proposes the fee for members until this day."),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )


def save_membership(request: HttpRequest, club: Club, player_id: int) -> HttpResponse | None:
    """Store the posted day and return the redirect to the player, or None if it is no day."""
    form = MembershipForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(form.errors["member_until"][0]))
        return None
    set_member_until(club=club, player_id=player_id, until=form.cleaned_data["member_until"], by=author(request))
    return done(request, _("The membership is saved."), "club_player", club.slug, player_id)

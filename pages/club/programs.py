"""The page of the tokens by which programs use the API for a club: a director makes one, and ends any of them."""

import datetime as dt
from typing import Any, NamedTuple

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.accounts.program_tokens import (
    LONGEST,
    NewToken,
    end_program_token,
    make_program_token,
    tokens_of,
    why_token_is_over,
)
from clubs.models import Club, ProgramToken, Scope
from clubs.roles import latest_day, require_directing
from pages.acting import done, refusals_in, signed
from pages.doors import ACTION, author, club_page
from pages.form_fields import DayField, ShortTextField
from tournaments.permissions import Can

WHY_OVER = {
    "ended": gettext_lazy("ended"),
    "expired": gettext_lazy("its last day is over"),
    "role": gettext_lazy("the role or the account of its owner is over"),
    "password": gettext_lazy("its owner has a new password, or has logged out everywhere"),
}


class TokenForm(forms.Form):
    name = ShortTextField(
        gettext_lazy("Name"), 80, help_text=gettext_lazy("The program that will use it: “Website of the club”.")
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("The program may"),
        choices=Scope.choices,
        help_text=gettext_lazy("Only what it needs. Anybody who has the token can do as much."),
        widget=forms.CheckboxSelectMultiple,
    )
    ends_on = DayField(gettext_lazy("Last day"), help_text=gettext_lazy("A year at most."))


class TokenRow(NamedTuple):
    """A token as the directors of its club see it. `over` says why it is over, or is empty."""

    token: ProgramToken
    owner: str
    made_on: str
    scopes: str
    over: str


@club_page(Can.DIRECT, real=True)
def show_programs(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the tokens. A POST makes one; it is shown only once, on this page."""
    form = TokenForm(request.POST or None, initial=initial_values(request, club))
    told: dict[str, Any] = {}
    if form.is_valid():
        with refusals_in(form):
            values = form.cleaned_data
            token = NewToken(values["name"], frozenset(values["scopes"]), values["ends_on"])
            told = {"secret": make_program_token(club, token, **signed(request)), "made": token.name}
            form = TokenForm(initial=initial_values(request, club))
    rows = rows_of(club, timezone.now())
    context = {
        "club": club,
        "form": form,
        "rows": [row for row in rows if not row.over],
        "rows_over": [row for row in rows if row.over],
    }
    return render(request, "club/programs.html", context | told)


def initial_values(request: HttpRequest, club: Club) -> dict[str, Any]:
    member = require_directing(author(request), club)
    return {"scopes": [Scope.READ], "ends_on": latest_day(member, LONGEST, timezone.now())}


def rows_of(club: Club, now: dt.datetime) -> list[TokenRow]:
    rows = []
    for token in tokens_of(club):
        why = why_token_is_over(token, now)
        scopes = ", ".join(str(scope.label) for scope in token.scopes)
        made_on = date_format(timezone.localtime(token.made_at), "DATE_FORMAT")
        rows.append(TokenRow(token, token.member.user.shown_name, made_on, scopes, str(WHY_OVER[why]) if why else ""))
    return rows


@club_page(Can.DIRECT, ACTION, back="programs")
def token_end(request: HttpRequest, club: Club, token: int) -> HttpResponse:
    end_program_token(club.real, token, **signed(request))
    return done(request, _("The token has ended: no program can use it any more."), "programs", club.real.slug)

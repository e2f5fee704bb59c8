"""The blocks of pages that act: who makes a change, how a refusal is shown, and where to go afterwards."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypedDict

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from clubs.models import User
from clubs.roster import RosterError
from movements import PlanError
from pages.doors import author
from tournaments.words.messages import say
from wording import Refusal


class Signed(TypedDict):
    """The author of a change and its moment, as services take them: `publish(session, **signed(request))`."""

    by: User
    now: dt.datetime


def signed(request: HttpRequest) -> Signed:
    """Return the user who makes the request, and the present moment."""
    return Signed(by=author(request), now=timezone.now())


@contextmanager
def refusals_in(form: BaseForm, field: str | None = None) -> Iterator[None]:
    """Show a refusal that is raised inside beside its field, else beside `field`, or above the form without `field`.

    Return the answer inside the block too: after a refusal, the code behind it runs, and shows the page again.
    """
    try:
        yield
    except (Refusal, PlanError, RosterError) as refusal:
        named = getattr(refusal, "field", "")
        form.add_error(named if named in form.fields else field, ValidationError(say(refusal), refusal.code))


@contextmanager
def refusals_told(request: HttpRequest) -> Iterator[None]:
    """Tell a refusal that is raised inside as a message of the next page that is shown."""
    try:
        yield
    except (Refusal, PlanError, RosterError) as refusal:
        messages.error(request, say(refusal))


def done(request: HttpRequest, text: str, to: str, *args: str | int) -> HttpResponse:
    """Redirect to the page `to`, which shows the text as a message of success."""
    messages.success(request, text)
    return redirect(to, *args)

"""The steps that a director takes with a published ranking, for the pages of all kinds of rankings but a session's."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from pages.acting import signed
from pages.reason import ReasonForm
from tournaments.versions.steps import DirectorWord

TakeStep = Callable[[int, DirectorWord], Any]


class RankingSteps(NamedTuple):
    """The functions that carry out the steps of one kind of ranking. Each takes the owner's id and the director's word.

    The names of the fields are those in the addresses of the steps.
    """

    official: TakeStep
    reopen: TakeStep
    withdraw: TakeStep


def take_ranking_step(request: HttpRequest, steps: RankingSteps, step: str, owner_id: int) -> str:
    """Carry out a step, and return the message about it.

    The reason in the request counts for all steps but to make the ranking official. Raise `Http404` for an unknown
    step.
    """
    told = {
        "official": _("The ranking is official."),
        "reopen": _("The ranking is provisional again, and readers see why."),
        "withdraw": _("The ranking is withdrawn, and readers see why."),
    }
    if step not in told:
        raise Http404
    form = ReasonForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() and step != "official" else ""
    getattr(steps, step)(owner_id, DirectorWord(**signed(request), reason=reason))
    return told[step]


def make_step_forms() -> dict[str, ReasonForm]:
    """Return the forms for the reasons of two steps, for the template `desk/end/_publication.html`."""
    return {"reopening": ReasonForm(auto_id="reopen_%s"), "withdrawing": ReasonForm(auto_id="withdraw_%s")}

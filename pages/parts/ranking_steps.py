"""The publishing of a ranking and the later steps of a director, for the pages of all kinds of rankings.

A session is published with choices of what readers see: its own page has them.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from pages.acting import done, signed
from pages.form_fields import ReasonForm
from rankings.publication.differences import list_changes
from tournaments.errors import ActionRefused
from tournaments.published import Shows
from tournaments.versions.rankings import FiguredRankings, Rankings
from tournaments.versions.steps import DirectorWord, find_newest_version
from tournaments.words.messages import say


def answer_publishing(
    request: HttpRequest, rankings: FiguredRankings[Any, Any], owner: Any, published: tuple[str, ...]
) -> HttpResponse | dict[str, Any]:
    """Publish the ranking of an owner if the request says so, and return the answer to it.

    Otherwise return the context of the page: what publishing would change, and the forms. If it would be refused,
    `refusal` says why. `published` has the message of success, and the page to show then with the parts of its address.
    """
    now, error, refusal = timezone.now(), "", ""
    last = find_newest_version(owner)
    due, official = None, rankings.is_official(last, now)
    try:
        due = rankings.find_due(owner, last, now)
    except ActionRefused as refused:
        refusal = say(refused)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    form.fields["reason"].required = wants_reason = due is not None and due.wants_reason
    if form.is_valid():
        try:
            rankings.publish(owner.pk, DirectorWord(**signed(request), reason=form.cleaned_data["reason"]))
            return done(request, *published)
        except ActionRefused as refused:
            error, refusal = say(refused), ""
    return {
        "last": last,
        "due": due is not None,
        "official": official,
        "changes": list_changes(due.changes, Shows(), version=last) if due else [],
        "wants_reason": wants_reason,
        "form": form,
        "error": error,
        "refusal": refusal,
        **make_step_forms(),
    }


def take_ranking_step(request: HttpRequest, rankings: Rankings[Any, Any], step: str, owner_id: int) -> str:
    """Carry out a step, and return the message about it.

    The reason in the request counts for all steps but to make the ranking official. Raise `Http404` for an unknown
    step.
    """
    steps = {
        "official": (rankings.make_official, _("The ranking is official.")),
        "reopen": (rankings.reopen, _("The ranking is provisional again, and readers see why.")),
        "withdraw": (rankings.withdraw, _("The ranking is withdrawn, and readers see why.")),
    }
    if step not in steps:
        raise Http404
    form, (take, told) = ReasonForm(request.POST), steps[step]
    reason = form.cleaned_data["reason"] if form.is_valid() and step != "official" else ""
    take(owner_id, DirectorWord(**signed(request), reason=reason))
    return told


def make_step_forms() -> dict[str, ReasonForm]:
    """Return the forms for the reasons of two steps, for the template `desk/end/_publication.html`."""
    return {"reopening": ReasonForm(auto_id="reopen_%s"), "withdrawing": ReasonForm(auto_id="withdraw_%s")}

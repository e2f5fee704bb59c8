"""The page on which a director publishes a ranking of any kind, and the later steps."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from pages.acting import done, signed
from pages.form_fields import ReasonForm
from rankings.kinds import AnyKind
from rankings.publication.differences import list_changes
from tournaments.errors import ActionRefused
from tournaments.published import Shows
from tournaments.versions import DirectorWord, find_newest_version
from tournaments.words.messages import say


def answer_publishing(
    request: HttpRequest,
    kind: AnyKind,
    owner: Any,
    tell: Callable[[], tuple[str, ...]],
    describe: Callable[[Mapping[str, Any]], dict[str, Any]],
    make_form: Callable[[Any], ReasonForm] = ReasonForm,
) -> HttpResponse:
    """Publish the ranking of an owner if the request says so, and return the answer to it.

    Otherwise show what publishing would change, and the forms. If it would be refused, `refusal` says why. `tell`
    returns the message of success, and the page to show then with the parts of its address. `describe` gets what all
    kinds show, and returns what only the page of this kind shows. A form may have `terms`, the director's choices.
    """
    now, error, refusal = timezone.now(), "", ""
    last = find_newest_version(owner)
    due, official = None, kind.is_official(last, now)
    try:
        due = kind.find_due(owner, last, now)
    except ActionRefused as refused:
        refusal = say(refused)
    form = make_form(request.POST if request.method == "POST" else None)
    form.fields["reason"].required = wants_reason = due is not None and due.wants_reason
    if form.is_valid():
        word = DirectorWord(**signed(request), reason=form.cleaned_data["reason"])
        try:
            kind.publish(owner.pk, word, getattr(form, "terms", None))
            return done(request, *tell())
        except ActionRefused as refused:
            error, refusal = say(refused), ""
    place = kind.place(last) if last else None
    steps = ("official", "reopen", "withdraw")
    shown = {
        "last": last,
        "place": place,
        "due": due is not None,
        "official": official,
        "changes": list_changes(due.changes, Shows(), version=last) if due else [],
        "wants_reason": wants_reason,
        "form": form,
        "error": error,
        "refusal": refusal,
        "reopening": ReasonForm(auto_id="reopen_%s"),
        "withdrawing": ReasonForm(auto_id="withdraw_%s"),
        **({f"{step}_url": reverse(kind.steps, args=[*place.place, step]) for step in steps} if place else {}),
    }
    return render(request, f"ranking/publish/{kind.name}.html", shown | describe(shown))


def take_ranking_step(request: HttpRequest, kind: AnyKind, step: str, owner_id: int, *page: str) -> HttpResponse:
    """Carry out a step and lead on to `page`, given by its name with the parts of its address, or by its path.

    The reason in the request counts for all steps but to make the ranking official. Raise `Http404` for an unknown
    step.
    """
    steps = {
        "official": (kind.make_official, _("The ranking is official.")),
        "reopen": (kind.reopen, _("The ranking is provisional again, and readers see why.")),
        "withdraw": (kind.withdraw, _("The ranking is withdrawn, and readers see why.")),
    }
    if step not in steps:
        raise Http404
    form, (take, told) = ReasonForm(request.POST), steps[step]
    reason = form.cleaned_data["reason"] if form.is_valid() and step != "official" else ""
    take(owner_id, DirectorWord(**signed(request), reason=reason))
    return done(request, told, *page)

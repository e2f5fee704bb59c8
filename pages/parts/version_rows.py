"""The page that lists all versions of a ranking, for all kinds of rankings."""

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from rankings.listing import kind_of
from rankings.publication.differences import ChangeInWords, list_versions
from tournaments.models import Version
from tournaments.published import Shows


class VersionRow(NamedTuple):
    """A version on the page of all versions.

    `changes` has its changes as text. If they are not shown, `untold` has the reason. `address` is the version's page,
    or "" if readers may not see the version.
    """

    version: Version
    changes: list[ChangeInWords]
    address: str
    untold: str = ""


def show_versions(
    request: HttpRequest,
    owner: Any,
    context: dict[str, Any],
    address: Callable[[int], str],
    *,
    shows: Shows = Shows(),  # noqa: B008
    held: Collection[int] = (),
) -> HttpResponse:
    """Show every version of the ranking of an owner with its changes, the newest first.

    `address` returns the address of a version. `held` has the numbers of the versions that are held back. `context`
    has the `title` and `page` of a ranking that has no version yet.
    """
    reasons = {
        "": "",
        "held": _("It counts a session whose ranking is not shown, so nothing of it is shown until that ranking is."),
        "held_before": _("The changes are not shown: the version before counts a session whose ranking is not shown."),
        "hidden": _("What changed is not shown."),
    }
    rows = [
        VersionRow(
            each.version, each.changes, address(each.version.version) if each.is_open else "", reasons[each.untold]
        )
        for each in list_versions(owner, shows, held)
    ]
    if rows:
        newest = rows[0].version
        context |= {"title": kind_of(newest).title(newest), "page": kind_of(newest).place(newest).page}
    return render(request, "public/versions.html", context | {"versions": rows})

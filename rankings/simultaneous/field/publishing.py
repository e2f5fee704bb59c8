"""The published, frozen versions of a simultaneous' ranking.

The organiser publishes provisional versions as clubs come in. While results still count, no version can become
official: its window is made longer, also if a club came after the version was published. When the field is over, the
sweep publishes what came in since. So an old version does not become official by itself.
"""

import datetime as dt
from collections.abc import Mapping
from functools import partial
from math import ceil
from operator import attrgetter
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from evenings.reference import find_field_reference
from rankings.kinds import (
    Actions,
    RankingAddresses,
    RankingKind,
    do_for_each,
    lock_if_free,
    sum_names_versions,
    write_step_of_club,
)
from rankings.publication.order import read_podiums
from rankings.simultaneous.field.computing import find_basis_of_field, read_sources, refresh_field
from rankings.simultaneous.field.report import find_field_stamp
from rankings.simultaneous.writing import FieldRefused, lock_simultaneous, refuse_received
from tournaments.models import FieldPublication, FieldStandings, Simultaneous, SimultaneousClub
from tournaments.versions import (
    PROVISIONAL,
    DirectorWord,
    FiguresToPublish,
    VersionComparison,
    find_newest_version,
    find_newest_versions,
    has_figures,
    is_over,
)

Data = Mapping[str, Any]
HOUR = dt.timedelta(hours=1)


def find_field_figures(simultaneous: Simultaneous, _last: FieldPublication | None) -> FiguresToPublish:
    """Return the stored standings as figures to publish. Raise `FieldRefused` if no result counts yet."""
    kept = FieldStandings.objects.filter(simultaneous=simultaneous).exclude(computed_at=None).first()
    if kept is None or not kept.data["etuis"]:
        raise FieldRefused("field_nothing_counts")
    versions = {pk: basis[0] for pk, basis in kept.basis["sessions"].items()}
    return FiguresToPublish(kept.data, simultaneous.revision, {"sessions": versions})


def find_window(simultaneous: Simultaneous, now: dt.datetime, *, is_complete: bool) -> int:
    """Return the hours for which a version is provisional. While results still count, they begin at the public hour."""
    waits = 0 if is_complete else max(0, ceil((simultaneous.public_at - now) / HOUR))
    return simultaneous.window_hours + waits + (not is_complete and not simultaneous.window_hours)


def lengthen_window(
    simultaneous: Simultaneous, version: FieldPublication, now: dt.datetime, *, is_complete: bool
) -> None:
    """Let a version whose window has ended stay provisional, for as long as a new version would be."""
    hours = max(1, find_window(simultaneous, now, is_complete=is_complete))
    version.official_from = now + hours * HOUR
    version.save(update_fields=["official_from"])


def has_present_figures(simultaneous: Simultaneous, last: FieldPublication, now: dt.datetime) -> bool:
    """Return whether a version has the figures that the field has now."""
    if is_field_stale(simultaneous, now):
        return False
    return has_figures(last, FieldStandings.objects.get(simultaneous=simultaneous).data)


def is_field_stale(simultaneous: Simultaneous, now: dt.datetime) -> bool:
    """Return whether the stored standings are missing or were computed from older data."""
    kept = FieldStandings.objects.filter(simultaneous=simultaneous).exclude(computed_at=None).first()
    return kept is None or kept.basis != find_basis_of_field(simultaneous, read_sources(simultaneous, now))


def compare_field_versions(before: Data, after: Data) -> list[dict[str, Any]]:
    """Return the changes between two stored rankings of a field, as codes with parameters.

    Thousands of players may move: only their number is told.
    """
    were, are = ({each["session"] for each in data["clubs"] if each["scored"]} for data in (before, after))
    ruled = [
        {each["number"]: (each["annulled"], {(part["part"], part["own"]) for part in each["parts"]}) for each in etuis}
        for etuis in (before["etuis"], after["etuis"])
    ]
    same = ruled[0].keys() & ruled[1].keys()
    olds, news = (
        {(each["session"], each["player"]): (each["overall"], each["rank_general"]) for each in data["players"]}
        for data in (before, after)
    )
    moved = sum(olds[who] != figures for who, figures in news.items() if who in olds)
    return [
        *([{"code": "field_clubs_came", "count": len(are - were)}] if are - were else []),
        *([{"code": "field_clubs_gone", "count": len(were - are)}] if were - are else []),
        *([{"code": "field_etuis"}] if any(ruled[0][number] != ruled[1][number] for number in same) else []),
        *([{"code": "percentages", "count": moved}] if moved else []),
    ]


def lock_to_publish(simultaneous_id: int) -> Simultaneous:
    """Return the simultaneous, locked. Raise `FieldRefused` if it was received from another site."""
    simultaneous = lock_simultaneous(simultaneous_id)
    refuse_received(simultaneous)
    return simultaneous


def keep_provisional(
    simultaneous: Simultaneous,
    last: FieldPublication | None,
    figures: FiguresToPublish,
    word: DirectorWord,
    _terms: None,
) -> None:
    """Make the window of the newest version longer, if it is over but the version has older figures."""
    if last is not None and is_over(last, word.now):
        lengthen_window(simultaneous, last, word.now, is_complete=figures.data["complete"])


def check_official(simultaneous_id: int, now: dt.datetime) -> None:
    """Raise `FieldRefused` while results still count, or if the published figures are older than those of the field."""
    simultaneous = Simultaneous.objects.get(pk=simultaneous_id)
    if not read_sources(simultaneous, now).is_complete:
        raise FieldRefused("field_still_open")
    refresh_field(simultaneous_id, now=now)
    last = find_newest_version(simultaneous)
    if last is not None and last.status == PROVISIONAL and not has_present_figures(simultaneous, last, now):
        raise FieldRefused("field_outdated")


def may_end(simultaneous: Simultaneous, last: FieldPublication, now: dt.datetime) -> bool:
    """Return whether a version whose window is over may become official.

    If results still count, the window is made longer. If the figures are older than those of the field, the version is
    left as it is, and the sweep publishes the figures of now.
    """
    if not read_sources(simultaneous, now).is_complete:
        lengthen_window(simultaneous, last, now, is_complete=False)
        return False
    return has_present_figures(simultaneous, last, now)


def renew_all(now: dt.datetime) -> None:
    """Renew the provisional version of each field that is over."""
    failed = "The ranking of simultaneous %s could not be renewed: the next sweep tries again."
    do_for_each(find_unsettled_fields(), partial(renew_when_over, now=now), failed=failed)


def find_unsettled_fields() -> list[int]:
    """Return the ids of the simultaneous whose newest version is provisional."""
    newest = find_newest_versions(FieldPublication, "simultaneous").filter(status=PROVISIONAL)
    return list(newest.order_by("simultaneous").values_list("simultaneous", flat=True))


def renew_when_over(simultaneous_id: int, *, now: dt.datetime) -> bool:
    """Publish the present standings of a field that is over, if its provisional version has older figures.

    Return True if a version was added.
    """
    simultaneous = Simultaneous.objects.get(pk=simultaneous_id)
    if not read_sources(simultaneous, now).is_complete:
        return False
    refresh_field(simultaneous_id, now=now)
    with transaction.atomic():
        locked = FIELDS.lock_free(simultaneous_id)
        last = None if locked is None else find_newest_version(locked)
        if locked is None or last is None or last.status != PROVISIONAL:
            return False
        try:
            due = FIELDS.find_due(locked, last, now)
        except FieldRefused:  # no result counts any more
            return False
        return due is not None and bool(FIELDS.publish_locked(locked, DirectorWord(None, now)).pk != last.pk)


FIELDS = RankingKind(
    name="field",
    model=FieldPublication,
    owner="simultaneous",
    club="simultaneous__club",
    steps="field_step",
    actions=Actions("field_published", "field_official", "field_withdrawn", "field_reopened"),
    lock=lock_simultaneous,
    lock_free=partial(lock_if_free, Simultaneous),
    lock_to_publish=lock_to_publish,
    write_log=partial(write_step_of_club, "simultaneous"),
    compared=VersionComparison(compare_field_versions),
    find_figures=find_field_figures,
    find_stamp=find_field_stamp,
    prepare=lambda simultaneous_id, now: refresh_field(simultaneous_id, now=now),
    check=keep_provisional,
    find_window=lambda owner, figures, now: find_window(owner, now, is_complete=figures.data["complete"]),
    may_end=may_end,
    check_official=check_official,
    renew_all=renew_all,
    find_owners=lambda whose: Simultaneous.objects.filter(whose.choose("simultaneous")),
    more={"other_names": sum_names_versions(SimultaneousClub, "simultaneous")},
    podiums=partial(
        read_podiums,
        find_rank=lambda stored: find_field_reference(has_alterne=bool(stored["data__alterne"])).rank,
        figure="overall",
    ),
    addresses=RankingAddresses(
        *("field", "field_version", "field_versions", "field_podium", "field_pdf", "api_field", "club_feed"), of_feed=1
    ),
    find_place=lambda simultaneous: (simultaneous.club.slug, simultaneous.slug),
    title=lambda version: _("%(title)s, ranking of all clubs") % {"title": version.simultaneous.title},
    name_owner=attrgetter("title"),
)

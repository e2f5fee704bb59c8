"""The licences of the federation's list, offered for the new names of a pasted list. Only directors see them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from django.conf import settings

from clubs.matching import LICENSED, LineState, MatchRow
from clubs.models import Club, LicenceHolder
from clubs.models.folded import fold
from clubs.names import licence_key
from clubs.roster import RosterLine


def offer_licences(club: Club, rows: Sequence[MatchRow]) -> list[MatchRow]:
    """Return the rows of a list. A new name that exactly one person on the federation's list has is asked about.

    No player of the club and no other row has the licence of that person. This takes at most two queries.
    """
    names = {row.key: fold(row.line.first_name, row.line.last_name) for row in rows if row.line and is_bare(row)}
    named = defaultdict[str, list[LicenceHolder]](list)
    if names and settings.LICENCE_SEARCH:
        for holder in LicenceHolder.objects.filter(list__club=club, folded__in=set(names.values())):
            named[holder.folded].append(holder)
    if not named:
        return list(rows)
    licences = [row.line.licence for row in rows if row.line]
    licences += club.players.real().exclude(licence="").values_list("licence", flat=True)
    taken = set(map(licence_key, licences))
    only = {name: found[0] for name, found in named.items() if len(found) == 1 and found[0].key not in taken}
    return [ask_about_holder(row, only.get(names.get(row.key, "")), club) for row in rows]


def is_held(club: Club, line: RosterLine) -> bool:
    """Return whether the federation's list that the club keeps has a person of this name with this licence."""
    named = LicenceHolder.objects.filter(list__club=club, folded=fold(line.first_name, line.last_name))
    return named.filter(key=licence_key(line.licence)).exists()


def is_bare(row: MatchRow) -> bool:
    """Return whether the row is somebody new without a licence."""
    return row.state == LineState.NEW and row.line is not None and not row.line.licence


def ask_about_holder(row: MatchRow, holder: LicenceHolder | None, club: Club) -> MatchRow:
    """Return the row with the question whether it is this person of the federation's list, which is likely."""
    if row.line is None or holder is None:
        return row
    line = replace(
        row.line,
        licence=holder.licence,
        category=row.line.category or holder.category,
        series=row.line.series or holder.series,
        origin=row.line.origin or holder.find_origin(club),
    )
    return replace(row, state=LineState.DOUBTFUL, licensed=line, likely=LICENSED)

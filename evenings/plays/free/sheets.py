"""The sheet of a game: its first deal without result has the marks, and the later deals have none of their own.

The later deals get the ruling "on the sheet", by which they count as not played. The functions run in the transaction
that enters or withdraws the sheet. Its caller has locked the first deal and, with it, the table.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from clubs.models import User
from evenings.plays.free.refusals import FreeDealsRefused
from evenings.plays.state import WAITED_FOR, PlayState, with_states
from scoring.formats import find_format
from tournaments.models import Play, ResultEntry, Ruling, Session
from tournaments.models.seats import ALL_SEAT_COLUMNS
from tournaments.rules.entry import Entry, GameSheet, seat_entry

ON_SHEET = Ruling.RulingKind.ON_SHEET


def fit_entry(play: Play, entry: Entry) -> Entry:
    """Return the entry of a play with the number of people who play it. With étuis for four, nothing changes.

    Raise `EntryError` if the entry names somebody who does not play the deal, or lacks somebody.
    """
    if not find_format(play.session.tournament.format).has_games:
        return entry
    return seat_entry(entry, [*play.seat_ids] if isinstance(entry, GameSheet) else play.playing_seats)


def refuse_on_sheet(play: Play) -> None:
    """Raise `FreeDealsRefused` if the sheet of its game has the marks of this deal."""
    if not find_format(play.session.tournament.format).has_free_deals:
        return
    newest = Ruling.objects.filter(play=play.pk).order_by("-id").first()
    if newest is not None and newest.kind == ON_SHEET:
        raise FreeDealsRefused("deal_on_sheet", number=play.etui.number)


def refuse_other_kind(entry: Entry, current: ResultEntry) -> None:
    """Raise `FreeDealsRefused` if a sheet would replace the result of a deal, or the other way round."""
    if isinstance(entry, GameSheet) != (current.kind == GameSheet.kind):
        raise FreeDealsRefused("sheet_and_deals")


def refuse_decided(play: Play, entry: Entry) -> None:
    """Raise `FreeDealsRefused` if a first entry is a sheet, and the arbiter has decided this deal alone."""
    if not isinstance(entry, GameSheet):
        return
    newest = Ruling.objects.filter(play=play.pk).order_by("-id").first()
    if newest is not None and newest.kind in (Ruling.RulingKind.ANNULLED, Ruling.RulingKind.ADJUSTED):
        raise FreeDealsRefused("sheet_and_ruling", number=play.etui.number)


def cover_game(play: Play, entry: Entry, columns: Mapping[str, Any], *, now: dt.datetime) -> list[int]:
    """Put the later deals of the game on the sheet that its deal `play` gets. Return the ids of their étuis.

    Nothing is covered if the entry is no sheet, or is contested. `columns` has the author or the device of the entry.
    Raise `FreeDealsRefused` if an earlier deal still waits for its result, or if a later one has a result.
    """
    if not isinstance(entry, GameSheet) or columns.get("contested"):
        return []
    refuse_unfinished(play)
    later = find_game(play).filter(etui__number__gt=play.etui.number)
    covered = []
    for each in with_states(later).order_by("etui__number"):
        if each.entered:
            raise FreeDealsRefused("sheet_over_results", number=play.etui.number)
        if each.state in WAITED_FOR or each.ruling == ON_SHEET:
            covered.append(each)
    said = {name: columns[name] for name in ("author", "device") if name in columns}
    Ruling.objects.bulk_create(
        Ruling(play_id=each.pk, kind=ON_SHEET, ruled_at=now, **said) for each in covered if each.ruling != ON_SHEET
    )
    return [each.etui_id for each in covered]


def refuse_unfinished(play: Play) -> None:
    """Raise `FreeDealsRefused` if an earlier deal of the game than this one still waits for its result."""
    for each in with_states(find_game(play).filter(etui__number__lt=play.etui.number)):
        if each.state in WAITED_FOR:
            raise FreeDealsRefused("sheet_not_first", number=play.etui.number)


def uncover_game(withdrawn: ResultEntry, play: Play, *, now: dt.datetime, by: User) -> list[int]:
    """Let the deals on a withdrawn sheet wait for results of their own again. Return the ids of their étuis."""
    if withdrawn.kind != GameSheet.kind:
        return []
    on_sheet = find_game(play).filter(Exists(Ruling.objects.filter(play=OuterRef("pk"), kind=ON_SHEET)))
    back = [each for each in with_states(on_sheet).order_by("pk") if each.ruling == ON_SHEET]
    kind = Ruling.RulingKind.RESTORED
    Ruling.objects.bulk_create(Ruling(play_id=each.pk, kind=kind, ruled_at=now, author=by) for each in back)
    return [each.etui_id for each in back]


def find_game(play: Play) -> "QuerySet[Play]":
    """Return the queryset of the deals that the same people have at this table in the game of this deal."""
    return Play.objects.filter(
        session=play.session_id,
        position=play.position,
        table=play.table_id,
        **{column: getattr(play, column) for column in ALL_SEAT_COLUMNS},
    )


def count_not_played(session: Session) -> int:
    """Return how many deals of a session are not played. Deals that the sheet of a game covers are played."""
    return with_states(session.plays.all()).filter(state=PlayState.NOT_PLAYED).exclude(ruling=ON_SHEET).count()

"""The results of games that the tables deal: who leads a deal, the sheet of a whole game, places, missing results.

The first deal of a sheet without a result has the marks of the whole game. The later deals get the ruling "on the
sheet", by which they count as not played. The functions run in the transaction
that enters or withdraws the sheet. Its caller has locked the first deal and, with it, the table.
"""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.db.models import Count, Exists, Min, OuterRef, QuerySet

from clubs.models import User
from deals.domain.cards import Seat
from deals.domain.etui import leader
from evenings.plays.state import WAITED_FOR, PlayState, with_states
from scoring.formats import find_format
from scoring.free import find_dealer, find_opener
from tournaments.errors import ActionRefused
from tournaments.models import Entrant, Play, ResultEntry, Ruling, Session
from tournaments.models.seats import ALL_SEAT_COLUMNS, sits_at_play
from tournaments.rules.entry import Entry, GameSheet, seat_entry
from wording import Texts
from wording import gettext_noop as _


class FreeDealsRefused(ActionRefused):
    """A refused write to a game whose cards the tables deal."""

    messages: ClassVar[Texts] = {
        "deal_on_sheet": _("Deal %(number)s is on the sheet of its game: withdraw that sheet first."),
        "sheet_and_deals": _("A sheet has the marks of a whole game: withdraw what is entered here first."),
        "sheet_over_results": _("A later deal of this game has a result: withdraw it, or enter the game deal by deal."),
        "sheet_not_first": _("An earlier deal of this game has no result: put the sheet on the first one without."),
        "notes_not_fixed": _("Marks are added up here: assign a base score, or the marks of each player."),
        "marks_and_score": _("Assign a base score or the marks of each player, not both."),
        "score_on_sheet": _(
            "The sheet here has the marks of a whole game: assign the marks of each player for it, or withdraw the "
            "sheet and assign the deal."
        ),
        "sheet_and_ruling": _("The arbiter has decided this deal: withdraw that ruling first, or use the next deal."),
        "etui_is_a_number": _("The tables deal here, and a deal’s number is no étui: rule on the deals of each table."),
    }


def find_leading_seat(play: Play) -> str:
    """Return the seat that leads.

    It is to the right of the dealer. The étui names the dealer; where the table deals, the deal's number decides it.
    """
    if play.etui.dealer:
        return leader(Seat(play.etui.dealer), len(play.seat_ids)).value
    return find_opener(play.playing_seats, find_dealer(play.seat_ids, number_in_game(play)))


def find_shown_number(play: Play, stride: int = 0) -> int:
    """Return the number that people read: the étui's, or the deal's number in its game where the table deals.

    `stride`: by how many numbers the first deal of a game follows that of the game before. Lists of many plays give
    it, because without it the number of a deal takes one query.
    """
    if play.etui.dealer:
        return play.etui.number
    return play.etui.number - (play.position - 1) * stride if stride else number_in_game(play)


def number_in_game(play: Play) -> int:
    """Return the number of a deal in its game, from 1 on, where the tables deal. This takes one query."""
    game = Play.objects.filter(session=play.session_id, position=play.position, table=play.table_id)
    return play.etui.number - (game.aggregate(first=Min("etui__number"))["first"] or play.etui.number) + 1


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """The table and the seat of a player in a game or a position.

    `table` is a text if a team sits at several tables at once: "1–3".
    """

    position: int
    table: int | str
    seat: str


def find_own_seats(entrant: Entrant, session: Session) -> list[OwnSeat]:
    """Return the player's places from the present game on, in one query. A game that is not seated yet is left out.

    If the player changes tables within a game, the later table is the one that is returned.
    """
    plays = session.plays.filter(sits_at_play(entrant), position__gte=session.position or 1, is_replay=False)
    found = {
        play.position: OwnSeat(play.position, play.table.number, seat)
        for play in plays.select_related("table").order_by("position", "etui__number")
        for seat, sitting in play.seat_ids.items()
        if sitting == entrant.pk
    }
    return list(found.values())


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
    if play.etui.dealer:
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


def count_unseated_results(session_id: int) -> int:
    """Return how many results the games that are not seated yet will have.

    Each counts as many as the last seated game. Return 0 before the start, or if all games are seated.
    """
    last = Play.objects.filter(session=session_id).values("position").annotate(plays=Count("pk")).order_by("-position")
    row = last.values_list("position", "plays", "session__positions").first()
    return 0 if row is None else max(0, row[2] - row[0]) * row[1]


def count_unseated(session: Session) -> int:
    """Return how many results are missing from games that are not seated yet: 0 where étuis are played."""
    return count_unseated_results(session.pk) if session.tournament.deals_freely else 0


def find_last_seated(session: Session, positions: Iterable[int]) -> int:
    """Return the last position in which people are seated. `positions` are those of plays, as far as games are seated.

    Where étuis are played, it is the last one of the session, because the plan has them all.
    """
    return max(positions, default=0) if session.tournament.deals_freely else session.positions


def count_unseated_after(session: Session, positions: Iterable[int]) -> int:
    """Return the same as `count_unseated` without a query. `positions` has the position of each play."""
    plays = list(positions)
    last = find_last_seated(session, plays)
    return (session.positions - last) * plays.count(last)

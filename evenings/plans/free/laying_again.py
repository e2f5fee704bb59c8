"""The plays of games of free deals after a change: those that differ are laid out again, and the others stay.

Somebody leaves or comes from a deal on, so only deals without a result may differ.
"""

import datetime as dt
from collections.abc import Mapping
from operator import itemgetter
from typing import Any

from evenings.plans.free.laying import fill_deal_seats, find_stride, lay_games, number_all_entrants
from evenings.plans.free.length import follow_end
from evenings.plans.free.refusals import GamesRefused
from evenings.plans.laying import list_planned, write_new_rows
from evenings.plays.entering import raise_results_version
from evenings.plays.state import PlayState, with_states
from evenings.tables.devices import open_tables
from movements import Plan
from tournaments.models import ArbiterCall, Play, ResultEntry, Ruling, Session
from tournaments.models.seats import ALL_SEAT_COLUMNS

COLUMNS = (*ALL_SEAT_COLUMNS, "resting")
Place = tuple[int, int, int]  # the numbers of the game, the table and the deal
Columns = dict[str, Any]


def lay_games_again(session: Session, games: Plan[int], *, now: dt.datetime) -> int:
    """Let the plays of the seated games be those of `games`, and return how many have changed.

    Raise `GamesRefused` if a deal that would change has begun, or has a result or a ruling.
    """
    with follow_end(session, now):
        return change_plays(session, games, now=now)


def change_plays(session: Session, games: Plan[int], *, now: dt.datetime) -> int:
    """Write the plays of the games as `lay_games_again` does, but leave the calendar entry as it is."""
    wanted, present = read_wanted_and_present(session, games)
    changed = find_changed(wanted, present)
    refuse_begun(changed)
    added = wanted.keys() - present.keys()
    laid = zip(wanted, lay_games(session, games), strict=True) if added else ()
    new = [row for place, row in laid if place in added]
    touched = {play.etui_id for play in changed.values()}
    gone = [play.pk for place, play in changed.items() if place not in wanted]
    Ruling.objects.filter(play__in=gone).delete()
    Play.objects.filter(pk__in=gone).delete()
    kept = [(play, wanted[place]) for place, play in changed.items() if place in wanted]
    for play, columns in kept:
        for name in COLUMNS:
            setattr(play, name, columns[name])
    Play.objects.bulk_update([play for play, _columns in kept], COLUMNS)
    write_new_rows(session, new)
    open_tables(session, now=now)
    raise_results_version(session.pk, etuis=sorted(touched | {row["etui_id"] for row in new}))
    return len(changed) + len(new)


def read_wanted_and_present(session: Session, games: Plan[int]) -> tuple[dict[Place, Columns], dict[Place, Play]]:
    """Return the columns of the plays that the games want, and the plays that the session has, both by place.

    A newcomer who is not stored yet has the id 0.
    """
    entrants, stride = number_all_entrants(session), find_stride(session)
    entrants = dict.fromkeys(range(1, games.competitors + 1), 0) | entrants
    fill = fill_deal_seats(entrants)
    wanted = {(stop.position, stop.table, deal): fill(stop, deal) for stop, deal in list_planned(games)}
    plays = with_states(session.plays.select_related("table", "etui"))
    return wanted, {
        (play.position, play.table.number, play.etui.number - (play.position - 1) * stride): play for play in plays
    }


def find_changed(wanted: Mapping[Place, Columns], present: Mapping[Place, Play]) -> dict[Place, Play]:
    """Return the plays that are not wanted as they are, by place."""
    return {
        place: play
        for place, play in present.items()
        if place not in wanted or any(getattr(play, name) != wanted[place][name] for name in COLUMNS)
    }


def require_unbegun(session: Session, games: Plan[int]) -> None:
    """Raise `GamesRefused` if these games would change a deal that has begun. This writes nothing."""
    refuse_begun(find_changed(*read_wanted_and_present(session, games)))


def refuse_begun(changed: Mapping[Place, Play]) -> None:
    """Raise `GamesRefused` for the first deal that has begun, or has a result, a ruling in force or an arbiter's call.

    `changed`: the plays by place, with their states. This takes two queries.
    """
    ids = {play.pk for play in changed.values()}
    held = {*ResultEntry.objects.filter(play__in=ids).values_list("play", flat=True)}
    held |= {*ArbiterCall.objects.filter(play__in=ids).values_list("play", flat=True)}
    for (game, table, deal), play in sorted(changed.items(), key=itemgetter(0)):
        if play.state != PlayState.TODO or play.pk in held:  # type: ignore[attr-defined]
            raise GamesRefused("deal_begun", "deal", game=game, table=table, deal=deal)

"""The changes of an evening that does not go as planned: results stay, and the standings follow what was played."""

from collections import defaultdict
from decimal import Decimal

import pytest
from django.utils import timezone

from clubs.models import Player
from clubs.players import ListChanged, add_players
from clubs.roster import RosterLine
from evenings.changes.carry_out import change_session, number_of_plan, undo_change
from evenings.changes.outcomes import outcomes, running_evening
from evenings.plans.layout import find_laid_rows
from evenings.plays.entering import enter_result
from evenings.plays.entries import entry_of
from evenings.plays.penalties import Sanction, give_penalty
from evenings.sessions.running import call_position, take_back_call
from evenings.standings import computing
from scoring.ranking import ScoringPlay
from scoring.ranking import standings as rank
from tests.factories import enter_all, garde, make_director, started_session
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import Entrant, PlanVersion, Play, ResultEntry, Session
from tournaments.rules.entry import base_score, taker_of
from tournaments.rules.operations import (
    Arrive,
    Leave,
    Operation,
    Resize,
    Substitute,
    Swap,
    WrongEtuis,
    read_operation_data,
    write_operation_data,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session(tables=7, positions=5, etuis_per_position=2).pk


def newcomers(session: Session, *names: str) -> tuple[int, ...]:
    lines = [RosterLine(name, "") for name in names]
    return tuple(player.pk for player in add_players(club=session.tournament.club, lines=lines))


def change(session: Session, operation: Operation, by, choice: int = 0) -> PlanVersion:
    session.refresh_from_db()
    seen = number_of_plan(session)
    return change_session(
        session_id=session.pk, operation=operation, choice=choice, seen=seen, by=by, now=timezone.now()
    )


def play_position(session: Session, position: int, by) -> None:
    plays = session.plays.filter(position=position, is_replay=False).exclude(entries__current=True)
    enter_all(session, by=by, plays=plays.select_related("etui"))


def entrant(session: Session, line: str, number: int) -> Entrant:
    return session.entrants.get(line=line, number=number, last_position=None)


def replayed(session: Session) -> list[tuple[int, int]]:
    seen, twice = set(), []
    for play in session.plays.filter(is_replay=False):
        for seated in play.seat_ids.values():
            if (seated, play.etui_id) in seen:
                twice.append((seated, play.etui_id))
            seen.add((seated, play.etui_id))
    return twice


def from_plain_history(session: Session) -> dict[int, tuple[object, ...]]:
    """Return percentages and ranks from the rows of what was played, by the rules alone."""
    plays = []
    entries = ResultEntry.objects.filter(play__session=session, current=True, play__is_replay=False)
    for entry in entries.select_related("play"):
        plays.append(
            ScoringPlay(
                entry.play.etui_id,
                tuple(entry.play.seat_ids.values()),
                taker_of(entry_of(entry)),
                base_score(entry_of(entry)),
            )
        )
    return {
        player.player: (str(player.attack), str(player.defence), str(player.overall), player.rank_general)
        for player in rank(plays, least_share=session.tournament.least_share).players
    }


def computed(session: Session) -> dict[int, tuple[object, ...]]:
    data = computing.compute(session.pk).data["players"]
    return {
        player["id"]: (
            str(player["attack"]),
            str(player["defence"]),
            str(player["overall"]),
            player["rank_general"],
        )
        for player in data
        if player["overall"] is not None
    }


@pytest.mark.nightly("story")
def test_a_whole_evening_of_changes_ends_with_the_standings_of_what_was_played(session, director):
    play_position(session, 1, director)
    change(session, Arrive(newcomers(session, "Tardif", "Retard"), after=1), director)
    play_position(session, 2, director)
    change(session, étuis_of_another_table(session, 2), director)
    change(session, Leave((entrant(session, "S", 3).pk,), after=2), director)
    (stand_in,) = newcomers(session, "Remplaçant")
    change(session, Substitute(entrant(session, "W", 5).pk, stand_in, position=3), director)
    play_position(session, 3, director)
    for position in (4, 5):
        play_position(session, position, director)
    assert not replayed(session)
    assert session.plans.count() == 5
    expected = from_plain_history(session)
    assert len(expected) == 28 + 2 + 1
    assert computed(session) == expected


def étuis_of_another_table(session: Session, position: int) -> WrongEtuis:
    """Find a table that can have played another table's étuis: nobody at the two has met the other table's étuis."""
    met = defaultdict(set)
    sets = defaultdict(list)
    for play in session.plays.filter(position__lte=position).select_related("etui", "table").order_by("etui__number"):
        if play.position == position:
            sets[play.table.number].append(play)
        else:
            for seated in play.seats.values():
                met[seated.pk].add(play.etui_id)

    def fresh(players: Play, etuis: list[Play]) -> bool:
        return all(met[seated.pk].isdisjoint(play.etui_id for play in etuis) for seated in players.seats.values())

    one, other = next(
        (one, other) for one in sets for other in sets if one != other and fresh(sets[one][0], sets[other])
    )
    pairs = zip(sets[one], sets[other], strict=True)
    return WrongEtuis(
        position, one, tuple((planned.etui.number, played.etui.number) for planned, played in pairs), exchange=False
    )


def test_late_arrivals_play_from_the_next_position_and_what_was_played_stays(session, director):
    play_position(session, 1, director)
    before = find_laid_rows(session)
    change(session, Arrive(newcomers(session, "Tardif", "Retard"), after=1), director)
    after = find_laid_rows(session)
    assert {pk: row for pk, row in after.items() if row["position"] == 1} == {
        pk: row for pk, row in before.items() if row["position"] == 1
    }
    late = session.entrants.filter(first_position=2)
    assert sorted(entrant.player.name for entrant in late) == ["Retard", "Tardif"]
    assert all(session.plays.filter(**{column: one.pk}).exists() for one in late for column in [column_of(one)])
    assert not replayed(session)
    resting = [len(running_evening(session).find_resting(position)) for position in (1, 2, 3, 4, 5)]
    assert resting == [0, 2, 2, 2, 2]


def column_of(entrant: Entrant) -> str:
    return {"N": "north", "E": "east", "S": "south", "W": "west"}[entrant.line]


def test_four_who_come_make_a_table_more(session, director):
    play_position(session, 1, director)
    found = outcomes(session, Arrive(newcomers(session, "Un", "Deux", "Trois", "Quatre"), after=1))
    assert max(way.plan.tables for way in found) == 8


def test_who_goes_leaves_the_others_their_seats_or_all_are_planned_anew(session, director):
    play_position(session, 1, director)
    gone = entrant(session, "E", 4)
    found = outcomes(session, Leave((gone.pk,), after=1))
    assert {way.code for way in found} >= {"kept", "replanned"}
    change(session, Leave((gone.pk,), after=1), director)
    assert not session.plays.filter(east=gone, position__gt=1).exists()
    gone.refresh_from_db()
    assert gone.last_position == 1


def test_nobody_leaves_while_somebody_else_still_has_the_seat(session, director):
    leaver, (late,) = entrant(session, "E", 4), newcomers(session, "Tardif")
    change(session, Substitute(leaver.pk, late, position=4), director)
    coming = entrant(session, "E", 4)
    with pytest.raises(ActionRefused, match="entrant_not_come"):
        outcomes(session, Leave((coming.pk,), after=2))
    change(session, Leave((coming.pk,), after=3), director)
    seated = session.plays.filter(east=leaver).values_list("position", flat=True)
    assert (set(seated), session.plays.filter(east=coming).exists()) == ({1, 2, 3}, False)


def test_what_a_leaver_owes_is_not_played_and_comes_back_with_him(session, director):
    gone = entrant(session, "E", 4)
    first = session.plays.filter(position=1, east=gone).select_related("etui").first()
    enter_all(session, by=director, plays=[first])
    owed = session.plays.filter(position=1, east=gone).exclude(pk=first.pk)
    version = change(session, Leave((gone.pk,), after=1, unplayed=True), director)
    assert [play.rulings.get().kind for play in owed] == ["not_played"]
    undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    assert [play.rulings.order_by("-id")[0].kind for play in owed] == ["restored"]


def test_a_substitute_has_percentages_of_his_own_from_the_unplayed_étui_on(session, director):
    seat = entrant(session, "W", 5)
    half = session.plays.filter(position=1, west=seat).select_related("etui").order_by("etui__number")[:1]
    enter_all(session, by=director, plays=half)
    (player,) = newcomers(session, "Remplaçant")
    change(session, Substitute(seat.pk, player, position=1), director)
    assert session.plays.filter(west=seat).count() == 1
    assert session.plays.filter(west__player=player).count() == 9


def test_a_stand_in_plays_for_the_entrant(session, director):
    seat = entrant(session, "W", 5)
    before = find_laid_rows(session)
    (player,) = newcomers(session, "Doublure")
    version = change(session, Substitute(seat.pk, player, position=2, own=False), director)
    assert find_laid_rows(session) == before
    assert session.entrants.get(pk=seat.pk).name == f"{seat.player.name} / Doublure"
    undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    assert session.entrants.get(pk=seat.pk).stand_in is None


def test_swapped_seats_at_one_table_change_the_seats_and_nothing_to_come(session, director):
    play_position(session, 1, director)
    play = session.plays.filter(position=1).first()
    change(session, Swap(1, play.east_id, play.west_id), director)
    changed = Play.objects.get(pk=play.pk)
    assert (changed.east_id, changed.west_id) == (play.west_id, play.east_id)
    play_position(session, 2, director)
    assert computed(session)[play.east_id]


def test_players_of_a_line_swapped_are_planned_apart_from_what_they_played(session, director):
    play_position(session, 1, director)
    one, other = (
        session.plays.filter(position=1, etui__number=1)[0],
        session.plays.filter(position=1, etui__number=5)[0],
    )
    change(session, Swap(1, one.south_id, other.south_id), director)
    assert Play.objects.get(pk=one.pk).south_id == other.south_id
    assert not replayed(session)


def test_étuis_of_a_later_position_played_too_soon_are_not_met_again(session, director):
    play_position(session, 1, director)
    table = session.plays.filter(position=1, table__number=1).order_by("etui__number")
    to_come = session.plays.filter(north=table[0].north, position=3).order_by("etui__number")
    pairs = tuple((old.etui.number, new.etui.number) for old, new in zip(table, to_come, strict=True))
    takers = [new.etui.taker for new in to_come]
    change(session, WrongEtuis(1, 1, pairs), director)
    table = session.plays.filter(position=1, table__number=1).order_by("etui__number")
    assert [play.etui.number for play in table] == [new for _, new in pairs]
    assert [play.entries.get(current=True).taker for play in table] == takers
    assert not replayed(session)


def test_two_étuis_of_a_table_confused_exchange_their_results(session, director):
    play_position(session, 1, director)
    first, second = session.plays.filter(position=1, table__number=1).order_by("etui__number")
    change(
        session,
        WrongEtuis(1, 1, ((first.etui.number, second.etui.number), (second.etui.number, first.etui.number))),
        director,
    )
    assert Play.objects.get(pk=first.pk).etui_id == second.etui_id
    assert Play.objects.get(pk=second.pk).etui_id == first.etui_id


def test_an_evening_is_cut_short_and_made_longer(session, director):
    play_position(session, 1, director)
    change(session, Resize(3), director)
    session.refresh_from_db()
    assert (session.positions, session.plays.filter(position__gt=3).count()) == (3, 0)
    version = change(session, Resize(4), director)
    assert session.plays.filter(position=4).exists()
    undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    session.refresh_from_db()
    assert (session.positions, session.plays.filter(position__gt=3).count()) == (3, 0)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("kind", ["arrive", "leave", "substitute", "swap", "wrong_etuis", "resize"])
def test_each_change_is_undone_to_the_last_row(session, director, kind):
    play_position(session, 1, director)
    play = session.plays.filter(position=1).order_by("pk")[0]
    other = session.plays.filter(position=1, table__number=2).order_by("etui__number")[0]
    operation = {
        "arrive": lambda: Arrive(newcomers(session, "Tardif"), after=1),
        "leave": lambda: Leave((play.east_id,), after=1),
        "substitute": lambda: Substitute(play.east_id, newcomers(session, "Autre")[0], position=2),
        "swap": lambda: Swap(1, play.north_id, other.north_id),
        "wrong_etuis": lambda: WrongEtuis(1, 1, ((play.etui.number, other.etui.number),)),
        "resize": lambda: Resize(4),
    }[kind]()
    assert read_operation_data(write_operation_data(operation)) == operation
    kept = plain(session)
    version = change(session, operation, director)
    assert plain(session) != kept
    for _ in range(2):
        undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    assert plain(session) == kept
    assert session.plans.filter(undone_at=None).count() == 1


def plain(session: Session) -> tuple[object, ...]:
    rows = sorted(tuple(row.values()) for row in find_laid_rows(session).values())
    entrants = sorted(session.entrants.values_list("pk", "line", "number", "first_position", "last_position"))
    takers = sorted(ResultEntry.objects.filter(play__session=session, current=True).values_list("play", "taker"))
    session.refresh_from_db()
    return rows, entrants, takers, session.positions


def test_a_change_that_results_depend_on_is_not_undone(session, director):
    play_position(session, 1, director)
    version = change(session, Arrive(newcomers(session, "Tardif"), after=1), director)
    added = session.plays.filter(pk__in=map(int, version.after), position=2)[0]
    enter_result(play_id=added.pk, entry=garde(added.etui.taker), by=director, now=timezone.now())
    with pytest.raises(ActionRefused, match="results_depend_on_change"):
        undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())


def test_a_change_of_a_plan_that_has_changed_meanwhile_is_a_conflict(session, director):
    change(session, Resize(4), director)
    with pytest.raises(Conflict, match="plan_out_of_date"):
        change_session(session_id=session.pk, operation=Resize(3), choice=0, seen=1, by=director, now=timezone.now())


@pytest.mark.parametrize(
    ("operation", "code"),
    [
        (lambda s: Arrive((s.entrants.first().player_id,), after=1), "player_seated"),
        (lambda s: Arrive((), after=1), "nobody_named"),
        (lambda s: Arrive((10**9,), after=1), "player_unknown"),
        (lambda s: Leave((10**9,), after=1), "entrant_unknown"),
        (lambda s: Leave((s.entrants.first().pk,), after=0), "position_begun"),
        (lambda s: Leave((s.entrants.first().pk,), after=5), "position_begun"),
        (lambda s: Swap(3, s.entrants.first().pk, s.entrants.last().pk), "position_unknown"),
        (lambda s: Swap(1, s.entrants.first().pk, s.entrants.first().pk), "swap_of_one"),
        (lambda s: WrongEtuis(1, 99, ((1, 2),)), "table_unknown"),
        (lambda s: WrongEtuis(1, 1, ((1, 1),)), "etuis_unchanged"),
        (lambda s: WrongEtuis(1, 1, ((1, 999),)), "etui_unknown"),
        (lambda s: Resize(0), "positions_played"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(session, director, operation, code):
    play_position(session, 1, director)
    with pytest.raises(ActionRefused) as refusal:
        outcomes(session, operation(session))
    assert refusal.value.code == code


@pytest.mark.nightly("story")
def test_nobody_is_taken_for_whom_he_has_left_his_seat_to(session, director):
    play_position(session, 1, director)
    (player, other) = newcomers(session, "Remplaçant", "Autre")
    gone, there = entrant(session, "W", 5), entrant(session, "W", 6)
    change(session, Substitute(gone.pk, player, position=2), director)
    enter_all(session, by=director, plays=session.plays.filter(position=2).select_related("etui"))
    substitute = entrant(session, "W", 5)
    for operation, code in (
        (Leave((gone.pk,), after=2), "entrant_gone"),
        (Swap(2, gone.pk, there.pk), "entrant_gone"),
        (Swap(1, substitute.pk, there.pk), "entrant_gone"),
        (Substitute(substitute.pk, other, position=1), "position_begun"),
        (Substitute(there.pk, other, position=1), "position_begun"),
    ):
        with pytest.raises(ActionRefused, match=code):
            outcomes(session, operation)
    change(session, Substitute(there.pk, other, position=3, own=False), director)
    with pytest.raises(ActionRefused, match="player_seated"):
        outcomes(session, Arrive((other,), after=2))


@pytest.mark.nightly("story")
def test_a_change_stays_while_a_position_of_it_is_called_or_a_penalty_is_given(session, director):
    longer = change(session, Resize(6), director)
    for position in range(1, 7):
        call_position(session_id=session.pk, position=position, by=director, now=timezone.now())
    with pytest.raises(ActionRefused, match="results_depend_on_change"):
        undo_change(session_id=session.pk, seen=longer.number, by=director, now=timezone.now())
    take_back_call(session_id=session.pk, position=6, by=director, now=timezone.now())
    undo_change(session_id=session.pk, seen=longer.number, by=director, now=timezone.now())

    came = change(session, Arrive(newcomers(session, "Tardif"), after=3), director)
    late = session.entrants.get(player__last_name="Tardif")
    about = {"session_id": session.pk, "reason": "retard", "by": director, "now": timezone.now()}
    give_penalty(entrant_id=late.pk, sanction=Sanction(points=Decimal(1)), **about)
    with pytest.raises(ActionRefused, match="results_depend_on_change"):
        undo_change(session_id=session.pk, seen=came.number, by=director, now=timezone.now())


def test_newcomer_who_is_on_the_list_by_now_is_refused_and_nothing_is_written(evening):
    session = Session.objects.select_related("tournament__club").get(pk=evening)
    by, gone = make_director(session.tournament.club), entrant(session, "N", 1)
    newcomers(session, "Tardif")  # while the page was open
    before = (Player.objects.count(), number_of_plan(session))
    told = {"operation": Substitute(gone.pk, -1, position=2), "choice": 0, "unlisted": [RosterLine("Tardif", "")]}
    with pytest.raises(ListChanged):
        change_session(session_id=session.pk, seen=before[1], by=by, now=timezone.now(), **told)
    assert (Player.objects.count(), number_of_plan(session)) == before
    assert not Entrant.objects.filter(session=session, stand_in__isnull=False).exists()


def test_substitute_who_is_on_no_list_is_added_and_takes_the_seat(session, director):
    there = entrant(session, "N", 1)
    change_session(
        session_id=session.pk,
        operation=Substitute(there.pk, -1, position=1),
        choice=0,
        seen=number_of_plan(session),
        by=director,
        now=timezone.now(),
        unlisted=[RosterLine("Zimmer", "Zoé")],
    )
    player = Player.objects.get(last_name="Zimmer")
    assert entrant(session, "N", 1).player == player
    assert PlanVersion.objects.latest("pk").operation["player"] == player.pk

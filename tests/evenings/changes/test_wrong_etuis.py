"""An étui played in place of another: no player moves, nobody plays it twice, and the evening goes on."""

import random
from collections import defaultdict

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.changes.carry_out import change_session, number_of_plan, undo_change
from evenings.changes.outcomes import outcomes, running_evening
from evenings.changes.preview import ChangePreview
from evenings.plans.current import evening_of
from evenings.plans.layout import find_laid_rows
from evenings.plans.starting import start_session
from evenings.plays.entries import entry_of
from evenings.plays.table_plays import plays_at
from evenings.sessions.lists import progress_of
from evenings.sessions.running import call_position, last_call, take_back_last_call
from evenings.sessions.setup import edit_session
from evenings.standings import computing
from movements import PlanError
from scoring.ranking import Line, ScoringPlay
from scoring.ranking import standings as rank
from tests import shared_evenings
from tests.examples import draw_seeds
from tests.factories import draft_session, enter, enter_all, make_director, publish
from tournaments.errors import ActionRefused
from tournaments.models import LogEntry, PlanVersion, Play, ResultEntry, Ruling, Session
from tournaments.rules.entry import base_score, taker_of
from tournaments.rules.operations import Arrive, Leave, Operation, Resize, Return, Substitute, Swap, WrongEtuis

pytestmark = pytest.mark.django_db


def change(session: Session, operation: Operation, by, choice: int = 0) -> PlanVersion:
    session.refresh_from_db()
    seen = number_of_plan(session)
    return change_session(
        session_id=session.pk, operation=operation, choice=choice, seen=seen, by=by, now=timezone.now()
    )


def previews(session: Session, operation: Operation) -> list[ChangePreview]:
    evening = running_evening(session)
    return [ChangePreview(evening, operation, way, choice) for choice, way in enumerate(outcomes(session, operation))]


def play_position(session: Session, position: int, by) -> None:
    plays = session.plays.filter(position=position, is_replay=False).exclude(entries__current=True)
    enter_all(session, by=by, plays=plays.select_related("etui"))


def plays_of_table(session: Session, position: int, table: int) -> list[Play]:
    plays = session.plays.filter(position=position, table__number=table)
    return list(plays.select_related("etui", "table").order_by("etui__number"))


def seats(play: Play) -> set[int]:
    return set(play.seat_ids.values())


def from_plain_history(session: Session) -> dict[int, tuple[str, ...]]:
    """Return percentages from the étuis in the order in which they were met.

    A play does not count if one of its players had met the étui before.
    """
    had, counted = defaultdict(set), []
    rows = ResultEntry.objects.filter(play__session=session, current=True).select_related("play")
    for entry in rows.order_by("play__position"):
        play = entry.play
        if not any(play.etui_id in had[seated] for seated in seats(play)):
            seated = list(play.seat_ids.values())
            counted.append(
                ScoringPlay(play.etui_id, tuple(seated), taker_of(entry_of(entry)), base_score(entry_of(entry)))
            )
        for seated in seats(play):
            had[seated].add(play.etui_id)
    lines = {entrant.pk: Line(entrant.line) for entrant in session.entrants.all()}
    ranked = rank(counted, lines=lines).players
    return {one.player: (str(one.attack), str(one.defence), str(one.overall)) for one in ranked}


def computed(session: Session) -> dict[int, tuple[str, ...]]:
    return {
        one["id"]: (str(one["attack"]), str(one["defence"]), str(one["overall"]))
        for one in computing.compute(session.pk).data["players"]
        if one["overall"] is not None
    }


def hundred(*, barometer: bool = False) -> Session:
    session = draft_session(tables=25, positions=5, etuis_per_position=4)
    if barometer:
        edit_session(session_id=session.pk, barometer=True, by=None, now=timezone.now())
    return start_session(session_id=session.pk, now=timezone.now())


@pytest.mark.nightly("story")
@pytest.mark.parametrize("barometer", [False, True])
@pytest.mark.parametrize("exchange", [False, True])
def test_of_a_hundred_players_nobody_moves_for_one_wrong_étui(barometer, exchange):
    session = hundred(barometer=barometer)
    director = make_director(session.tournament.club)
    before = find_laid_rows(session)
    mine = plays_of_table(session, 1, 5)
    played = plays_of_table(session, 2, 5)[-1].etui if barometer else plays_of_table(session, 1, 6)[0].etui
    operation = WrongEtuis(1, 5, ((mine[-1].etui.number, played.number),), exchange)
    first, *others = previews(session, operation)
    assert (first.way.code, first.positions) == ("unmoved", [])
    people = set(mine[0].seat_ids.values())
    met = [play for play in session.plays.filter(position__gt=1, etui=played) if people & seats(play)]
    named = {(one.position, one.table) for one in first.unplayed if one.etui == played.number}
    assert named == {(play.position, play.table.number) for play in met}
    assert first.unplayed
    assert not others or all(len(way.unplayed) < len(first.unplayed) for way in others)
    change(session, operation, director)
    after = find_laid_rows(session)
    assert {pk for pk in before if after[pk] == before[pk] | {"is_replay": after[pk]["is_replay"]}} >= {
        pk for pk, row in before.items() if row["position"] > 1
    }
    assert progress_of(session)["not_played"] == len(first.unplayed)
    play_position(session, 1, director)
    for position in range(2, 6):
        play_position(session, position, director)
    assert progress_of(session)["missing"] == 0
    assert computed(session) == from_plain_history(session)
    publish(session, by=director)


@pytest.mark.nightly("story")
def test_an_étui_left_out_has_no_result_and_the_table_is_told(session, director):
    _operation, replays = wrong(session, director)
    with pytest.raises(ActionRefused, match="etui_met"):
        enter(replays[0], by=director)
    shown = {one.play.pk: one.state for one in plays_at(replays[0].table)}
    assert shown[replays[0].pk] == "not_played"


session = shared_evenings.started_with_seven_tables


def wrong(session: Session, director, **more: bool) -> tuple[WrongEtuis, list[Play]]:
    """Let table 1 play the first étui of table 2 in place of its own first one, in position 1."""
    play_position(session, 1, director)
    pair = plays_of_table(session, 1, 1)[0].etui.number, plays_of_table(session, 1, 2)[0].etui.number
    operation = WrongEtuis(1, 1, (pair,), **more)
    change(session, operation, director)
    return operation, list(session.plays.filter(is_replay=True).select_related("etui", "table__session"))


def test_what_a_table_has_not_played_it_plays_later_or_not_at_all(session, director):
    operation, _replays = wrong(session, director, exchange=False, later=True)
    planned = operation.pairs[0][0]
    owed = next(play for play in plays_of_table(session, 1, 1) if play.etui.number == planned)
    assert owed.rulings.get().kind == Ruling.RulingKind.LATER
    assert len(plays_of_table(session, 1, 1)) == 3
    enter(owed, by=director)
    assert computed(session) == from_plain_history(session)


def test_a_table_cannot_have_played_what_it_has_still_to_make_up_for(session, director):
    operation, _replays = wrong(session, director, exchange=False, later=True)
    other = plays_of_table(session, 1, 1)[-1].etui.number
    with pytest.raises(ActionRefused, match="etui_twice_at_table"):
        outcomes(session, WrongEtuis(1, 1, ((other, operation.pairs[0][0]),), exchange=False))


def test_made_up_for_later_is_undone_to_the_last_row(session, director):
    play_position(session, 1, director)
    before = find_laid_rows(session)
    pair = plays_of_table(session, 1, 1)[0].etui.number, plays_of_table(session, 1, 2)[0].etui.number
    version = change(session, WrongEtuis(1, 1, (pair,), exchange=False, later=True), director)
    undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    assert find_laid_rows(session) == before
    assert not Ruling.objects.filter(play__session=session).exists()


@pytest.mark.nightly("story")
def test_an_étui_that_somebody_had_before_is_no_refusal_but_counts_no_longer(session, director):
    play_position(session, 1, director)
    play_position(session, 2, director)
    north = plays_of_table(session, 1, 1)[0]
    table = next(play.table.number for play in session.plays.filter(position=2, north=north.north))
    planned = plays_of_table(session, 2, table)[0]
    operation = WrongEtuis(2, table, ((planned.etui.number, north.etui.number),), exchange=False)
    first = previews(session, operation)[0]
    void = [one for one in first.unplayed if one.counted]
    assert [(one.position, one.table, one.etui) for one in void] == [(2, table, north.etui.number)]
    version = change(session, operation, director)
    assert progress_of(session)["annulled"] == 1
    assert computed(session) == from_plain_history(session)
    assert LogEntry.objects.filter(session=session, action="counts_no_longer").count() == 1
    assert LogEntry.objects.filter(session=session, action="redirected").count() == 1
    undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    assert progress_of(session)["annulled"] == 0


def test_players_of_two_lines_on_each_others_seat_are_seen_in_the_preview(session, director):
    play_position(session, 1, director)
    one, other = plays_of_table(session, 1, 1)[0], plays_of_table(session, 1, 2)[0]
    operation = Swap(1, one.north_id, other.east_id)
    first = previews(session, operation)[0]
    change(session, operation, director)
    marked = session.plays.filter(is_replay=True).values_list("position", "table__number", "etui__number")
    assert sorted(marked) == [(play.position, play.table, play.etui) for play in first.unplayed]
    assert marked


def test_who_goes_after_a_wrong_étui_moves_nobody_either(session, director):
    wrong(session, director)
    gone = session.entrants.get(line="E", number=4)
    assert outcomes(session, Leave((gone.pk,), after=1))[0].code == "kept"


@pytest.mark.nightly("story")
def test_a_last_call_taken_back_is_nothing_known_of_the_position(session, director):
    given = {"session_id": session.pk, "by": director, "now": timezone.now()}
    for position in (1, 2):
        call_position(**given, position=position)
    last_call(**given, position=2, unstarted="not_played")
    take_back_last_call(**given, position=2)
    session.refresh_from_db()
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Tardif", "")])
    change(session, Arrive((player.pk,), after=1), director)
    assert session.entrants.get(player=player).first_position == 2


@pytest.mark.nightly("story")
def test_reasons_of_a_change_are_codes_told_in_the_readers_language(session, director):
    play_position(session, 1, director)
    mine = plays_of_table(session, 1, 1)[0]
    elsewhere = session.plays.filter(position=1).exclude(table=mine.table).select_related("etui")
    other = next(play for play in elsewhere if play.etui.taker != mine.etui.taker)
    version = change(session, WrongEtuis(1, 1, ((mine.etui.number, other.etui.number),)), director)
    entry = ResultEntry.objects.get(play=mine, current=True)
    assert (entry.taker, entry.reason) == (other.etui.taker, "@etuis_mended")
    undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    assert ResultEntry.objects.get(play=mine, current=True).reason == "@change_undone"


def an_evening(chance: random.Random) -> Session:
    tables = chance.choice((3, 4, 5, 6, 7, 8))
    positions = chance.randint(2, 4)
    session = draft_session(tables=tables, positions=positions, etuis_per_position=chance.choice((1, 2)))
    if chance.random() < 0.4 or tables < 5:
        edit_session(session_id=session.pk, barometer=True, by=None, now=timezone.now())
    return session


def an_operation(session: Session, chance: random.Random, number: int) -> Operation:
    evening = evening_of(session)
    held = max(1, session.position)
    there = [entrant.pk for entrant in evening.entrants if entrant.last_position is None]
    positions = evening.plan.positions
    gone = [entrant.pk for entrant in evening.entrants if entrant.last_position is not None]
    if gone and chance.random() < 0.5:
        return Return((chance.choice(gone),), chance.randint(0, positions - 1))
    kind = chance.choice(("arrive", "leave", "leave", "substitute", "swap", "wrong", "wrong", "wrong", "resize"))
    if kind in ("arrive", "substitute"):
        count = chance.choice((1, 1, 2, 4)) if kind == "arrive" else 1
        lines = [RosterLine(f"Nouveau{number}-{place}", "") for place in range(count)]
        players = add_players(club=session.tournament.club, lines=lines)
        if kind == "arrive":
            return Arrive(tuple(player.pk for player in players), after=chance.randint(0, positions - 1))
        return Substitute(chance.choice(there), players[0].pk, chance.randint(1, positions), chance.random() < 0.5)
    if kind == "leave":
        return Leave(tuple(chance.sample(there, chance.choice((1, 1, 2)))), chance.randint(0, positions - 1))
    if kind == "swap":
        return Swap(chance.randint(1, held), *chance.sample(there, 2))
    if kind == "resize":
        return Resize(chance.randint(1, positions + 1))
    position = chance.randint(1, held)
    play = chance.choice(list(session.plays.filter(position=position).select_related("etui", "table")))
    played = chance.choice(list(session.deal_set.etuis.all())).number
    pairs = ((play.etui.number, played),)
    return WrongEtuis(position, play.table.number, pairs, chance.random() < 0.5, chance.random() < 0.5)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("seed", draw_seeds(40))
def test_each_way_shown_can_be_gone_and_is_as_it_was_shown(seed):
    chance = random.Random(seed)
    session = an_evening(chance)
    try:
        session = start_session(session_id=session.pk, now=timezone.now())
    except ActionRefused:
        return
    director = make_director(session.tournament.club)
    for number in range(5):
        session.refresh_from_db()
        operation = an_operation(session, chance, number)
        try:
            shown = previews(session, operation)
        except (ActionRefused, PlanError):
            continue
        before, places, out = find_laid_rows(session), places_of(session), left_out(session)
        possible = [way for way in shown if not way.lacking]
        for preview in possible:
            version = change(session, operation, director, choice=preview.choice)
            assert left_out(session) - out == {(one.position, one.table, one.etui) for one in preview.unplayed}
            assert to_come(places_of(session), preview) == as_shown(places, preview)
            undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
            assert find_laid_rows(session) == before
        if possible:
            change(session, operation, director, choice=chance.choice(possible).choice)
        session.refresh_from_db()
        if chance.random() < 0.6 and session.position < session.positions:
            call_position(session_id=session.pk, position=session.position + 1, by=director, now=timezone.now())
            session.refresh_from_db()
            play_position(session, session.position, director)
    if ResultEntry.objects.filter(play__session=session, current=True).exists():
        assert computed(session) == from_plain_history(session)


def left_out(session: Session) -> set[tuple[int, int, int]]:
    marked = session.plays.filter(is_replay=True)
    return set(marked.values_list("position", "table__number", "etui__number"))


Places = dict[tuple[int, str, int], tuple[int, tuple[int, ...]]]


def places_of(session: Session) -> Places:
    """Return each place (position, line, starting number) with its table and its étuis."""
    found: dict[tuple[int, str, int], tuple[int, list[int]]] = {}
    people = ("north", "east", "south", "west")
    for play in session.plays.select_related("table", "etui", *people).order_by("etui__number"):
        for entrant in play.seats.values():
            place = (play.position, entrant.line, entrant.number)
            found.setdefault(place, (play.table.number, []))[1].append(play.etui.number)
    return {place: (table, tuple(etuis)) for place, (table, etuis) in found.items()}


def to_come(places: Places, preview: ChangePreview) -> Places:
    return {place: where for place, where in places.items() if place[0] > preview.way.after}


def as_shown(places: Places, preview: ChangePreview) -> Places:
    """Return the places as the preview shows them: the old ones, changed where the preview changes a later position."""
    found = to_come(places, preview)
    for change in preview.positions:
        if change.dropped:
            found = {place: where for place, where in found.items() if place[0] != change.position}
        for shift in change.shifts:
            place = (change.position, shift.line, shift.number)
            found.pop(place, None)
            if shift.after is not None and shift.after.table:
                found[place] = (shift.after.table, tuple(sorted(shift.after.etuis)))
    return found

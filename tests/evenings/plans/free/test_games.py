"""The start of an evening of donnes libres, and its next games."""

import pytest
from django.utils import timezone, translation

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.changes.carry_out import undo_change
from evenings.changes.preview import OperationNames, say_plan_version
from evenings.plans.current import current_version
from evenings.plans.free.next_game import propose_next_game, take_next_game, undo_next_game
from evenings.plans.free.people import FromDeal, join_games, leave_games
from evenings.plans.free.settings import edit_free_deals
from evenings.plans.starting import start_session, unstart_session
from evenings.standings.computing import compute
from tests.factories import make_director
from tests.free_evenings import draft_free_session, enter_sheets, seats_in, start_free_session
from tournaments.errors import ActionRefused
from tournaments.models import Session, TableToken

pytestmark = pytest.mark.django_db


def take(session, game, by, tables=None):
    return take_next_game(session_id=session.pk, game=game, tables=tables, by=by, now=timezone.now())


def undo(session, game, by):
    return undo_next_game(session_id=session.pk, game=game, by=by, now=timezone.now())


@pytest.fixture
def session():
    return start_free_session(13)


@pytest.fixture
def by(session):
    return make_director(session.tournament.club)


def test_the_start_seats_the_first_game_and_gives_numbers_by_lot(session):
    assert sorted(session.entrants.values_list("line", "number")) == [("N", number) for number in range(1, 14)]
    tables = seats_in(session, 1)
    assert sorted(map(len, tables.values())) == [3, 3, 3, 4]
    assert sorted(number for people in tables.values() for number in people) == list(range(1, 14))
    assert (session.plays.count(), session.deal_set.free, session.deal_set.etuis.count()) == (16, True, 12)
    assert session.plays.filter(position=2).count() == 0


def test_all_games_are_laid_out_if_they_are_known():
    session = start_free_session(20, games=5, seating="fixed")
    assert [len(seats_in(session, game)) for game in range(1, 6)] == [5] * 5
    met = [
        (min(a, b), max(a, b))
        for game in range(1, 6)
        for t in seats_in(session, game).values()
        for a in t
        for b in t
        if a != b
    ]
    assert len(set(met)) == len(met) / 2


@pytest.mark.parametrize("odd", ["threes", "five", "mort", "fives"])
@pytest.mark.parametrize("people", [61, 62, 63])
def test_evenings_of_every_kind_of_odd_tables_start(people, odd):
    session = start_free_session(people, games=2, seating="fixed", odd_tables=odd)
    assert sum(map(len, seats_in(session, 2).values())) == people


@pytest.mark.parametrize("people", [5, 7, 11])
def test_few_players_start_with_threes(people):
    assert sum(map(len, seats_in(start_free_session(people), 1).values())) == people


@pytest.mark.parametrize("people", [6, 7, 11])
def test_few_players_cannot_sit_in_fours_and_fives(people):
    with pytest.raises(ActionRefused) as caught:
        start_free_session(people, odd_tables="mort")
    assert caught.value.code == "games_impossible"


def test_with_a_mort_five_deals_are_laid_out_and_each_rests_once():
    session = start_free_session(13, odd_tables="mort")
    five = list(session.plays.filter(position=1).exclude(fifth=None).order_by("etui__number"))
    assert [play.resting for play in five] == ["N", "F", "W", "S", "E"]
    assert [play.etui.number for play in five] == [1, 2, 3, 4, 5]
    assert session.deal_set.etuis.count() == 15


def test_as_many_deals_as_fit_are_twelve_at_each_table():
    session = start_free_session(8, games=2, fits_deals=True)
    assert (session.plays.filter(position=1).count(), session.deal_set.etuis.count()) == (24, 24)


@pytest.mark.nightly("story")
def test_games_that_are_not_seated_yet_count_as_missing(session, by):
    assert compute(session.pk).figures["counts"]["missing"] == 16 + 2 * 16
    enter_sheets(session, 1, by)
    assert compute(session.pk).figures["counts"]["missing"] == 2 * 16


@pytest.mark.nightly("story")
def test_the_next_game_follows_the_ranking_and_nobody_meets_again():
    session = start_free_session(40)
    by = make_director(session.tournament.club)
    enter_sheets(session, 1, by)
    best = sorted(min(people) for people in seats_in(session, 1).values())
    take(session, 2, by)
    assert sorted(seats_in(session, 2)[1]) == best[:4]


@pytest.mark.nightly("story")
def test_missing_results_are_named_before_the_next_game(session, by):
    proposal = propose_next_game(session)
    assert (proposal.game, proposal.missing) == (2, {1: 4, 2: 4, 3: 4, 4: 4})
    enter_sheets(session, 1, by)
    assert propose_next_game(session).missing == {}


@pytest.mark.nightly("story")
def test_taking_a_game_twice_has_one_effect(session, by):
    assert take(session, 2, by) == take(session, 2, by)
    assert (session.plays.filter(position=2).count(), session.plans.count()) == (16, 2)


def test_only_the_next_game_can_be_taken(session, by):
    with pytest.raises(ActionRefused) as caught:
        take(session, 3, by)
    assert caught.value.code == "game_not_next"


@pytest.mark.nightly("story")
def test_tables_by_hand_are_seated(session, by):
    tables = [list(people) for people in propose_next_game(session).tables]
    tables[0][0], tables[1][0] = tables[1][0], tables[0][0]
    take(session, 2, by, tables)
    assert seats_in(session, 2) == {place: tuple(people) for place, people in enumerate(tables, start=1)}


@pytest.mark.parametrize("tables", [[[1, 2, 3, 4]], [[1, 1, 3], [2, 4, 5, 6]], [[*range(1, 7)], [*range(7, 14)]]])
def test_tables_by_hand_must_be_whole(session, by, tables):
    with pytest.raises(ActionRefused) as caught:
        take(session, 2, by, tables)
    assert caught.value.code == "tables_not_whole"


@pytest.mark.nightly("story")
def test_a_game_is_undone_until_a_result_is_entered(session, by):
    take(session, 2, by)
    undo(session, 2, by)
    undo(session, 2, by)
    assert session.plays.filter(position=2).count() == 0
    take(session, 2, by)
    enter_sheets(session, 2, by)
    with pytest.raises(ActionRefused) as caught:
        undo(session, 2, by)
    assert caught.value.code == "game_begun"


@pytest.mark.nightly("story")
def test_the_first_game_is_undone_with_the_start_alone(session, by):
    with pytest.raises(ActionRefused) as caught:
        undo(session, 1, by)
    assert caught.value.code == "game_not_last"
    unstart_session(session_id=session.pk, now=timezone.now())
    start_session(session_id=session.pk, now=timezone.now())
    assert session.plays.count() == 16


@pytest.mark.nightly("story")
def test_the_last_sheet_after_the_next_seating_moves_nobody(session, by):
    take(session, 2, by)
    before = seats_in(session, 2)
    enter_sheets(session, 1, by)
    assert seats_in(session, 2) == before


@pytest.mark.nightly("story")
def test_no_game_follows_the_last(session, by):
    take(session, 2, by)
    take(session, 3, by)
    assert propose_next_game(session) is None


def test_settings_of_free_deals_change_before_the_start_alone(session):
    with pytest.raises(ActionRefused) as caught:
        edit_free_deals(session_id=session.pk, now=timezone.now(), seating="draw")
    assert caught.value.code == "session_started"
    draft = draft_free_session(8)
    with pytest.raises(ActionRefused) as caught:
        edit_free_deals(session_id=draft.pk, now=timezone.now(), three_weight=0)
    assert caught.value.code == "weight_out_of_range"
    edit_free_deals(session_id=draft.pk, now=timezone.now(), seating="strict")
    assert Session.objects.get(pk=draft.pk).seating == "strict"


@pytest.mark.nightly("story")
def test_tables_that_a_later_game_adds_have_a_code(session, by):
    late = add_players(club=session.tournament.club, lines=[RosterLine(f"Tard{n}", "Léa") for n in range(4)])
    for player in late:
        join_games(session_id=session.pk, player_id=player.pk, by=by, now=timezone.now())
    take(session, 2, by)
    assert session.tables.count() == 5
    assert TableToken.objects.filter(table__session=session, revoked_at=None).count() == 5


@pytest.mark.parametrize("kind", ["game", "left", "came"])
def test_games_are_not_undone_among_the_changes_of_a_plan(session, by, kind):
    if kind == "game":
        take(session, 2, by)
    elif kind == "left":
        leave_games(session_id=session.pk, number=3, moment=FromDeal(2), by=by, now=timezone.now())
    else:
        (late,) = add_players(club=session.tournament.club, lines=[RosterLine("Tard", "Léa")])
        join_games(session_id=session.pk, player_id=late.pk, by=by, now=timezone.now())
    version = current_version(session)
    assert version.operation["kind"] == kind
    with pytest.raises(ActionRefused) as caught:
        undo_change(session_id=session.pk, seen=version.number, by=by, now=timezone.now())
    assert caught.value.code == "nothing_to_undo"


def test_version_of_games_is_told_as_what_it_is(session):
    with translation.override("en"):
        told = say_plan_version(current_version(session), OperationNames(session))
    assert told == "13 players, seated game by game."

"""The players who leave, come or are replaced, between two games and within one."""

from functools import partial
from types import SimpleNamespace

import pytest
from django.utils import timezone

from clubs.models import Player
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plans.free.next_game import take_next_game
from evenings.plans.free.people import FromDeal, join_games, leave_games, replace_in_games, undo_people
from evenings.plans.starting import start_session
from evenings.standings.computing import compute
from evenings.teams.making import WantedTeam, make_teams
from pages.doors import session_url
from pages.games.people import FORMS, PeopleForm
from scoring.free import find_dealer, find_turn
from tests.factories import enter, make_director
from tests.free_evenings import draft_free_session, start_free_session
from tests.pages.browsing import browser_of
from tournaments.errors import ActionRefused
from tournaments.models import Entrant, Play, TableToken
from tournaments.rules.entry import Fiche, GameSheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    """Return an evening of eight players: two tables of four, four deals a game."""
    return start_free_session(8, games=3)


@pytest.fixture
def by(session):
    return make_director(session.tournament.club)


def test_player_who_comes_is_named_as_the_list_names_them():
    waiting = [SimpleNamespace(pk=pk, listed=listed) for pk, listed in ((4, "ADAM Léo"), (7, "BRUN Zoé"))]
    form = SimpleNamespace(waiting=waiting, cleaned_data={"player": 7})
    assert PeopleForm.player_name.fget(form) == "BRUN Zoé"


def leave(session, by, number, game=1, deal=1):
    moment = FromDeal(game, deal)
    return leave_games(session_id=session.pk, number=number, moment=moment, by=by, now=timezone.now())


def come(session, by, game=1, deal=1, table=None, name="Tard"):
    (late,) = add_players(club=session.tournament.club, lines=[RosterLine(name, "Léa")])
    moment = FromDeal(game, deal, table)
    return join_games(session_id=session.pk, player_id=late.pk, moment=moment, by=by, now=timezone.now())


def undo(session, by):
    return undo_people(session_id=session.pk, by=by, now=timezone.now())


def deals_at(session, table=1, game=1):
    plays = session.plays.filter(position=game, table__number=table).select_related("etui")
    return list(plays.order_by("etui__number"))


def turns(session, table=1, game=1):
    """Return the starting numbers of each deal in the order of turn, the dealer first."""
    numbers = dict(session.entrants.values_list("pk", "number"))
    found = []
    for place, play in enumerate(deals_at(session, table, game), start=1):
        turn = find_turn(play.seat_ids)
        first = turn.index(find_dealer(play.seat_ids, place))
        found.append([numbers[play.seat_ids[seat]] for seat in (*turn[first:], *turn[:first])])
    return found


def rows(session):
    columns = ("position", "table__number", "etui__number", "north", "east", "south", "west", "fifth", "resting")
    return sorted(session.plays.values_list(*columns), key=str)


def test_four_become_three_from_a_deal_on_and_keep_their_turn(session, by):
    before = turns(session)
    gone = before[2][1]  # the dealer of deal 4
    leave(session, by, gone, deal=3)
    after = turns(session)
    assert after[:2] == before[:2]
    assert after[2] == [number for number in before[2] if number != gone]
    assert after[3] == after[2][1:] + after[2][:1]
    assert turns(session, table=2) != []
    assert Entrant.objects.get(session=session, number=gone).last_position == 1


def test_four_become_five_when_somebody_comes_at_deal_three(session, by):
    before = turns(session, table=2)
    come(session, by, deal=3, table=2)
    after = turns(session, table=2)
    assert after[:2] == before[:2]
    assert after[2] == [*before[2], 9]  # a newcomer deals after all others
    assert [len(deal) for deal in after] == [4, 4, 5, 5]


def test_fifth_rests_where_one_is_dead():
    session = start_free_session(8, games=2, odd_tables="mort")
    come(session, make_director(session.tournament.club), deal=3, table=1)
    assert [play.resting != "" for play in deals_at(session)] == [False, False, True, True, True]


def test_two_leave_one_table_and_its_game_ends(session, by):
    first, second = turns(session)[2][1:3]
    leave(session, by, first, deal=2)
    leave(session, by, second, deal=3)
    assert [len(deal) for deal in turns(session)] == [4, 3]
    assert len(deals_at(session, table=2)) == 4


def test_change_is_undone_and_everything_is_as_before(session, by):
    before = rows(session)
    leave(session, by, turns(session)[0][0], deal=2)
    come(session, by, deal=3, table=2)
    assert rows(session) != before
    undo(session, by)
    undo(session, by)
    assert rows(session) == before
    assert session.entrants.filter(last_position=None).count() == 8
    with pytest.raises(ActionRefused) as caught:
        undo(session, by)
    assert caught.value.code == "no_people_to_undo"


def test_leaving_twice_has_one_effect(session, by):
    number = turns(session)[0][0]
    assert leave(session, by, number, deal=3) == leave(session, by, number, deal=3)
    assert session.plans.count() == 2


@pytest.mark.parametrize("what", ["result", "started"])
def test_deals_that_have_begun_do_not_change(session, by, what):
    play = deals_at(session)[2]
    if what == "result":
        enter(play, Fiche("N", 30), by=by)
    else:
        Play.objects.filter(pk=play.pk).update(started_at=timezone.now())
    before = rows(session)
    number = turns(session)[0][0]
    with pytest.raises(ActionRefused) as caught:
        leave(session, by, number, deal=3)
    assert (caught.value.code, caught.value.params) == ("deal_begun", {"game": 1, "table": 1, "deal": 3})
    assert rows(session) == before
    leave(session, by, number, deal=4)


def test_results_of_the_deals_after_hold_the_undoing(session, by):
    leave(session, by, turns(session)[0][0], deal=3)
    enter(deals_at(session)[3], Fiche("N", 30), by=by)
    with pytest.raises(ActionRefused) as caught:
        undo(session, by)
    assert caught.value.code == "deal_begun"


def test_each_part_of_a_game_has_a_sheet_of_its_own(session, by):
    leave(session, by, turns(session)[0][0], deal=3)
    first, _second, third, fourth = deals_at(session)
    enter(first, GameSheet((("N", 30), ("E", -10), ("S", -10), ("W", -10))), by=by)
    assert enter(third, GameSheet((("N", 20), ("E", -10), ("S", -10))), by=by).covers == 2
    assert compute(session.pk).figures["counts"]["missing"] == 4 + 2 * 8
    assert fourth.seat_ids.keys() == {"N", "E", "S"}


def test_whole_game_without_somebody_is_laid_again_if_all_games_are_known():
    session = start_free_session(8, games=3, seating="fixed")
    by = make_director(session.tournament.club)
    leave(session, by, 3, game=2)
    for game in (2, 3):
        assert sorted(len(turns(session, table, game)[0]) for table in (1, 2)) == [3, 4]
    undo(session, by)
    assert sorted(len(turns(session, table, 3)[0]) for table in (1, 2)) == [4, 4]


def test_new_tables_have_codes(session, by):
    for place in range(4):
        come(session, by, game=1, name=f"Tard{place}") if place < 2 else come(session, by, game=2, name=f"T{place}")
    assert TableToken.objects.filter(table__session=session).count() == session.tables.count()


def test_somebody_is_replaced_from_a_game_on_and_keeps_the_marks(session, by):
    (other,) = add_players(club=session.tournament.club, lines=[RosterLine("Relève", "Luc")])
    told = {"session_id": session.pk, "number": 3, "player_id": other.pk, "game": 2, "by": by, "now": timezone.now()}
    entrant = replace_in_games(**told)
    assert replace_in_games(**told) == entrant
    assert (entrant.person_at(1), entrant.person_at(2)) == (entrant.player, other)
    undo(session, by)
    entrant.refresh_from_db()
    assert entrant.stand_in is None


@pytest.mark.parametrize(
    ("number", "who", "code"),
    [(99, "other", "number_not_there"), (3, "seated", "plays_already"), (3, "x", "player_unknown")],
)
def test_wrong_replacements_are_refused(session, by, number, who, code):
    (other,) = add_players(club=session.tournament.club, lines=[RosterLine("Relève", "Luc")])
    player = {"other": other.pk, "seated": session.entrants.get(number=4).player_id, "x": 0}[who]
    told = {"session_id": session.pk, "number": number, "player_id": player, "game": 2}
    with pytest.raises(ActionRefused) as caught:
        replace_in_games(**told, by=by, now=timezone.now())
    assert caught.value.code == code


def test_substitute_does_not_come_as_a_player_too(session, by):
    (other,) = add_players(club=session.tournament.club, lines=[RosterLine("Relève", "Luc")])
    now = timezone.now()
    replace_in_games(session_id=session.pk, number=3, player_id=other.pk, game=2, by=by, now=now)
    with pytest.raises(ActionRefused) as caught:
        join_games(session_id=session.pk, player_id=other.pk, by=by, now=now)
    assert (caught.value.code, session.entrants.count()) == ("plays_already", 8)


@pytest.mark.parametrize("field", ["put_away_at", "erased_at"])
def test_player_who_is_off_the_list_neither_comes_nor_replaces(session, by, field):
    (other,) = add_players(club=session.tournament.club, lines=[RosterLine("Relève", "Luc")])
    now = timezone.now()
    Player.objects.filter(pk=other.pk).update(**{field: now})
    told = {"session_id": session.pk, "player_id": other.pk, "by": by, "now": now}
    for change in (partial(join_games, **told), partial(replace_in_games, number=3, game=2, **told)):
        with pytest.raises(ActionRefused) as caught:
            change()
        assert caught.value.code == "player_unknown"


@pytest.mark.nightly("story")
def test_page_shows_the_tables_first_then_changes_them(session, by):
    browser, url = browser_of(by), session_url("games", session)
    number = turns(session)[0][0]
    told = {"do": "leave", "number": str(number), "game": "1", "deal": "3"}
    before = rows(session)
    seen = browser.post(url, told)
    assert "from deal 3 of game 1 on" in seen.context["about"]
    assert [(game, table, [part[:2] for part in parts]) for game, table, parts in seen.context["tables"]] == [
        (1, 1, [(1, 2), (3, 4)])
    ]
    assert rows(session) == before
    assert browser.post(url, dict(seen.context["sent"]) | {"do": "leave", "sure": "1"}).status_code == 302
    assert [len(deal) for deal in turns(session)] == [4, 4, 3, 3]
    assert "Undo the last change" in browser.get(url).content.decode()
    browser.post(url, {"do": "back"})
    assert rows(session) == before


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"do": "leave", "number": "99", "game": "1", "deal": "3"}, "number"),
        ({"do": "leave", "number": "1", "game": "3", "deal": "1"}, "game"),
        ({"do": "leave", "number": "1", "game": "1", "deal": "99"}, "deal"),
        ({"do": "come", "player": "0", "game": "1", "deal": "3"}, "player"),
        ({"do": "replace", "number": "1", "player": "0", "game": "2"}, "player"),
    ],
)
def test_wrong_forms_keep_what_was_typed(session, by, typed, field):
    answer = browser_of(by).post(session_url("games", session), typed)
    assert answer.status_code == 200
    form = next(form for form in answer.context["forms"] if form.errors)
    assert field in form.errors
    assert form["game"].value() == typed["game"]


def test_newcomer_within_a_game_names_the_table(session, by):
    (late,) = add_players(club=session.tournament.club, lines=[RosterLine("Tard", "Léa")])
    told = {"do": "come", "player": str(late.pk), "game": "1", "deal": "3"}
    answer = browser_of(by).post(session_url("games", session), told)
    assert next(form for form in answer.context["forms"] if form.errors).errors["table"]


def test_too_few_players_are_told_so():
    session = start_free_session(4, games=2)
    by = make_director(session.tournament.club)
    leave(session, by, 1, game=2)
    seen = browser_of(by).post(session_url("games", session), {"do": "leave", "number": "2", "game": "2", "deal": "1"})
    assert seen.context["problem"]


@pytest.mark.nightly("story")
def test_late_member_of_a_team_never_meets_the_team():
    session = draft_free_session(8, games=2, deals=2, seating="strict")
    by = make_director(session.tournament.club)
    mate = session.entrants.order_by("pk")[0].player
    (late,) = add_players(club=session.tournament.club, lines=[RosterLine("Tard", "Léa")])
    wanted = [WantedTeam([mate.pk, late.pk])]
    make_teams(tournament_id=session.tournament_id, wanted=wanted, by=by, now=timezone.now())
    start_session(session_id=session.pk, by=by, now=timezone.now())
    number = session.entrants.get(player=mate).number
    games = join_games(session_id=session.pk, player_id=late.pk, moment=FromDeal(2), by=by, now=timezone.now())
    assert games.mates == ((number, 9),)
    taken = take_next_game(session_id=session.pk, game=2, by=by, now=timezone.now())
    assert not any({number, 9} <= {*part.people} for part in taken.at(2))


@pytest.mark.nightly("story")
def test_member_of_another_team_replaces_nobody():
    session = draft_free_session(8, games=3, deals=2)
    by, now = make_director(session.tournament.club), timezone.now()
    seated = [entrant.player_id for entrant in session.entrants.order_by("pk")]
    spare, friend = add_players(
        club=session.tournament.club, lines=[RosterLine("Un", "Léa"), RosterLine("Deux", "Zoé")]
    )
    wanted = [WantedTeam([seated[0], seated[1], spare.pk]), WantedTeam(seated[2:4])]
    make_teams(tournament_id=session.tournament_id, wanted=wanted, by=by, now=now)
    start_session(session_id=session.pk, by=by, now=now)
    numbers = dict(session.entrants.values_list("player", "number"))
    for player in (seated[2], seated[5]):
        told = {"number": numbers[player], "player": spare.pk, "game": 2}
        assert [*FORMS["replace"](session, told).errors] == ["player"]
        with pytest.raises(ActionRefused) as caught:
            replace_in_games(session_id=session.pk, number=numbers[player], player_id=spare.pk, game=2, by=by, now=now)
        assert caught.value.code == "plays_for_other_team"
    for player, other in ((seated[2], friend.pk), (seated[0], spare.pk)):
        assert FORMS["replace"](session, {"number": numbers[player], "player": other, "game": 2}).is_valid()


@pytest.mark.parametrize("action", ["leave", "come"])
def test_form_says_that_a_deal_has_begun_before_it_shows_what_follows(session, by, action):
    play = deals_at(session)[0]
    enter(play, Fiche("N", 40), by=by)
    number = session.entrants.get(pk=play.north_id).number
    (late,) = add_players(club=session.tournament.club, lines=[RosterLine("Tard", "Léa")])
    form = FORMS[action](session, {"number": number, "player": late.pk, "game": 1, "deal": 1, "table": 1})
    assert not form.is_valid()
    assert [*form.errors] == ["deal"]
    later = FORMS[action](session, {"number": number, "player": late.pk, "game": 1, "deal": 2, "table": 1})
    assert later.is_valid()


def test_form_says_that_somebody_is_replaced_already_before_it_shows_what_follows(session, by):
    one, two = add_players(club=session.tournament.club, lines=[RosterLine("Un", "Léa"), RosterLine("Deux", "Zoé")])
    replace_in_games(session_id=session.pk, number=3, player_id=one.pk, game=1, by=by, now=timezone.now())
    form = FORMS["replace"](session, {"number": 3, "player": two.pk, "game": 1})
    assert not form.is_valid()
    assert [*form.errors] == ["number"]

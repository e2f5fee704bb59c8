"""The closing of a game: deals that no table has begun go, and come back when the closing is undone."""

import pytest
from django.utils import timezone

from evenings.plans.free.closing import close_game, reopen_game
from evenings.plays.entering import not_played
from evenings.plays.free import count_unseated, count_unseated_after, find_last_seated
from evenings.plays.state import with_states
from evenings.sessions.lists import progress_of
from evenings.sessions.running import call_position
from evenings.standings.computing import compute
from pages.doors import session_url
from rankings.publication.publishing import open_points
from tests.factories import enter, make_director, make_tournament, started_session
from tests.free_evenings import lay_out_games, start_free_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused
from tournaments.models import Play, Session
from tournaments.rules.entry import Fiche

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    return start_free_session(8, games=2, fits_deals=True)


@pytest.fixture
def by(session):
    return make_director(session.tournament.club)


def act(service, session, by, game=1):
    return service(session_id=session.pk, game=game, by=by, now=timezone.now())


def states(session):
    return sorted(str(each.state) for each in with_states(session.plays.filter(position=1)))


def play_some(session, by):
    """Let both tables play three deals and begin a fourth one. The director says that a fifth one is not played."""
    for play in session.plays.filter(position=1, etui__number__lte=3).select_related("etui"):
        enter(play, Fiche("N", 30), by=by)
    Play.objects.filter(session=session, position=1, etui__number=4).update(started_at=timezone.now())
    for play in session.plays.filter(position=1, etui__number=5):
        not_played(play_id=play.pk, by=by, now=timezone.now())


def test_deals_not_begun_go_when_the_game_is_closed(session, by):
    play_some(session, by)
    assert len(act(close_game, session, by)) == 14
    assert states(session) == ["entered"] * 6 + ["not_played"] * 16 + ["started"] * 2
    assert act(close_game, session, by) == []
    assert compute(session.pk).figures["counts"]["missing"] == 2 + 24


def test_they_come_back_when_the_closing_is_undone(session, by):
    play_some(session, by)
    act(close_game, session, by)
    assert len(act(reopen_game, session, by)) == 14
    assert states(session) == ["entered"] * 6 + ["not_played"] * 2 + ["started"] * 2 + ["todo"] * 14
    assert act(reopen_game, session, by) == []


def test_late_result_of_a_phone_still_counts(session, by):
    act(close_game, session, by)
    play = session.plays.filter(position=1).first()
    enter(play, Fiche("N", 30), by=by)
    assert states(session).count("entered") == 1
    assert len(act(reopen_game, session, by)) == 23


def test_game_that_is_not_seated_is_neither_closed_nor_called(session, by):
    with pytest.raises(ActionRefused) as caught:
        act(close_game, session, by, game=2)
    assert caught.value.code == "game_not_seated"
    call_position(session_id=session.pk, position=1, by=by, now=timezone.now())
    with pytest.raises(ActionRefused) as caught:
        call_position(session_id=session.pk, position=2, by=by, now=timezone.now())
    assert caught.value.code == "game_not_seated"


def test_games_that_are_not_seated_count_as_missing_everywhere(session, by):
    act(close_game, session, by)
    assert count_unseated(session) == 24
    assert progress_of(session)["missing"] == 24
    assert {point.code: point.count for point in open_points(session, [])} == {"unseated": 24}


@pytest.mark.parametrize(
    ("games", "missing"),
    [
        ([[[0, 1, 2, 3]], []], 3),
        ([[[0, 1, 2, 3], [4, 5, 6]], [[0, 1, 2, 3]], [], []], 6),
        ([[[0, 1, 2, 3]], [[0, 1, 2, 3]]], 0),
    ],
    ids=["one seated", "the last one counts", "all seated"],
)
def test_games_to_come_are_as_long_as_the_last_seated_one(games, missing):
    session = lay_out_games(games, deals=3)
    seated = sum(map(bool, games))
    positions = list(session.plays.values_list("position", flat=True))
    assert count_unseated(session) == count_unseated_after(session, positions) == missing
    assert find_last_seated(session, positions) == seated
    # Another session may have fewer games now than it has seated.
    Session.objects.update(positions=1)
    assert count_unseated(Session.objects.get(pk=session.pk)) == 0


@pytest.mark.nightly("story")
def test_nothing_is_seated_before_the_start_and_etuis_wait_for_no_seats(session):
    etuis = started_session(make_tournament(session.tournament.club))
    assert (count_unseated(etuis), count_unseated_after(etuis, [1]), find_last_seated(etuis, [1])) == (0, 0, 5)
    session.plays.all().delete()
    assert (count_unseated(session), count_unseated_after(session, []), find_last_seated(session, [])) == (0, 0, 0)


@pytest.mark.nightly("story")
def test_game_is_closed_and_opened_on_its_page(client, session, by):
    client.force_login(by)
    url = session_url("games", session)
    assert client.get(url).context["unbegun"] == 24
    assert client.post(url, {"do": "close", "game": "1"}, follow=True).context["closed"] == 24
    assert client.post(url, {"do": "reopen", "game": "1"}, follow=True).context["unbegun"] == 24


def test_desk_says_that_games_are_not_seated(client, session, by):
    act(close_game, session, by)
    client.force_login(by)
    text = client.get(session_url("session", session), headers={"accept-language": "en"}).content.decode()
    assert "Some games are not seated yet." in text
    assert "Every result is in" not in text
    points = client.get(session_url("publish", session), headers={"accept-language": "en"}).content.decode()
    assert "24 results belong to games that are not seated yet" in points


@pytest.mark.nightly("story")
def test_page_of_a_closed_game_tells_the_deals_that_nobody_played_in_no_green_box(session, by):
    director = browser_of(by)
    first = session.plays.filter(position=1).earliest("table__number", "etui__number")
    enter(first, Fiche("N", 30), by=by)
    lost = session.plays.filter(position=1).count() - 1
    page = director.post(session_url("games", session), {"do": "close", "game": 1}, follow=True)
    (message,) = page.context["messages"]
    assert (str(message), message.level_tag) == (f"Game 1 is closed: {lost} deals are not played.", "info")
    page = director.get(session_url("sheets", session), {"game": 1})
    assert f"This game is over. {lost} deals were not played, and count for nobody." in words(page)
    assert "notice-success" not in page.content.decode()
    cells = {table: [cell and cell.deals for cell in cells] for table, cells in page.context["grid"].overview}
    assert cells == {1: [1], 2: [None]}, "a table that played nothing has no green 0/0"

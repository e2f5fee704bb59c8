"""The players of étuis for three or five: nobody comes or leaves alone, but somebody can be replaced."""

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plans.free.people import FromDeal, join_games, leave_games, replace_in_games, undo_people
from evenings.standings.computing import compute
from pages.doors import session_url
from tests.etui_games import play_etuis
from tests.pages.browsing import browser_of
from tournaments.errors import ActionRefused

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(evening):
    session, by = evening
    (other,) = add_players(club=session.tournament.club, lines=[RosterLine("Remplaçante", "Zoé")])
    return session, by, other


def test_nobody_leaves_or_comes_alone(evening):
    session, by, other = evening
    told = {"session_id": session.pk, "moment": FromDeal(2), "by": by, "now": timezone.now()}
    for change in (lambda: leave_games(number=1, **told), lambda: join_games(player_id=other.pk, **told)):
        with pytest.raises(ActionRefused) as caught:
            change()
        assert caught.value.code == "tables_alike"


@pytest.mark.nightly("story")
def test_somebody_is_replaced_from_a_position_on_and_back(evening):
    session, by, other = evening
    play_etuis(session, by, most=2)
    told = {"session_id": session.pk, "by": by, "now": timezone.now()}
    entrant = replace_in_games(number=1, player_id=other.pk, game=2, **told)
    assert (entrant.stand_in_id, entrant.stand_in_from) == (other.pk, 2)
    play_etuis(session, by)
    assert compute(session.pk).figures["counts"]["missing"] == 0
    undo_people(**told)
    entrant.refresh_from_db()
    assert entrant.stand_in_id is None


def test_the_page_offers_replacing_alone(evening):
    session, by, other = evening
    browser, url = browser_of(by), session_url("games", session)
    page = browser.get(url).content.decode()
    assert ('id="replace"' in page, 'id="leave"' in page, 'id="come"' in page) == (True, False, False)
    sent = {"do": "replace", "number": 1, "player": other.pk, "game": 2}
    assert other.listed in browser.post(url, sent).content.decode()
    assert session.entrants.get(number=1).stand_in_id is None
    browser.post(url, sent | {"sure": "1"})
    assert session.entrants.get(number=1).stand_in_id == other.pk


def test_the_changes_of_plans_with_lines_lead_to_this_page(evening):
    session, by, _other = evening
    browser = browser_of(by)
    assert browser.get(session_url("changes", session)).url == session_url("games", session)

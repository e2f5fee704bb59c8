"""The cut between two rounds by the API: what it can read, making it, withdrawals, undoing it, its queries."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.people.cuts import CutLineOut
from clubs.models import Club, Player
from registration.people.cuts import ListedLine
from tests.api.conftest import Client, club, director
from tests.factories import draft_session, make_tournament, published_session
from tournaments.models import Cut, Session
from tournaments.rules.cut import CutLine, CutState

__all__ = ["club", "director"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(club: Club, director: Client) -> Session:
    """Return a session in preparation, after a published one."""
    tournament = make_tournament(club)
    assert director.user is not None
    published_session(tournament, by=director.user)
    session: Session = draft_session(tournament)
    return session


def make(director: Client, session: Session, **more: Any) -> Any:
    path = f"sessions/{session.pk}/cut/"
    (source,) = [each for each in director.get(path)["sources"] if not each["consolation"]]
    return director.put(path, {"ranking": source["key"], "places": 8, "equals": "draw"} | more)


@pytest.mark.nightly("story")
def test_a_cut_is_made_changed_shown_and_undone(session: Session, director: Client) -> None:
    path = f"sessions/{session.pk}/cut/"
    before = director.get(path)
    assert (before["level"], before["cut"], before["sources"][0]["session"]) == (0, None, 1)
    made = make(director, session)
    assert make_again(director, session, made) == made
    states = [line["state"] for line in made["cut"]["lines"]]
    assert (made["level"], states.count("in"), states.count("out")) == (1, 8, 12)
    gone = made["cut"]["lines"][0]["player"]
    after = director.put(f"{path}players/{gone}/", {"comes": False})
    assert after["cut"]["lines"][0]["state"] == "withdrawn"
    assert director.post(f"{path}fill/") == {"count": 1}
    assert director.post(f"{path}fill/") == {"count": 0}
    assert director.post(f"{path}show/")["cut"]["shown_at"] is not None
    for _again in range(2):
        director("DELETE", path, status=204)
    assert (director.get(path)["level"], Cut.objects.exists()) == (0, False)


def make_again(director: Client, session: Session, made: Any) -> Any:
    """Send the same request again. The key is the one that the stored cut has read."""
    publication = Cut.objects.get(session=session).publication_id
    told = {"ranking": f"s{publication}", "places": made["cut"]["places"], "equals": made["cut"]["equals"]}
    return director.put(f"sessions/{session.pk}/cut/", told)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"ranking": "s999999", "places": 8}, "cut_ranking_changed"),
        ({"ranking": "c999999", "places": 8}, "cut_ranking_changed"),
        ({"ranking": "zut", "places": 8}, "cut_ranking_changed"),
    ],
)
def test_an_unknown_ranking_is_refused(session: Session, director: Client, body: Any, code: str) -> None:
    assert director.refused("PUT", f"sessions/{session.pk}/cut/", body, status=422) == code
    assert not Cut.objects.exists()


def test_reading_a_cut_takes_few_queries(session: Session, director: Client) -> None:
    make(director, session)
    with CaptureQueriesContext(connection) as asked:
        director.get(f"sessions/{session.pk}/cut/")
    assert len(asked) <= 14


def test_line_of_a_cut_has_the_rank_of_its_player_and_whether_it_divides_equal_ones() -> None:
    player = Player(pk=7, last_name="Dupont", first_name="Zoé")
    told = CutLineOut(ListedLine(CutLine(7, 3, CutState.OUT, is_equal=True), player, None)).data
    assert told == {"player": 7, "name": "Zoé Dupont", "rank": 3, "state": "out", "equal": True}

"""The marks of donnes libres in the answers to programs: they stand beside percentages, which are null."""

from fractions import Fraction

import pytest
from django.utils import timezone

from evenings.plays.entering import enter_result
from evenings.standings.computing import refresh
from tests.factories import make_director, published_session
from tests.free_evenings import lay_out_tables, plays_at
from tests.free_tournaments import play_two_evenings
from tests.pages.browsing import browser_of
from tournaments.rules.entry import Fiche

pytestmark = pytest.mark.django_db
PERCENTAGES = ("overall", "attack", "defence")


def read(by, path):
    answer = browser_of(by).get(f"/api/v1/{path}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def exact(figure):
    return None if figure is None else Fraction(figure["exact"])


@pytest.mark.parametrize("path", ["publications/latest/", "standings/"])
def test_marks_of_a_session_stand_beside_percentages_that_are_null(path):
    tournament, by, (first, _second) = play_two_evenings()
    session = tournament.sessions.get(number=1)
    told = read(by, f"sessions/{session.pk}/{path}")
    assert told["unit"] == "marks"
    assert {player[name] for player in told["players"] for name in PERCENTAGES} == {None}
    assert {player["player"]: exact(player["marks"]) for player in told["players"]} == first
    for player in told["players"]:
        parts = [exact(player[f"{name}_marks"]) or 0 for name in ("attack", "defence")]
        assert all(isinstance(part, (int, Fraction)) for part in parts)
    assert any(player["attack_marks"] for player in told["players"])
    for etui in told.get("etuis", ()):
        for play in etui["plays"]:
            assert play["notes"] is None
            assert (play["counted_marks"] is None) == (play["state"] in ("missing", "annulled", "not_played"))


@pytest.mark.nightly("story")
def test_lines_of_a_feuille_have_the_marks_that_count():
    tournament, by, (first, _second) = play_two_evenings()
    session = tournament.sessions.get(number=1)
    for entrant in session.entrants.all()[:12]:
        told = read(by, f"sessions/{session.pk}/entrants/{entrant.pk}/")
        assert {line["note"] for line in told["plays"]} == {None}
        counted = sum(exact(line["counted_marks"]) or 0 for line in told["plays"])
        assert counted - exact(told["player"]["penalty"]) == exact(told["player"]["marks"]) == first[entrant.player_id]


def test_preview_of_a_ruling_has_marks():
    session = lay_out_tables([4], games=1)
    by = make_director(session.tournament.club)
    play = plays_at(session)[0]
    enter_result(play_id=play.pk, entry=Fiche("N", 20), by=by, now=timezone.now())
    refresh(session.pk, now=timezone.now())
    sent = {"kind": "annulled", "reason": "Maldonne"}
    answer = browser_of(by).post(f"/api/v1/plays/{play.pk}/rulings/preview/", sent, content_type="application/json")
    assert answer.status_code == 200, answer.content
    told = answer.json()
    shifts = told["moving"] + told["staying"]
    assert {each["overall"][side] for each in shifts for side in ("before", "after")} == {None}
    assert sorted(exact(each["marks"]["before"]) for each in shifts) == [-20, -20, -20, 60]


def test_percentages_of_other_formats_stay():
    session = published_session()
    told = read(None, f"sessions/{session.pk}/publications/latest/")
    assert told["unit"] == "per_cent"
    for player in told["players"]:
        assert player["overall"] is not None
        assert {player[name] for name in ("marks", "attack_marks", "defence_marks")} == {None}

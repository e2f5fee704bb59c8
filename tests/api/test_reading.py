"""The standings, feuilles de route and publications by the API: fresh or stale, exact and rounded, cached by ETag."""

import gzip
from fractions import Fraction
from typing import Any

import pytest

from api import reading
from clubs.models import Club
from evenings.standings import computing
from scoring.files.sheets import six_decimals
from tests import shared_evenings
from tests.api.conftest import V1, Client
from tests.factories import draft_session, enter, make_tournament, published_session
from tournaments.models import Session, SessionStandings

session = shared_evenings.started_in_club


@pytest.fixture
def published(club: Club, director: Client) -> Session:
    return published_session(make_tournament(club), by=director.user)


def test_standings_not_computed_yet_are_told_as_the_rows_stand(director: Client, session: Session) -> None:
    assert director.user is not None
    enter(session.plays.select_related("etui")[0], by=director.user)
    told = director.get(f"sessions/{session.pk}/standings/")
    assert (told["fresh"], told["computed_at"], told["results_version"]) == (False, None, 0)
    assert told["counts"] == {"scored": 1, "missing": 24, "annulled": 0, "not_played": 0}
    assert len(told["players"]) == 20


def test_standings_that_are_stale_are_told_with_what_was_computed(director: Client, session: Session) -> None:
    first, second = session.plays.select_related("etui")[:2]
    director.post(f"plays/{first.pk}/result/", {"base_score": 60}, status=201)
    fresh = director.get(f"sessions/{session.pk}/standings/")
    assert (fresh["fresh"], fresh["counts"]["scored"]) == (True, 1)
    assert director.user is not None
    enter(second, by=director.user)  # the job of this entry never runs
    stale = director.get(f"sessions/{session.pk}/standings/")
    assert stale == fresh | {"fresh": False}
    progress = director.get(f"sessions/{session.pk}/")["progress"]
    assert (progress["fresh"], progress["computed_at"]) == (False, fresh["computed_at"])


def test_standings_of_a_session_in_preparation_are_refused(director: Client, club: Club) -> None:
    session = draft_session(make_tournament(club))
    for path in ("standings/", f"entrants/{session.entrants.earliest('pk').pk}/"):
        assert director.refused("GET", f"sessions/{session.pk}/{path}", status=422) == "session_not_started"


def test_percentages_are_exact_and_rounded_once(director: Client, published: Session) -> None:
    computed = computing.compute(published.pk)
    assert computed is not None
    exact = {player["id"]: player for player in computed.data["players"]}
    for player in director.get(f"sessions/{published.pk}/standings/")["players"]:
        for name in ("attack", "defence", "overall"):
            value = exact[player["id"]][name]
            expected = None if value is None else {"exact": value, "decimal": six_decimals(Fraction(value))}
            assert player[name] == expected


@pytest.mark.nightly("story")
def test_feuille_adds_up_to_the_percentages(stranger: Client, published: Session) -> None:
    for entrant in published.entrants.all():
        feuille = stranger.get(f"sessions/{published.pk}/entrants/{entrant.pk}/")
        player = feuille["player"]
        notes = {
            side: [
                Fraction(play["note"]["exact"])
                for play in feuille["plays"]
                if (play["taker"] == entrant.line) == (side == "attack")
            ]
            for side in ("attack", "defence")
        }
        for side, values in notes.items():
            mean = str(sum(values, Fraction()) / len(values)) if values else None
            assert (player[side] and player[side]["exact"]) == mean
        assert len(feuille["plays"]) == 5
        assert entrant.player.name not in feuille["plays"][0]["others"]


def test_feuille_of_nobody_is_not_found(
    stranger: Client, director: Client, published: Session, session: Session
) -> None:
    other = session.entrants.earliest("pk").pk
    assert stranger.refused("GET", f"sessions/{published.pk}/entrants/{other}/", status=404) == "not_found"
    assert director.refused("GET", f"sessions/{session.pk}/entrants/1/", status=404) == "not_found"


def test_live_feuille_is_for_directors(stranger: Client, helper: Client, director: Client, published: Session) -> None:
    path = f"sessions/{published.pk}/entrants/{published.entrants.earliest('pk').pk}/?live=true"
    assert stranger.refused("GET", path, status=401) == "not_authenticated"
    assert helper.refused("GET", path, status=403) == "permission_denied"
    assert director.get(path)["publication"] is None


@pytest.mark.nightly("story")
def test_publication_is_not_sent_again_to_who_has_it(stranger: Client, director: Client, published: Session) -> None:
    path = f"{V1}sessions/{published.pk}/publications/latest/"
    first = stranger.client.get(path)
    again = stranger.client.get(path, headers={"If-None-Match": first["ETag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert (again["ETag"], again["Cache-Control"]) == (first["ETag"], first["Cache-Control"])
    assert stranger.client.head(path)["ETag"] == first["ETag"]
    play = published.plays.earliest("pk")
    director.put(f"plays/{play.pk}/result/", {"base_score": 402, "reason": "x", "seen_version": 1})
    director.post(f"sessions/{published.pk}/publications/", {}, status=201)
    changed = stranger.client.get(path, headers={"If-None-Match": first["ETag"]})
    assert (changed.status_code, changed.json()["version"]) == (200, 2)
    assert changed["ETag"] != first["ETag"]


def test_publication_is_written_once_for_whoever_asks(
    stranger: Client, director: Client, published: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{V1}sessions/{published.pk}/publications/"
    plain = stranger.client.get(f"{path}latest/")
    monkeypatch.setattr(reading, "publication_data", None)
    small = director.client.get(f"{path}1/", headers={"Accept-Encoding": "gzip"})
    assert (small["Content-Encoding"], gzip.decompress(small.content)) == ("gzip", plain.content)
    assert (small["ETag"], small["Content-Type"]) == (plain["ETag"], plain["Content-Type"])
    assert "Content-Encoding" not in plain
    monkeypatch.undo()
    published.tournament.name = "Renommé"
    published.tournament.save()
    assert stranger.client.get(f"{path}latest/").json()["tournament"] == "Renommé"


def test_publication_shows_every_play_with_its_notes_and_marks(stranger: Client, published: Session) -> None:
    told = stranger.get(f"sessions/{published.pk}/publications/1/")
    plays = [play for etui in told["etuis"] for play in etui["plays"]]
    assert len(plays) == 25
    for play in plays:
        assert sum(play["marks"].values()) == 0
        notes = {line: Fraction(note["exact"]) for line, note in play["notes"].items()}
        assert {notes[line] for line in notes if line != play["taker"]} == {100 - notes[play["taker"]]}


def test_nothing_published_is_an_empty_list_and_no_version(stranger: Client, session: Session) -> None:
    assert stranger.get(f"sessions/{session.pk}/publications/") == []
    for version in ("latest", 1):
        path = f"sessions/{session.pk}/publications/{version}/"
        assert stranger.refused("GET", path, status=404) == "not_found"


@pytest.mark.nightly("story")
def test_session_published_without_the_results_that_are_missing(
    director: Client, stranger: Client, session: Session
) -> None:
    path = f"sessions/{session.pk}/publications/"
    assert director.refused("POST", path, {}, status=422) == "nothing_to_publish"
    play = session.plays.earliest("pk")
    director.post(f"plays/{play.pk}/result/", {"base_score": 60}, status=201)
    error = director.post(path, {}, status=422)["error"]
    assert (error["code"], error["params"]) == ("results_missing", {"missing": 24})
    director.post(path, {"allow_missing": True}, status=201)
    assert stranger.get(f"{path}1/")["counts"] == {"scored": 1, "missing": 24, "annulled": 0, "not_played": 0}


def test_standings_kept_by_the_job_are_what_the_api_tells(director: Client, published: Session) -> None:
    kept: Any = SessionStandings.objects.get(session=published).data
    told = director.get(f"sessions/{published.pk}/standings/")
    assert [player["id"] for player in told["players"]] == [player["id"] for player in kept["players"]]
    assert told["counts"] == kept["counts"]

"""A whole evening by the API alone: from the players' names to a second publication."""

from fractions import Fraction
from typing import Any

import pytest

from clubs.models import Club
from scoring.ranking import INDIVIDUAL, Line, ScoringPlay, standings
from tests.api.conftest import Client

pytestmark = pytest.mark.nightly("story")

NAMES = "\n".join(f"JOUEUR{number:02} Camille" for number in range(1, 21))


def result_of(play: dict[str, Any]) -> dict[str, Any]:
    """Return a plausible result that differs from play to play: facts, or the figure of a fiche."""
    number = play["position"] * 7 + play["table"] * 3 + play["etui"]
    if number % 4 == 0:
        return {"base_score": 50 + 2 * (number % 20)}
    return {"bouts": 2, "points": 30 + number % 31, "petit_au_bout": ("none", "attack", "defence")[number % 3]}


def set_up(director: Client, club: Club, *, etuis: int = 2, cards: bool = True) -> int:
    """Make and start a session by the API alone, and return its id."""
    players = director.post(f"clubs/{club.slug}/players/", {"roster": NAMES}, status=201)
    tournament = director.post(f"clubs/{club.slug}/tournaments/", {"name": "Duplicate du jeudi"}, status=201)
    session = director.post(
        f"tournaments/{tournament['id']}/sessions/",
        {"date": "2026-11-20", "positions": 4, "etuis_per_position": etuis},
        status=201,
    )
    pk = session["id"]
    director("PATCH", f"sessions/{pk}/", {"positions": 5})
    director.put(f"sessions/{pk}/entrants/", [player["id"] for player in players])
    director.post(f"sessions/{pk}/deal-set/", {"cards": cards}, status=201)
    director.post(f"sessions/{pk}/start/")
    return int(pk)


def independent_overall(plays: list[dict[str, Any]]) -> dict[int, Fraction]:
    """Return the percentages that follow from the results which the API lists, computed without any row."""
    ranked = standings(
        [
            ScoringPlay(
                etui=play["etui"],
                seats=tuple(play["seats"][line]["entrant"] for line in "NESW"),
                taker=Line(play["result"]["taker"]),
                base_score=play["result"]["base_score"],
            )
            for play in plays
        ],
        INDIVIDUAL,
    )
    return {player.player: player.overall for player in ranked.players}  # type: ignore[misc]


def test_a_whole_evening(director: Client, stranger: Client, club: Club) -> None:
    pk = set_up(director, club)
    assert director.get(f"sessions/{pk}/")["progress"] | {"computed_at": None} == {
        "position": 0, "clock": {"ends_at": None, "left": None},
        "plays": 50, "missing": 50, "later": 0, "not_played": 0, "annulled": 0, "adjusted": 0,
        "results_version": 1, "computed_at": None, "fresh": True,
    }  # fmt: skip
    plays = director.get(f"sessions/{pk}/plays/")
    assert [(play["position"], play["table"], play["etui"]) for play in plays[:3]] == [(1, 1, 1), (1, 1, 2), (1, 2, 3)]
    for play in plays[:-1]:
        answer = director.post(f"plays/{play['id']}/result/", result_of(play), status=201)
        assert sum(answer["marks"].values()) == 0
        assert answer["marks"][play["taker"]] == 3 * answer["base_score"]
    last = plays[-1]
    assert director.get(f"sessions/{pk}/plays/?state=missing") == [last]
    assert director.refused("POST", f"sessions/{pk}/publications/", {}, status=422) == "results_missing"
    director.post(f"plays/{last['id']}/result/", result_of(last), status=201)
    director.post(f"plays/{last['id']}/result/", result_of(last), status=200)

    corrected = director.put(
        f"plays/{plays[0]['id']}/result/",
        {"bouts": 2, "points": 49, "petit_au_bout": "attack", "poignees_attack": ["simple"]}
        | {"reason": "The fiche was misread", "seen_version": 1},
    )
    assert (corrected["version"], corrected["base_score"], corrected["fiche"]) == (2, 106, "+106")
    assert [line["amount"] for line in corrected["lines"]] == [66, 20, 20]

    live = director.get(f"sessions/{pk}/standings/")
    assert live["fresh"] is True
    assert live["counts"] == {"scored": 50, "missing": 0, "annulled": 0, "not_played": 0}
    overall = {player["id"]: Fraction(player["overall"]["exact"]) for player in live["players"]}
    assert overall == independent_overall(director.get(f"sessions/{pk}/plays/"))
    assert [player["rank_general"] for player in live["players"]] == sorted(
        player["rank_general"] for player in live["players"]
    )

    winner = live["players"][0]
    path = f"sessions/{pk}/entrants/{winner['id']}/"
    before = director.get(path)
    assert before["publication"] is None
    assert before["player"] == winner
    assert len(before["plays"]) == 10
    assert stranger.refused("GET", path, status=401) == "not_authenticated"

    assert director.post(f"sessions/{pk}/publications/", {}, status=201)["version"] == 1
    assert director.post(f"sessions/{pk}/publications/", {}, status=200)["version"] == 1
    first = stranger.get(f"sessions/{pk}/publications/1/")
    assert first["players"] == live["players"]
    assert stranger.get(path) == before | {"publication": 1}

    director.put(
        f"plays/{plays[0]['id']}/result/",
        {"base_score": -400, "reason": "Wrong étui", "seen_version": 2},
    )
    assert stranger.get(f"sessions/{pk}/publications/latest/") == first
    assert director.get(f"{path}?live=true")["publication"] is None
    director.post(f"sessions/{pk}/publications/", {}, status=201)
    assert [item["version"] for item in stranger.get(f"sessions/{pk}/publications/")] == [2, 1]
    assert stranger.get(f"sessions/{pk}/publications/1/") == first
    second = stranger.get(f"sessions/{pk}/publications/latest/")
    assert second["version"] == 2
    assert second["etuis"][0]["plays"] != first["etuis"][0]["plays"]

    history = director.get(f"plays/{plays[0]['id']}/")["entries"]
    assert [(entry["version"], entry["current"], entry["reason"]) for entry in history] == [
        (3, True, "Wrong étui"),
        (2, False, "The fiche was misread"),
        (1, False, ""),
    ]

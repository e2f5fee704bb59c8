"""The examples of docs/api.md, run in order as a director. An answer may hold more than the guide shows."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from clubs.accounts.program_tokens import NewToken, make_program_token
from clubs.models import Club, day_of_roles
from clubs.players import add_players
from clubs.roster import RosterLine
from tests.api.conftest import V1, Client
from tests.factories import make_director, make_tournament, published_session, started_session

GUIDE = Path(__file__).parents[2] / "docs" / "api.md"
EXAMPLE = re.compile(
    r"```http\n(?P<method>[A-Z]+) (?P<path>\S+)\n(?P<body>.*?)```(?:\s*```json\n(?P<answer>.*?)```)?", re.S
)


def holds(answer: Any, shown: Any) -> bool:
    """Return True if the answer has all that the guide shows. The guide writes “…” for a value that is drawn anew."""
    if isinstance(shown, dict):
        return all(name in answer and holds(answer[name], value) for name, value in shown.items())
    if isinstance(shown, list):
        return len(answer) == len(shown) and all(map(holds, answer, shown))
    return bool(answer == shown or shown == "…")


@pytest.mark.nightly("story")
def test_every_example_answers_as_the_guide_says(director: Client, club: Club) -> None:
    lines = [RosterLine(f"Nom{number:02}", "Zoé") for number in range(20)]
    names: dict[str, Any] = {
        "players": json.dumps([player.pk for player in add_players(club=club, lines=lines)]),
    }
    examples = list(EXAMPLE.finditer(GUIDE.read_text(encoding="utf-8")))
    assert len(examples) == GUIDE.read_text(encoding="utf-8").count("```http") == 29
    for example in examples:
        method, path, body, shown = (
            re.sub(r"<(\w+)>", lambda name: str(names[name[1]]), text or "") for text in example.groups()
        )
        where, _mark, query = path.partition("?")
        response = director.send(method, where, json.loads(body or "null"), query=query)
        answer = response.json()
        expected = json.loads(shown or "{}")
        assert response.status_code in ((422,) if "error" in expected else (200, 201)), answer
        assert holds(answer, expected), answer
        match path.removeprefix(V1).strip("/").split("/"):
            case ["clubs", _, "tournaments"]:
                names["tournament"] = answer["id"]
            case ["tournaments", _, "sessions"]:
                names["session"] = answer["id"]
            case ["sessions", _, "entrants"]:
                names["entrant"] = answer[0]["id"]
            case ["sessions", _, "plays", _]:
                names["play"] = answer[0]["id"]


def test_every_line_of_the_walk_is_answered_to_a_stranger(director: Client, stranger: Client, club: Club) -> None:
    session = published_session(make_tournament(club), by=director.user)
    numbers = {"17": session.pk, "342": session.entrants.earliest("pk").pk}
    walk = re.findall(r"curl (?!-H).*?https://topage\.example/api/v1/([^\s']*)", GUIDE.read_text(encoding="utf-8"))
    assert len(walk) == 6
    for path in walk:
        found = re.sub(r"\b(17|342)\b", lambda number: str(numbers[number[0]]), path)
        assert stranger.get(found), found


def test_line_with_a_token_is_answered_to_a_program_and_to_no_stranger(club: Club, stranger: Client) -> None:
    session = started_session(make_tournament(club))
    asked = NewToken("Site", frozenset(["read"]), day_of_roles())
    token = make_program_token(club, asked, now=timezone.now(), by=make_director(club))
    ((header, path),) = re.findall(r"curl -H '(.*?)' https://topage\.example(\S*)", GUIDE.read_text(encoding="utf-8"))
    name, _colon, value = header.partition(": ")
    path = path.replace("/17/", f"/{session.pk}/")
    assert APIClient(headers={name: value.replace("topage_…", token)}).get(path).status_code == 200
    assert stranger.client.get(path).status_code == 401

"""The results by the API: entered, corrected and annulled, and listed in a fixed number of queries."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.plays import play_data
from clubs.models import Club, Player, User
from deals.models import Etui
from evenings.plays.session_plays import ListedPlay
from evenings.plays.state import PlayState
from tests import shared_evenings
from tests.api.conftest import V1, Client
from tests.evenings.plays.test_checks import row
from tests.factories import enter_all, make_tournament, started_session
from tournaments.models import Entrant, Play, ResultEntry, Session, Table, Tournament
from tournaments.permissions import Can

FACTS = {"bouts": 2, "points": 49, "petit_au_bout": "attack", "poignees_attack": ["simple"]}


session = shared_evenings.started_in_club


@pytest.fixture
def play(session: Session) -> Play:
    return session.plays.select_related("etui").filter(etui__taker="S")[0]


@pytest.fixture
def free_play(club: Club) -> Play:
    return started_session(make_tournament(club, auction="free", name="Libre")).plays.earliest("pk")


def test_facts_take_taker_and_contract_from_the_etui(director: Client, play: Play) -> None:
    answer = director.post(f"plays/{play.pk}/result/", FACTS, status=201)
    assert answer | {"lines": []} == {
        "play": play.pk,
        "version": 1,
        "kind": "facts",
        "taker": "S",
        "facts": {
            "contract": "garde", "bouts": 2, "attack_bouts": None, "points": 49.0, "petit_au_bout": "attack",
            "poignees_attack": ["simple"], "poignees_defence": [], "chelem": "none", "made": True,
        },
        "base_score": 106,
        "fiche": "+106",
        "marks": {"N": -106, "E": -106, "S": 318, "W": -106},
        "lines": [],
        "questions": [],
    }  # fmt: skip
    assert [(line["kind"], line["amount"]) for line in answer["lines"]] == [
        ("contract", 66), ("petit_au_bout", 20), ("poignee", 20),
    ]  # fmt: skip


def test_result_without_the_petit_means_that_nobody_has_it(director: Client, play: Play) -> None:
    facts = {name: value for name, value in FACTS.items() if name != "petit_au_bout"}
    without = director.post(f"plays/{play.pk}/result/", facts, status=201)
    assert without["facts"]["petit_au_bout"] == "none"
    assert [line["kind"] for line in without["lines"]] == ["contract", "poignee"]
    asked = facts | {"contract": "garde"}
    answers = [director.post("score/", asked | said) for said in ({}, {"petit_au_bout": "none"})]
    assert answers[0] == answers[1]
    assert answers[0]["base_score"] == without["base_score"] == 86


def test_fiche_holds_the_base_score_alone(director: Client, play: Play) -> None:
    answer = director.post(f"plays/{play.pk}/result/", {"base_score": -60}, status=201)
    assert (answer["kind"], answer["fiche"], answer["facts"], answer["lines"]) == ("fiche", "−60", None, [])
    assert answer["marks"]["S"] == -180


def test_unlikely_result_is_kept_and_questioned(director: Client, play: Play) -> None:
    answer = director.post(f"plays/{play.pk}/result/", {"base_score": 57}, status=201)
    assert [(question["code"], question["field"]) for question in answer["questions"]] == [
        ("base_score_impossible", "base_score")
    ]
    assert answer["questions"][0]["text"].startswith("Garde: no result gives 57.")


def test_four_passes_in_a_free_auction(director: Client, free_play: Play) -> None:
    answer = director.post(f"plays/{free_play.pk}/result/", {"passed": True}, status=201)
    assert (answer["kind"], answer["taker"], answer["base_score"], answer["fiche"]) == ("passed", None, 0, "0")
    assert answer["marks"] == {"N": 0, "E": 0, "S": 0, "W": 0}


def test_free_auction_wants_taker_and_contract(director: Client, free_play: Play) -> None:
    path = f"plays/{free_play.pk}/result/"
    assert director.refused("POST", path, FACTS | {"contract": "prise"}, status=422) == "taker_missing"
    assert director.refused("POST", path, FACTS | {"taker": "W"}, status=400) == "required"
    answer = director.post(path, FACTS | {"taker": "W", "contract": "prise"}, status=201)
    assert (answer["taker"], answer["base_score"]) == ("W", 63)


@pytest.mark.parametrize(
    ("body", "status", "code", "field"),
    [
        ({}, 400, "required", "bouts"),
        ([], 400, "not_a_result", ""),
        ("+106", 400, "not_a_result", ""),
        ({"base_score": 106, "bouts": 2}, 400, "result_mixed", "bouts"),
        ({"base_score": "106"}, 400, "not_whole", "base_score"),
        ({"base_score": True}, 400, "not_whole", "base_score"),
        ({"base_score": 10**30}, 422, "fiche_range", "base_score"),
        ({"base_score": 106, "taker": "N"}, 422, "taker_not_of_etui", "taker"),
        ({"base_score": 106, "taker": "O"}, 400, "unknown_value", "taker"),
        ({"passed": True}, 422, "pass_not_allowed", "contract"),
        ({"passed": False}, 400, "unknown_value", "passed"),
        ({"passed": True, "bouts": 2}, 400, "result_mixed", "bouts"),
        (FACTS | {"contract": "prise"}, 422, "contract_not_imposed", "contract"),
        (FACTS | {"players": 3}, 422, "four_players_only", "players"),
        (FACTS | {"points": 40.5}, 422, "points_half", "points"),
        (FACTS | {"points": "forty"}, 400, "not_a_number", "points"),
        (FACTS | {"colour": "red"}, 400, "unknown_field", "colour"),
        (FACTS | {"bouts": 0, "points": 91}, 422, "points_too_high", "points"),
    ],
)
def test_result_that_is_refused_leaves_nothing(
    director: Client, play: Play, body: object, status: int, code: str, field: str
) -> None:
    error = director.post(f"plays/{play.pk}/result/", body, status=status)["error"]
    assert (error["code"], error["field"]) == (code, field)
    assert not ResultEntry.objects.exists()


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("tables", [1, 40, 150])
def test_entering_costs_the_same_queries_in_any_hall(
    director: Client, club: Club, tables: int, django_assert_num_queries: Any
) -> None:
    session = started_session(make_tournament(club), tables=tables, positions=1, etuis_per_position=2)
    first, second = session.plays.filter(table__number=1)
    director.post(f"plays/{first.pk}/result/", {"bouts": 2, "points": 49}, status=201)
    with django_assert_num_queries(25):  # the job makes twelve of them
        director.post(f"plays/{second.pk}/result/", {"bouts": 2, "points": 49}, status=201)


@pytest.mark.parametrize("unknown", [0, 2**31])
def test_result_of_a_play_that_is_not_is_not_found(director: Client, session: Session, unknown: int) -> None:
    director.refused("POST", f"plays/{unknown}/result/", FACTS, status=404)


def test_same_result_again_changes_nothing_and_another_is_a_conflict(director: Client, play: Play) -> None:
    path = f"plays/{play.pk}/result/"
    first = director.post(path, FACTS, status=201)
    assert director.post(path, FACTS | {"points": 49.0, "chelem": "none", "taker": "S"}) == first
    error = director.post(path, FACTS | {"points": 50}, status=409)["error"]
    assert (error["code"], error["params"]) == ("result_already_entered", {})
    assert ResultEntry.objects.count() == 1


def test_correction_wants_a_reason_and_the_version_that_was_seen(director: Client, play: Play) -> None:
    path = f"plays/{play.pk}/result/"
    right = FACTS | {"points": 50}
    assert director.refused("PUT", path, right | {"seen_version": 1, "reason": "x"}, status=422) == "nothing_to_correct"
    director.post(path, FACTS, status=201)
    assert director.refused("PUT", path, right | {"reason": "x"}, status=400) == "invalid"
    assert director.refused("PUT", path, right | {"seen_version": 1}, status=422) == "reason_missing"
    assert director.put(path, right | {"seen_version": 1, "reason": "x"})["version"] == 2
    assert director.put(path, right | {"seen_version": 1, "reason": "x"})["version"] == 2
    error = director.put(path, FACTS | {"seen_version": 1, "reason": "y"}, status=409)["error"]
    assert (error["code"], error["params"]) == ("corrected_meanwhile", {"version": 2})


def test_device_is_kept_with_the_result(director: Client, play: Play) -> None:
    director.post(f"plays/{play.pk}/result/", FACTS, status=201, **{"User-Agent": "Tablet 7 " + "x" * 300})
    (entry,) = director.get(f"plays/{play.pk}/")["entries"]
    assert entry["device"] == ("Tablet 7 " + "x" * 300)[:120]
    assert entry["author"] == "directrice"


@pytest.mark.nightly("story")
def test_annulment_and_its_end_need_a_reason_and_are_told(director: Client, play: Play) -> None:
    path = f"plays/{play.pk}/annulment/"
    director.post(f"plays/{play.pk}/result/", FACTS, status=201)
    assert director.refused("PUT", path, {}, status=422) == "reason_missing"
    assert director.refused("PUT", path, {"reason": "x" * 301}, status=400) == "invalid"
    annulled = director.put(path, {"reason": "Two cards were exposed"})
    assert (annulled["state"], annulled["result"]["base_score"]) == ("annulled", 106)
    assert director.put(path, {"reason": "again"})["rulings"] == annulled["rulings"]
    assert director.refused("DELETE", path, status=422) == "reason_missing"
    restored = director("DELETE", f"{path}?reason=A+mistake")
    assert [(ruling["kind"], ruling["reason"], ruling["author"]) for ruling in restored["rulings"]] == [
        ("restored", "A mistake", "directrice"),
        ("annulled", "Two cards were exposed", "directrice"),
    ]
    director.put(path, {"reason": "After all"})
    assert director("DELETE", path, {"reason": "In a body"})["state"] == "entered"


def test_result_of_another_play_is_withdrawn_with_a_reason_and_entered_anew(director: Client, play: Play) -> None:
    path = f"plays/{play.pk}/result/"
    director.post(path, FACTS, status=201)
    assert director.refused("DELETE", f"{path}?seen_version=1", status=422) == "reason_missing"
    assert director.refused("DELETE", f"{path}?seen_version=2&reason=x", status=409) == "corrected_meanwhile"
    told = director("DELETE", f"{path}?seen_version=1&reason=Wrong+row")
    assert (told["state"], told["result"], len(told["entries"])) == ("missing", None, 1)
    assert [(ruling["kind"], ruling["reason"]) for ruling in told["rulings"]] == [("withdrawn", "Wrong row")]
    assert director.post(path, {"base_score": 60}, status=201)["version"] == 2


@pytest.mark.nightly("story")
def test_plays_are_filtered(director: Client, session: Session) -> None:
    path = f"sessions/{session.pk}/plays/"
    first, second, third, *_rest = director.get(path)
    director.post(f"plays/{first['id']}/result/", {"base_score": 60}, status=201)
    director.put(f"plays/{second['id']}/annulment/", {"reason": "Wrong étui"})

    def ids(query: str) -> list[int]:
        return [play["id"] for play in director.get(path + query)]

    assert ids("?state=entered") == [first["id"]]
    assert ids("?state=annulled") == [second["id"]]
    assert len(ids("?state=missing")) == 23
    assert ids("?position=1&table=3") == [third["id"]]
    assert ids("?position=9") == []
    progress = director.get(f"sessions/{session.pk}/")["progress"]
    assert (progress["plays"], progress["missing"], progress["annulled"]) == (25, 23, 1)


def test_many_plays_come_in_pages_that_lead_to_one_another(director: Client, session: Session) -> None:
    path = f"sessions/{session.pk}/plays/"
    whole = director.get(path)
    assert "Link" not in director.client.get(V1 + path).headers
    found, query, links = [], "?state=missing&size=10", []
    while query is not None:
        answer = director.client.get(V1 + path + query)
        found += answer.json()
        links.append(re.sub(r"http://testserver[^?]*", "", answer.headers["Link"]))
        following = re.search(r'<([^>]*)>; rel="next"', answer.headers["Link"])
        query = following and f"?{following[1].partition('?')[2]}"
    assert found == whole
    assert links == [
        '<?state=missing&size=10&page=2>; rel="next"',
        '<?state=missing&size=10&page=1>; rel="prev", <?state=missing&size=10&page=3>; rel="next"',
        '<?state=missing&size=10&page=2>; rel="prev"',
    ]
    assert director.get(f"{path}?page=4") == []
    for wrong in ("page=0", "size=501", f"page={'9' * 5000}", "page=deux"):
        assert director.refused("GET", f"{path}?{wrong}", status=400) == "invalid"


@pytest.mark.parametrize("query", ["?state=lost", "?position=one", "?table=0", "?colour=red", "?position=99999"])
def test_filter_that_is_unknown_or_wrong_is_told(director: Client, session: Session, query: str) -> None:
    assert director.refused("GET", f"sessions/{session.pk}/plays/{query}", status=400) == "invalid"


def queries_of(client: Client, path: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get(path)
    return len(queries)


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize(
    "path", ["sessions/{}/plays/", "sessions/{}/entrants/", "sessions/{}/standings/", "sessions/{}/"]
)
def test_lists_ask_as_many_queries_for_one_table_as_for_many(director: Client, club: Club, path: str) -> None:
    def ask(**shape: Any) -> int:
        session = started_session(make_tournament(club), **shape)
        assert director.user is not None
        enter_all(session, by=director.user)
        return queries_of(director, path.format(session.pk))

    assert ask(tables=1, positions=1) == ask(tables=7, positions=5)


@pytest.mark.nightly("crawl")
def test_tournaments_ask_as_many_queries_for_one_as_for_thirty(director: Client, club: Club) -> None:
    def add() -> None:
        started_session(make_tournament(club), tables=1, positions=1)

    add()
    first = queries_of(director, "clubs/club/tournaments/")
    for _number in range(29):
        add()
    assert len(director.get("clubs/club/tournaments/")) == 30
    assert queries_of(director, "clubs/club/tournaments/") == first
    assert queries_of(director, "clubs/") == 2


def test_bouts_may_be_named_and_must_then_be_as_many(director: Client, play: Play) -> None:
    named = FACTS | {"attack_bouts": ["petit", "21"]}
    assert director.post(f"plays/{play.pk}/result/", named, status=201)["facts"]["attack_bouts"] == ["21", "petit"]
    wrong = FACTS | {"attack_bouts": ["petit"], "reason": "x", "seen_version": 1}
    assert director.put(f"plays/{play.pk}/result/", wrong, status=422)["error"]["code"] == "bouts_disagree"
    unknown = FACTS | {"attack_bouts": ["roi"], "reason": "x", "seen_version": 1}
    assert director.put(f"plays/{play.pk}/result/", unknown, status=400)["error"]["field"] == "attack_bouts"


def test_etui_is_annulled_split_and_restored_each_with_its_reason(director: Client, play: Play) -> None:
    number, session = play.etui.number, play.session_id
    path = f"sessions/{session}/etuis/{number}"
    later = play.session.plays.filter(etui__number=number).order_by("position").last()
    assert later is not None
    assert director.refused("PUT", f"{path}/annulment/", {}, status=422) == "reason_missing"
    assert director.put(f"{path}/annulment/", {"reason": "Altéré"})["rulings"][0]["kind"] == "annulled"
    split = director.put(f"{path}/split/", {"reason": "Carte égarée", "from_position": later.position})
    assert (split["etui"], split["rulings"][0]["from_position"]) == (number, later.position)
    beyond = {"reason": "x", "from_position": 99}
    assert director.refused("PUT", f"{path}/split/", beyond, status=422) == "split_position"
    director("DELETE", f"{path}/annulment/?reason=Relu")
    told = director.get(f"{path}/rulings/")
    assert [row["kind"] for row in told["rulings"]] == ["restored", "split", "annulled"]
    nowhere = f"sessions/{session}/etuis/999/annulment/"
    assert director.refused("PUT", nowhere, {"reason": "x"}, status=422) == "etui_unknown"


@pytest.mark.parametrize(
    ("power", "hidden", "is_shown"),
    [
        (Can.DIRECT, frozenset(), True),
        (Can.DIRECT, frozenset({1}), False),
        (Can.ENTER, frozenset(), False),
    ],
)
def test_result_is_shown_to_directors_who_have_not_to_play_its_etui(
    power: Can, hidden: frozenset[int], is_shown: bool
) -> None:
    played = {
        "session": Session(tournament=Tournament(format="individual", rules="fft")),
        "etui": Etui(pk=1, number=1, taker="N", dealer="W"),
        "table": Table(number=1),
    }
    people = {line: Entrant(pk=pk, player=Player()) for pk, line in enumerate(("north", "east", "south", "west"), 1)}
    play = Play(position=1, **played, **people)
    state = ListedPlay(play, row(author_id=7, version=1), "", PlayState.ENTERED)
    data = play_data(state, "fft", User(pk=8), power, hidden)
    assert ("result" in data, data["result"] is not None, data["version"] is not None) == (True, is_shown, is_shown)

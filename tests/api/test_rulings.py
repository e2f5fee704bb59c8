"""The arbiter's rulings by the API: their effect, the preview of the ranking, and edits by two directors at once."""

from typing import Any

import pytest
from django.utils import timezone

from clubs.models import Club
from evenings.plays.ruling import declare_playing
from evenings.standings import computing
from tests.api.conftest import Client
from tests.factories import enter_all, make_director, make_tournament, started_session
from tournaments.models import EtuiRuling, Penalty, Play, Ruling, Session

FIGURES = ("rank_alterne", "rank_general", "overall")


@pytest.fixture
def session(club: Club, director: Client) -> Session:
    session = started_session(make_tournament(club))
    assert director.user is not None
    enter_all(session, by=director.user)
    computing.refresh(session.pk, now=timezone.now())
    return session


@pytest.fixture
def play(session: Session) -> Play:
    return session.plays.select_related("etui").earliest("pk")


def ranks(director: Client, session: Session) -> dict[int, Any]:
    players = director.get(f"sessions/{session.pk}/standings/")["players"]
    return {player["id"]: tuple(player[name] for name in FIGURES) for player in players}


def shown(answer: Any) -> dict[int, Any]:
    return {
        each["entrant"]: tuple(each[name]["after"] for name in FIGURES) for each in answer["moving"] + answer["staying"]
    }


WORDS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "annulled": ("PUT", "plays/{play}/annulment/", {}),
    "adjusted": ("PUT", "plays/{play}/adjustment/", {"score": 400, "notes": {"N": "60", "E": "better 60"}}),
}


@pytest.mark.nightly("story")
@pytest.mark.parametrize("kind", WORDS)
def test_preview_of_a_play_tells_what_the_ruling_does(
    director: Client, session: Session, play: Play, kind: str
) -> None:
    method, path, told = WORDS[kind]
    said = told | {"reason": "Carte vue", "article": "R.12", "seen_ruling": 0}
    before = ranks(director, session)
    answer = director.post(f"plays/{play.pk}/rulings/preview/", {"kind": kind} | said)
    assert (ranks(director, session), Ruling.objects.count()) == (before, 0)
    full = director(method, path.format(play=play.pk), said)
    assert (full["state"], full["rulings"][0]["article"]) == (kind, "R.12")
    computing.refresh(session.pk, now=timezone.now())
    after = ranks(director, session)
    assert shown(answer) == {pk: after[pk] for pk in after if after[pk] != before[pk]}
    late = {"reason": "x", "seen_ruling": 0}
    assert director.refused("DELETE", path.format(play=play.pk), late, status=409) == "ruled_meanwhile"
    director("DELETE", path.format(play=play.pk), {"reason": "Erreur", "seen_ruling": full["rulings"][0]["id"]})
    computing.refresh(session.pk, now=timezone.now())
    assert ranks(director, session) == before


def test_adjustment_is_told_in_full(director: Client, play: Play) -> None:
    told = {"score": -56, "notes": {"W": "175/2"}, "compared": False, "reason": "Étui mal refait"}
    ruling = director.put(f"plays/{play.pk}/adjustment/", told)["rulings"][0]
    assert {name: ruling[name] for name in told} == told


@pytest.mark.parametrize(
    ("told", "code", "status"),
    [
        ({}, "adjustment_empty", 422),
        ({"score": 56, "reason": " "}, "reason_missing", 422),
        ({"notes": {"X": "60"}}, "unknown_value", 400),
        ({"notes": {"N": "101"}}, "fixed_note", 422),
    ],
)
def test_adjustment_that_cannot_be_is_refused(director: Client, play: Play, told: Any, code: str, status: int) -> None:
    said = {"reason": "Carte vue"} | told
    assert director.refused("PUT", f"plays/{play.pk}/adjustment/", said, status=status) == code
    assert (
        director.refused("POST", f"plays/{play.pk}/rulings/preview/", {"kind": "adjusted"} | said, status=status)
        == code
    )
    assert not Ruling.objects.exists()


def test_withdrawal_is_previewed_of_the_version_that_was_seen(director: Client, play: Play) -> None:
    said = {"kind": "withdrawn", "reason": "autre donne", "seen_version": 1}
    path = f"plays/{play.pk}/rulings/preview/"
    assert director.post(path, said)["moving"]
    assert director.refused("POST", path, said | {"seen_version": 7}, status=409) == "corrected_meanwhile"


@pytest.mark.nightly("story")
def test_etui_is_previewed_then_ruled_on(director: Client, session: Session) -> None:
    path = f"sessions/{session.pk}/etuis/1"
    split = {"from_position": 3, "reason": "Refait", "article": "R.14", "seen_ruling": 0}
    for told in ({"kind": "annulled", "reason": "x"}, {"kind": "split"} | split):
        assert director.post(f"{path}/rulings/preview/", told)["moving"]
    assert director.refused("POST", f"{path}/rulings/preview/", {"kind": "split"}, status=422) == "split_position"
    assert not EtuiRuling.objects.exists()
    ruling = director.put(f"{path}/split/", split)["rulings"][0]
    assert (ruling["article"], ruling["from_position"]) == ("R.14", 3)
    assert director.refused("PUT", f"{path}/annulment/", split, status=400) == "invalid"
    late = {"reason": "x", "seen_ruling": 0}
    assert director.refused("PUT", f"{path}/annulment/", late, status=409) == "ruled_meanwhile"


@pytest.mark.nightly("story")
def test_penalty_is_previewed_given_listed_and_taken_back(director: Client, session: Session) -> None:
    path, entrant = f"sessions/{session.pk}/penalties/", session.entrants.earliest("pk").pk
    late = {"entrant": entrant, "kind": "penalty", "points": "30", "reason": "Retard", "article": "R.3", "seen": 0}
    before = ranks(director, session)
    answer = director.post(f"{path}preview/", late)
    given = director.post(path, late, status=201)
    assert director.post(path, late)["id"] == given["id"]
    computing.refresh(session.pk, now=timezone.now())
    after = ranks(director, session)
    assert shown(answer) == {pk: after[pk] for pk in after if after[pk] != before[pk]}
    assert director.get(path) == [given]
    other = late | {"kind": "bonus", "position": 2}
    assert director.refused("POST", path, other, status=409) == "penalised_meanwhile"
    assert director.post(path, other | {"seen": given["id"]}, status=201)["position"] == 2
    back = director.post(f"{path}preview/", {"take_back": given["id"], "reason": "Excusé"})
    assert entrant in shown(back)
    taken = director("DELETE", f"{path}{given['id']}/?reason=Excus%C3%A9")
    assert taken["taken_back"]["reason"] == "Excusé"
    assert director.refused("DELETE", f"{path}0/", {"reason": "x"}, status=422) == "penalty_unknown"


def test_bonus_is_told_as_points_below_nothing(director: Client, session: Session) -> None:
    entrant = session.entrants.earliest("pk").pk
    bonus = {"entrant": entrant, "kind": "bonus", "points": "2.5", "position": 1, "reason": "A complété une table"}
    director.post(f"sessions/{session.pk}/penalties/", bonus, status=201)
    computing.refresh(session.pk, now=timezone.now())
    players = director.get(f"sessions/{session.pk}/standings/")["players"]
    (player,) = (each for each in players if each["id"] == entrant)
    assert player["penalty"] == {"exact": "-1/2", "decimal": "-0.500000"}


def test_club_keeps_its_list(director: Client, club: Club) -> None:
    path = f"clubs/{club.slug}/penalties/"
    late = director.post(path, {"kind": "penalty", "points": 1, "reason": "Retard", "for_position": True}, status=201)
    assert director.get(path) == [late]
    changed = director.put(f"{path}{late['id']}/", {"kind": "warning", "reason": "Retard"})
    assert (changed["id"], changed["kind"], changed["points"]) == (late["id"], "warning", "0")
    assert director.refused("POST", path, {"kind": "bonus", "reason": "x"}, status=422) == "penalty_range"
    director("DELETE", f"{path}{late['id']}/", status=204)
    assert director.get(path) == []


def test_director_who_has_still_to_play_learns_nothing(director: Client, session: Session) -> None:
    assert director.user is not None
    own = session.plays.filter(position=5).select_related("etui").earliest("pk")
    own.entries.update(current=False)
    declare_playing(session_id=session.pk, entrant_id=own.north_id, by=director.user, now=timezone.now())
    met = session.plays.filter(etui=own.etui).exclude(pk=own.pk).earliest("pk")
    for method, path in (("PUT", "adjustment"), ("POST", "rulings/preview")):
        told = {"score": 56, "reason": "x"} | ({"kind": "adjusted"} if method == "POST" else {})
        assert director.refused(method, f"plays/{met.pk}/{path}/", told, status=403) == "permission_denied"
    hidden = {"hidden": True, "moving": [], "staying": []}
    told = {"entrant": own.north_id, "kind": "penalty", "points": 1, "reason": "x"}
    assert director.post(f"sessions/{session.pk}/penalties/preview/", told) == hidden
    assert director.post(f"sessions/{session.pk}/etuis/1/rulings/preview/", {"kind": "annulled"}) == hidden
    assert not Penalty.objects.exists()


def test_second_director_is_told_of_the_first(club: Club, director: Client, play: Play) -> None:
    other = Client(make_director(club, "autre"))
    other.put(f"plays/{play.pk}/annulment/", {"reason": "Carte vue", "seen_ruling": 0})
    told = {"score": 56, "reason": "x", "seen_ruling": 0}
    assert director.refused("PUT", f"plays/{play.pk}/adjustment/", told, status=409) == "ruled_meanwhile"

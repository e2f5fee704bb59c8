"""The roles in the API: every address for every role, what a helper may see, and no answer that tells a secret."""

import datetime as dt
import re
from dataclasses import dataclass
from typing import Any

import pytest
from django.utils import timezone

from api.urls import urlpatterns
from clubs.accounts.players import tie
from clubs.models import Club, Player, User, Visibility, day_of_roles
from clubs.players import raise_names_version
from deals.models import Etui
from evenings.sessions.setup import create_session, create_tournament
from rankings.events import counting as events
from rankings.events.publishing import TOURNAMENTS
from rankings.series.publishing import SERIES_OF_CLUBS
from tests.api.conftest import Client
from tests.api.test_evening import result_of
from tests.evenings.requests.world import Four
from tests.evenings.teams.evening import make_teams
from tests.factories import (
    DATE,
    SEED,
    draft_session,
    enter,
    make_club,
    make_director,
    make_helper,
    make_tournament,
    make_user,
    published_session,
)
from tests.factories import started_session as start
from tests.registration.people.cut_addresses import CUTS_AND_GAMES
from tests.world import make_field_of, make_series_of
from tournaments.models import ResultEntry, Session
from tournaments.permissions import Can
from tournaments.versions import DirectorWord

READ, ENTER, DIRECT = Can
OPEN = {
    "": {"GET": READ},
    "schema/": {"GET": READ},
    "docs/": {"GET": READ},
    "token/": {"POST": READ},
    "score/": {"POST": READ},
    "score/rules/": {"GET": READ},
    "movements/": {"GET": READ},
    "movements/verify/": {"POST": READ},
}
PARTS = ("", "versions/1/", "etuis/1/", "players/{field_entrant}/")
STEPS = ("official", "reopen", "withdraw")
LISTED = {
    base: {"GET": READ, "POST": DIRECT}
    for base in ("clubs/{slug}/simultaneous/{field}/ranking/versions/", "clubs/{slug}/series/{series}/publications/")
}
NEEDS = {f"clubs/{{slug}}/simultaneous/{{field}}/ranking/{part}": {"GET": READ} for part in PARTS} | {
    **LISTED,
    **{f"{base}{step}/": {"POST": DIRECT} for base in LISTED for step in STEPS},
    "clubs/{slug}/series/{series}/publications/1/": {"GET": READ},
    **CUTS_AND_GAMES,
    "clubs/": {"GET": READ},
    "clubs/{slug}/": {"GET": READ},
    "sessions/": {"GET": READ},
    "rankings/": {"GET": READ},
    "leaderboards/": {"GET": READ},
    "clubs/{slug}/leaderboards/": {"GET": READ},
    "clubs/{slug}/series/": {"GET": READ},
    "clubs/{slug}/series/{series}/": {"GET": READ},
    "clubs/{slug}/simultaneous/": {"GET": READ},
    "players/{player}/": {"GET": READ},
    "players/{player}/sessions/": {"GET": READ},
    "players/{player}/with/{other}/": {"GET": READ},
    "search/?q=zoé": {"GET": READ},
    "clubs/{slug}/players/": {"GET": DIRECT, "POST": DIRECT},
    "clubs/{slug}/players/{player}/": {"GET": DIRECT, "PATCH": DIRECT},
    "clubs/{slug}/players/read/": {"POST": DIRECT},
    "clubs/{slug}/tournaments/": {"GET": READ, "POST": DIRECT},
    "tournaments/{tournament}/sessions/weekly/": {"POST": DIRECT},
    "tournaments/{tournament}/": {"GET": READ, "PATCH": DIRECT},
    "tournaments/{tournament}/rules/": {"GET": READ, "PATCH": DIRECT},
    "tournaments/{several}/standings/": {"GET": DIRECT},
    "tournaments/{several}/standings/lots/": {"POST": DIRECT, "DELETE": DIRECT},
    "tournaments/{several}/publications/": {"GET": READ, "POST": DIRECT},
    "tournaments/{several}/publications/latest/": {"GET": READ},
    "tournaments/{several}/publications/1/": {"GET": READ},
    "tournaments/{several}/publications/1/results.csv": {"GET": READ},
    "tournaments/{several}/publications/official/": {"POST": DIRECT},
    "tournaments/{several}/publications/reopen/": {"POST": DIRECT},
    "tournaments/{several}/publications/withdraw/": {"POST": DIRECT},
    "tournaments/{tournament}/sections/": {"GET": DIRECT, "POST": DIRECT},
    "tournaments/{tournament}/sections/1/": {"DELETE": DIRECT},
    "tournaments/{tournament}/sessions/": {"GET": READ, "POST": DIRECT},
    "tournaments/{of_teams}/matches/": {"GET": READ, "POST": DIRECT},
    "tournaments/{of_teams}/teams/": {"GET": DIRECT, "POST": DIRECT},
    "tournaments/{of_teams}/teams/{team}/leaving/": {"POST": DIRECT, "DELETE": DIRECT},
    "tournaments/{of_teams}/teams/{team}/members/": {"POST": DIRECT},
    "tournaments/{of_teams}/teams/{team}/members/{member}/substitution/": {"DELETE": DIRECT},
    "tournaments/{of_teams}/teams/{team}/members/{member}/": {"PUT": DIRECT, "DELETE": DIRECT},
    "tournaments/{of_teams}/teams/{team}/": {"GET": DIRECT, "PATCH": DIRECT, "DELETE": DIRECT},
    "sessions/{session_of_teams}/teams/": {"PUT": DIRECT},
    "sessions/{session_of_teams}/team-plan/": {"GET": READ, "PUT": DIRECT},
    "sessions/{session_of_teams}/team-plan/changes/": {"POST": DIRECT},
    "sessions/{session_of_teams}/team-plan/mistakes/": {"POST": DIRECT},
    "sessions/{session_of_teams}/team-plan/mistakes/preview/": {"POST": DIRECT},
    "sessions/{session_of_teams}/line-ups/": {"GET": DIRECT},
    "sessions/{session_of_teams}/line-ups/{team}/": {"PUT": DIRECT},
    "sessions/{session}/": {"GET": READ, "PATCH": DIRECT},
    "sessions/{session}/entrants/": {"GET": DIRECT, "PUT": DIRECT},
    "sessions/{session}/deal-set/": {"GET": DIRECT, "POST": DIRECT, "PATCH": DIRECT},
    "sessions/{session}/start/": {"POST": DIRECT},
    "sessions/{session}/unstart/": {"POST": DIRECT},
    "sessions/{session}/call/": {"POST": DIRECT},
    "sessions/{session}/uncall/": {"POST": DIRECT},
    "sessions/{session}/last-call/": {"POST": DIRECT},
    "sessions/{session}/last-call/back/": {"POST": DIRECT},
    "sessions/{session}/open-points/": {"GET": DIRECT},
    "sessions/{session}/report/": {"GET": DIRECT},
    "sessions/{session}/close/": {"POST": DIRECT},
    "sessions/{session}/reopen/": {"POST": DIRECT},
    "sessions/{session}/plan/": {"GET": READ, "PUT": DIRECT},
    "sessions/{session}/changes/": {"GET": DIRECT, "POST": DIRECT},
    "sessions/{session}/changes/preview/": {"POST": DIRECT},
    "sessions/{session}/changes/undo/": {"POST": DIRECT},
    "sessions/{session}/etuis/1/rulings/": {"GET": DIRECT},
    "sessions/{session}/etuis/1/annulment/": {"PUT": DIRECT, "DELETE": DIRECT},
    "sessions/{session}/etuis/1/split/": {"PUT": DIRECT},
    "sessions/{session}/plays/": {"GET": ENTER},
    "sessions/{session}/requests/": {"GET": DIRECT},
    "sessions/{published}/requests/{request}/decision/": {"POST": DIRECT},
    "sessions/{session}/standings/": {"GET": DIRECT},
    "sessions/{session}/standings/lots/": {"POST": DIRECT, "DELETE": DIRECT},
    "sessions/{session}/entrants/{entrant}/": {"GET": DIRECT},
    "sessions/{session}/publications/": {"GET": READ, "POST": DIRECT},
    "sessions/{session}/publications/official/": {"POST": DIRECT},
    "sessions/{session}/publications/reopen/": {"POST": DIRECT},
    "sessions/{session}/publications/withdraw/": {"POST": DIRECT},
    "sessions/{session}/publications/shows/": {"GET": READ, "PATCH": DIRECT},
    "sessions/{published}/entrants/{published_entrant}/": {"GET": READ},
    "sessions/{published}/publications/latest/": {"GET": READ},
    "sessions/{published}/publications/1/": {"GET": READ},
    "sessions/{published}/publications/latest/etuis/1/": {"GET": READ},
    "sessions/{published}/publications/1/etuis/1/": {"GET": READ},
    "plays/{play}/": {"GET": ENTER},
    "plays/{play}/result/": {"POST": ENTER, "PUT": ENTER, "DELETE": DIRECT},
    "plays/{directors_play}/result/": {"POST": ENTER, "PUT": DIRECT, "DELETE": DIRECT},
    "plays/{play}/record/": {"GET": DIRECT, "POST": DIRECT, "PUT": DIRECT, "DELETE": DIRECT},
    "plays/{play}/annulment/": {"PUT": DIRECT, "DELETE": DIRECT},
    "plays/{play}/adjustment/": {"PUT": DIRECT, "DELETE": DIRECT},
    "plays/{play}/rulings/preview/": {"POST": DIRECT},
    "sessions/{session}/etuis/1/rulings/preview/": {"POST": DIRECT},
    "sessions/{session}/penalties/": {"GET": DIRECT, "POST": DIRECT},
    "sessions/{session}/penalties/preview/": {"POST": DIRECT},
    "sessions/{session}/penalties/1/": {"DELETE": DIRECT},
    "clubs/{slug}/seasons/": {"POST": DIRECT},
    "clubs/{slug}/seasons/1/": {"PUT": DIRECT, "DELETE": DIRECT},
    "clubs/{slug}/penalties/": {"GET": DIRECT, "POST": DIRECT},
    "clubs/{slug}/penalties/1/": {"PUT": DIRECT, "DELETE": DIRECT},
}
DOORS = [(method, path, need) for path, methods in (OPEN | NEEDS).items() for method, need in methods.items()]
ROLES = dict.fromkeys(("stranger", "outsider", "player", "foreign_director", "former_helper", "former_director"), READ)
ROLES |= {"helper": ENTER, "director": DIRECT}


@dataclass
class Evening:
    """A running session with one result that the director entered, and a published session."""

    running: Session
    places: dict[str, Any]


@pytest.fixture
def evening(club: Club, director: Client) -> Evening:
    return make_evening(club, director)


@pytest.fixture
def practice(club: Club, director: Client) -> Evening:
    """Return the same kind of evening in the practice club of the directors."""
    told = {"name": "Essai", "slug": "essai", "created_at": timezone.now()}
    return make_evening(Club.every.create(**told, practice_of=club), director)


def make_evening(club: Club, director: Client) -> Evening:
    tournament = make_tournament(club)
    running = start(tournament, cards=True)
    assert director.user is not None
    published = published_session(make_tournament(club, name="Autre"), by=director.user)
    several = published.tournament
    published_session(several, by=director.user)
    TOURNAMENTS.publish(several.pk, DirectorWord(director.user, timezone.now()))
    events.refresh(several.pk, now=timezone.now())
    people = published.entrants.order_by("pk")[:2]
    first, second = running.plays.select_related("etui")[:2]
    enter(second, by=director.user)
    series = make_series_of(club, by=director.user)
    if series.standings.data["events"]:  # nothing of a practice club counts
        SERIES_OF_CLUBS.publish(series.pk, DirectorWord(director.user, timezone.now()))
    return Evening(
        running,
        {
            "slug": club.slug,
            "series": series.slug,
            **make_field_of(club, published, by=director.user),
            "tournament": tournament.pk,
            "session": running.pk,
            "entrant": running.entrants.earliest("pk").pk,
            "several": several.pk,
            "published": published.pk,
            "published_entrant": published.entrants.earliest("pk").pk,
            "player": people[0].player_id,
            "other": people[1].player_id,
            "play": first.pk,
            "directors_play": second.pk,
            "request": Four(published).ask().pk,
            **make_team_places(club),
        },
    )


def make_team_places(club: Club) -> dict[str, int]:
    """Return the ids of a tournament of two teams, with a session in preparation, and of one of its teams."""
    tournament = create_tournament(club=club, name="Triplettes", format="triplettes", now=timezone.now())
    team, _other = make_teams(tournament, 2)
    session = create_session(tournament=tournament, date=DATE)
    told = {"of_teams": tournament.pk, "team": team.pk, "session_of_teams": session.pk}
    return told | {"member": team.members.earliest("pk").pk}


@pytest.fixture
def foreign_director(db: None) -> Client:
    return Client(make_director(make_club("ailleurs", "Ailleurs"), "autre"))


@pytest.fixture
def former_helper(club: Club) -> Client:
    return Client(end_yesterday(make_helper(club, "ancienne")))


@pytest.fixture
def former_director(club: Club) -> Client:
    return Client(end_yesterday(make_director(club, "ancien")))


def end_yesterday(user: User) -> User:
    user.memberships.update(ends_on=day_of_roles() - dt.timedelta(days=1))
    return user


@pytest.fixture
def player(evening: Evening) -> Client:
    """Return a client whose account belongs to a player of the session and has no role."""
    user = make_user("joueuse")
    tie(evening.running.entrants.earliest("pk").player, user, by=user, now=timezone.now())
    return Client(user)


def bare(route: str) -> str:
    return re.sub(r"<[^>]*>|{[^}]*}|latest|\b1\b", "*", route.partition("?")[0])


def test_the_table_holds_every_address_of_the_api() -> None:
    routes = {bare(str(pattern.pattern)) for pattern in urlpatterns}
    assert {bare(path) for path in OPEN | NEEDS} == routes - {"*"}


def outcome(client: Client, method: str, path: str) -> str:
    status = client.client.generic(method, f"/api/v1/{path}", b"{}", "application/json").status_code
    return dict.fromkeys((200, 201, 204, 302, 400, 422), "open").get(status, str(status))


@pytest.mark.nightly("crawl", only=("director", "helper", "outsider", "stranger"))
@pytest.mark.guard("who may do what by the API")
@pytest.mark.parametrize("role", ROLES)
def test_every_door_opens_to_who_may_pass(request: pytest.FixtureRequest, evening: Evening, role: str) -> None:
    client: Client = request.getfixturevalue(role)
    shut = "401" if role == "stranger" else "403"
    outcomes = {(method, path): outcome(client, method, path.format(**evening.places)) for method, path, _need in DOORS}
    assert outcomes == {(method, path): "open" if ROLES[role] >= need else shut for method, path, need in DOORS}


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("role", [role for role in ROLES if role not in ("stranger", "player")])
def test_door_to_practice_opens_to_its_team_and_is_nowhere_for_others(
    request: pytest.FixtureRequest, practice: Evening, role: str
) -> None:
    client: Client = request.getfixturevalue(role)
    absent = ("{player}", "{series}/publications/1/")  # nothing of a practice club counts in a series
    doors = [(*door, need) for *door, need in DOORS if "{" in door[1] and not any(part in door[1] for part in absent)]
    power, shut = ROLES[role], "404" if ROLES[role] == READ else "403"
    expected = {(method, path): "open" if READ < power >= need else shut for method, path, need in doors}
    assert {door: outcome(client, door[0], door[1].format(**practice.places)) for door in expected} == expected


@pytest.mark.nightly("crawl")
def test_no_answer_of_a_stranger_names_who_is_hidden(evening: Evening, stranger: Client, outsider: Client) -> None:
    seen = Player.objects.filter(entries__session__in=[evening.running, evening.places["published"]]).distinct()
    for player in seen:
        player.last_name, player.licence = f"Zinzolin{player.pk}", f"9900{player.pk}"
        player.save()
        player.person.shown = Visibility.HIDDEN
        player.person.save()
    raise_names_version(evening.running.tournament.club_id)
    for client in (stranger, outsider):
        for path in [path for path, methods in NEEDS.items() if methods.get("GET") == READ]:
            answer = client.client.get(f"/api/v1/{path.format(**evening.places)}")
            assert not re.search(r"Zinzolin|9900\d", answer.content.decode()), path


@pytest.mark.nightly("crawl")
def test_methods_that_an_address_lacks_are_refused(evening: Evening, director: Client) -> None:
    lacking = [
        (method, path.format(**evening.places))
        for path, methods in NEEDS.items()
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
        if method not in methods
    ]
    codes = [director.refused(method, path, {}, status=405) for method, path in lacking]
    assert codes == ["method_not_allowed"] * len(lacking)


@pytest.mark.parametrize("path", ["sessions/{}/plays/", "plays/{}/", "sessions/{}/standings/", "tournaments/{}/"])
@pytest.mark.parametrize("number", [0, 2**31, 10**18 - 1])
def test_what_does_not_exist_is_not_found(director: Client, path: str, number: int) -> None:
    assert director.refused("GET", path.format(number), status=404) == "not_found"


def test_public_sees_only_the_date_of_a_session_in_preparation(club: Club, stranger: Client, director: Client) -> None:
    session = draft_session(make_tournament(club))
    seen = stranger.get(f"sessions/{session.pk}/")
    assert {name for name, value in seen.items() if value is not None} == {
        "id", "tournament", "number", "date", "status",
    }  # fmt: skip
    assert stranger.get(f"tournaments/{session.tournament_id}/sessions/") == [seen]
    assert director.get(f"sessions/{session.pk}/")["positions"] == 5


@pytest.mark.nightly("crawl")
def test_helper_sees_states_and_his_own_figures_only(evening: Evening, helper: Client, director: Client) -> None:
    pk = evening.running.pk
    mine = helper.get(f"plays/{evening.places['play']}/")
    answer = helper.post(f"plays/{mine['id']}/result/", {"bouts": 2, "points": 49}, status=201)
    seen = {play["id"]: play for play in helper.get(f"sessions/{pk}/plays/")}
    assert [(play["state"], play["result"] is not None) for play in seen.values()][:3] == [
        ("entered", True), ("entered", False), ("missing", False),
    ]  # fmt: skip
    assert seen[mine["id"]]["result"]["base_score"] == answer["base_score"] == 66
    theirs = helper.get(f"plays/{evening.places['directors_play']}/")
    assert (theirs["state"], theirs["version"], theirs["result"], theirs["entries"]) == ("entered", None, None, [])

    director.put(f"plays/{mine['id']}/result/", {"base_score": 70, "reason": "checked", "seen_version": 1})
    assert helper.get(f"plays/{mine['id']}/")["result"] is None
    assert helper.refused("PUT", f"plays/{mine['id']}/result/", {}, status=403) == "permission_denied"


@pytest.mark.nightly("crawl")
def test_helper_who_is_told_of_a_conflict_learns_no_figure(evening: Evening, helper: Client) -> None:
    path = f"plays/{evening.places['directors_play']}/result/"
    stored = ResultEntry.objects.get(play=evening.places["directors_play"])
    facts = {"bouts": stored.bouts, "points": (stored.half_points or 0) // 2}
    right = {"base_score": stored.fiche_score} if stored.kind == ResultEntry.EntryKind.FICHE else facts
    for guess in ({"base_score": 400}, right):
        error = helper.post(path, guess, status=409)["error"]
        assert (error["code"], error["params"]) == ("result_already_entered", {})


@pytest.mark.nightly("crawl")
def test_helper_may_correct_what_he_entered(evening: Evening, helper: Client) -> None:
    path = f"plays/{evening.places['play']}/result/"
    helper.post(path, {"bouts": 2, "points": 49}, status=201)
    corrected = helper.put(path, {"bouts": 2, "points": 48, "reason": "miscounted", "seen_version": 1})
    assert (corrected["version"], corrected["base_score"]) == (2, 64)


@pytest.mark.guard("cards and seeds are secret before publication")
def test_no_answer_tells_a_card_or_the_seed_before_publication(
    club: Club, director: Client, helper: Client, stranger: Client
) -> None:
    session = draft_session(make_tournament(club), cards=True)
    pk = session.pk
    said: list[Any] = [
        director.post(f"sessions/{pk}/deal-set/", {"cards": True, "seed": SEED.hex()}, status=201),
        director.post(f"sessions/{pk}/start/"),
        director.get(f"sessions/{pk}/deal-set/"),
    ]
    secrets = {SEED.hex()}
    for etui in Etui.objects.exclude(cards=""):
        secrets |= set(etui.cards.split())
    assert len(secrets) == 1 + 2 * 5 * 5  # the set that was replaced by the posted one is secret too
    for play in helper.get(f"sessions/{pk}/plays/"):
        said += [
            play,
            helper.post(f"plays/{play['id']}/result/", result_of(play), status=201),
            director.get(f"plays/{play['id']}/"),
        ]
    entrant = session.entrants.earliest("pk").pk
    for client in (director, helper, stranger):
        said += [
            client.get(path)
            for path in (
                "clubs/",
                f"clubs/{club.slug}/tournaments/",
                f"tournaments/{session.tournament_id}/",
                f"sessions/{pk}/",
                f"sessions/{pk}/publications/",
            )
        ]
    said += [
        director.get(f"sessions/{pk}/{path}")
        for path in ("entrants/", "plays/", "standings/", f"entrants/{entrant}/")
    ]  # fmt: skip
    text = repr(said)
    assert [secret for secret in secrets if secret in text] == []

    director.post(f"sessions/{pk}/publications/", {}, status=201)
    published = stranger.get(f"sessions/{pk}/publications/latest/")
    assert all(etui["cards"] for etui in published["etuis"])
    assert SEED.hex() not in repr(published)

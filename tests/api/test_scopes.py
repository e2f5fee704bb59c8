"""The tokens of programs at every address of the API: what each scope opens, and what no token opens."""

import datetime as dt
import logging
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from api.public.schema import make_schema
from api.tokens import make_api_token
from clubs.accounts.changes import end_access, end_role
from clubs.accounts.players import tie
from clubs.accounts.program_tokens import NewToken, end_program_token, make_program_token
from clubs.guard.counting import MOST_WRONG_TOKENS
from clubs.models import Club, Membership, Person, Player, ProgramToken, User, Visibility, day_of_roles
from config.logs import hide_codes
from tests.api.conftest import V1, Client
from tests.api.test_roles import DOORS, ENTER, OPEN, make_evening
from tests.factories import make_club, make_director
from tournaments.models import Session
from tournaments.permissions import Can

DAY = dt.timedelta(days=1)
READING = ("GET", "HEAD", "OPTIONS")
SCOPES = ["read", "enter", "direct", "read enter"]
# What `enter` writes. The result of another person is theirs to correct, or a director's.
ENTERED = {
    ("POST", "plays/{play}/result/"),
    ("PUT", "plays/{play}/result/"),
    ("POST", "plays/{directors_play}/result/"),
}


@pytest.fixture
def owner(club: Club) -> User:
    return make_director(club, "site")


def token_for(club: Club, user: User, scopes: str = "read") -> str:
    asked = NewToken(f"Programme {scopes}", frozenset(scopes.split()), day_of_roles() + 30 * DAY)
    return make_program_token(club, asked, now=timezone.now(), by=user)


def program_of(token: str, **options: Any) -> APIClient:
    return APIClient(HTTP_AUTHORIZATION=f"Token {token}", HTTP_ACCEPT_LANGUAGE="en", **options)


def ask(program: APIClient, method: str, path: str) -> str:
    status = program.generic(method, f"{V1}{path}", b"{}", "application/json").status_code
    return dict.fromkeys((200, 201, 204, 302, 400, 422), "open").get(status, str(status))


def may(scopes: str, method: str, path: str, need: Can) -> bool:
    if path in OPEN or (need == Can.READ and method == "GET") or "direct" in scopes:
        return True
    if method == "GET" and "read" in scopes:
        return True
    return "enter" in scopes and ((method == "GET" and need <= ENTER) or (method, path) in ENTERED)


def error_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("scopes", SCOPES)
def test_every_door_opens_to_the_scopes_that_it_needs(club: Club, director: Client, owner: User, scopes: str) -> None:
    evening = make_evening(club, director)
    program = program_of(token_for(club, owner, scopes))
    outcomes = {(method, path): ask(program, method, path.format(**evening.places)) for method, path, _need in DOORS}
    assert outcomes == {
        (method, path): "open" if may(scopes, method, path, need) else "403" for method, path, need in DOORS
    }


@pytest.mark.nightly("crawl")
def test_token_that_reads_writes_nothing_anywhere(club: Club, director: Client, owner: User) -> None:
    evening, program = make_evening(club, director), program_of(token_for(club, owner))
    ProgramToken.objects.update(used_at=timezone.now())  # or a job notes the use
    for method in ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"):
        for path in {path.format(**evening.places) for _method, path, _need in DOORS} - set(OPEN):
            with CaptureQueriesContext(
                connection,
            ) as asked:
                status = program.generic(method, f"{V1}{path}", b"{}", "application/json").status_code
            written = [
                query["sql"] for query in asked if query["sql"].lstrip().startswith(("INSERT", "UPDATE", "DELETE"))
            ]
            assert (path, method, written) == (path, method, [])
            assert method in READING or status == 403, (path, method)


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("scopes", SCOPES)
def test_token_of_another_club_opens_what_everybody_may_read(
    club: Club, director: Client, owner: User, scopes: str
) -> None:
    """Check an account that directs both clubs: its token for one is a stranger in the other."""
    elsewhere = make_club("ailleurs", "Ailleurs")
    Membership.objects.create(user=owner, club=elsewhere, role="director")
    evening, program = make_evening(club, director), program_of(token_for(elsewhere, owner, scopes))
    outcomes = {(method, path): ask(program, method, path.format(**evening.places)) for method, path, _need in DOORS}
    assert outcomes == {
        (method, path): "open" if path in OPEN or need == Can.READ else "403" for method, path, need in DOORS
    }


@pytest.mark.nightly("crawl")
def test_token_opens_the_practice_of_its_own_club_alone(club: Club, director: Client, owner: User) -> None:
    told = {"name": "Essai", "slug": "essai", "created_at": timezone.now()}
    evening = make_evening(Club.every.create(**told, practice_of=club), director)
    elsewhere = make_club("ailleurs", "Ailleurs")
    Membership.objects.create(user=owner, club=elsewhere, role="director")
    path = f"sessions/{evening.places['session']}/plays/"
    assert ask(program_of(token_for(club, owner)), "GET", path) == "open"
    assert ask(program_of(token_for(elsewhere, owner)), "GET", path) == "404"


def end_it(club: Club, owner: User, other: User) -> None:
    end_program_token(club, ProgramToken.objects.get().pk, now=timezone.now(), by=other)


def let_it_expire(club: Club, owner: User, other: User) -> None:
    ProgramToken.objects.update(ends_on=day_of_roles() - DAY)


def end_its_role(club: Club, owner: User, other: User) -> None:
    end_role(club, owner.memberships.get().pk, now=timezone.now(), by=other)


def reach_last_day(club: Club, owner: User, other: User) -> None:
    owner.memberships.update(ends_on=day_of_roles() - DAY)


def close_account(club: Club, owner: User, other: User) -> None:
    User.objects.filter(pk=owner.pk).update(is_active=False)


def change_password(club: Club, owner: User, other: User) -> None:
    owner.set_password("another passphrase for tests")
    owner.save()


def log_out_everywhere(club: Club, owner: User, other: User) -> None:
    end_access(owner)


def delete_club(club: Club, owner: User, other: User) -> None:
    club.log.all().delete()
    club.delete()


@pytest.mark.parametrize(
    "way",
    [
        end_it,
        let_it_expire,
        end_its_role,
        reach_last_day,
        close_account,
        change_password,
        log_out_everywhere,
        delete_club,
    ],
)
def test_token_is_over_at_once(club: Club, owner: User, way: Any) -> None:
    program = program_of(token_for(club, owner))
    assert program.get(f"{V1}clubs/").status_code == 200
    way(club, owner, make_director(club))
    for path in ("clubs/", "schema/"):  # also where no token is needed: the program learns that it has none any more
        answer = program.get(f"{V1}{path}")
        assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Token")


def test_last_day_of_a_token_counts(club: Club, owner: User) -> None:
    program = program_of(token_for(club, owner))
    ProgramToken.objects.update(ends_on=day_of_roles())
    assert program.get(f"{V1}clubs/").status_code == 200


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("role", ["helper", "director"])
def test_token_gives_no_more_than_the_role_of_now(club: Club, owner: User, director: Client, role: str) -> None:
    program = program_of(token_for(club, owner, "direct"))
    owner.memberships.update(role=role)
    session = make_evening(club, director).places["session"]
    expected = "open" if role == "director" else "403"
    assert ask(program, "GET", f"sessions/{session}/plays/") == "open"
    assert ask(program, "GET", f"sessions/{session}/standings/") == expected
    assert ask(program, "POST", f"clubs/{club.slug}/tournaments/") == expected


@pytest.mark.parametrize(
    "token",
    [
        "topage_",
        "topage_" + "A" * 43,
        "topage_" + "A" * 42,
        "topage_" + "A" * 44,
        "topage_" + "é" * 43,
        "A" * 43,
        "a b",
    ],
)
def test_unknown_and_malformed_tokens_are_refused(db: None, token: str) -> None:
    answer = program_of(token.encode().decode("latin-1")).get(f"{V1}clubs/")
    assert error_of(answer) == (401, "authentication_failed")


def test_wrong_tokens_are_counted_and_right_ones_work_meanwhile(club: Club, owner: User) -> None:
    right, wrong = program_of(token_for(club, owner)), program_of("topage_" + "A" * 43)
    for _time in range(MOST_WRONG_TOKENS):
        assert error_of(wrong.get(f"{V1}clubs/")) == (401, "authentication_failed")
        assert right.get(f"{V1}clubs/").status_code == 200
    for program in (wrong, program_of("signed:but:wrong")):
        answer = program.get(f"{V1}clubs/")
        assert error_of(answer) == (429, "locked_out")
        assert 1 <= int(answer["Retry-After"]) <= 10
    assert right.get(f"{V1}clubs/").status_code == 200


def test_refusal_names_the_scope(club: Club, owner: User) -> None:
    answer = program_of(token_for(club, owner)).post(
        f"{V1}clubs/{club.slug}/tournaments/", {"name": "X"}, format="json"
    )
    assert error_of(answer) == (403, "scope_missing")
    assert answer.json()["error"]["message"] == "This needs a token with the scope “direct”."


def test_token_beside_the_cookie_of_a_log_in_gives_its_own_rights_alone(club: Club, owner: User) -> None:
    cookie = APIClient(enforce_csrf_checks=True)
    cookie.force_login(owner)
    new = {"name": "Du jeudi"}
    assert cookie.get(f"{V1}clubs/{club.slug}/players/").status_code == 200
    assert cookie.post(f"{V1}clubs/{club.slug}/tournaments/", new, format="json").status_code == 403  # no CSRF token
    for scopes, status in (("read", 403), ("direct", 201)):
        header = {"authorization": f"Token {token_for(club, owner, scopes)}"}
        answer = cookie.post(f"{V1}clubs/{club.slug}/tournaments/", new, format="json", headers=header)
        assert answer.status_code == status
    wrong = cookie.get(f"{V1}clubs/{club.slug}/players/", headers={"authorization": f"Token topage_{'A' * 43}"})
    assert wrong.status_code == 401


def test_token_opens_no_page(club: Club, owner: User) -> None:
    program = program_of(token_for(club, owner, "direct"))
    for path in (f"/clubs/{club.slug}/programs/", f"/clubs/{club.slug}/team/", "/admin/"):
        assert "login" in program.get(path)["Location"]


@pytest.mark.parametrize("name", ["token", "access_token", "authorization", "q"])
def test_token_in_an_address_is_refused(club: Club, owner: User, name: str) -> None:
    token = token_for(club, owner)
    for client in (APIClient(), program_of(token)):
        answer = client.get(f"{V1}clubs/", {name: token})
        assert error_of(answer) == (400, "token_in_address")
        assert token not in answer.content.decode()
    assert APIClient().get(f"{V1}{token}/").status_code == 404


def test_log_hides_a_token(club: Club, owner: User, caplog: pytest.LogCaptureFixture) -> None:
    token = token_for(club, owner, "direct")
    with caplog.at_level(logging.DEBUG):
        program_of(token).get(f"{V1}clubs/{token}/", {"token": token})
        program_of(token).post(f"{V1}clubs/{club.slug}/tournaments/", {}, format="json")
    assert caplog.records
    assert token not in hide_codes(caplog.text)
    assert hide_codes(f"GET /?a={token}&b=1") == "GET /?a=topage_…&b=1"


def test_scripts_of_other_sites_get_no_answer_to_a_token(club: Club, owner: User) -> None:
    """Check that no answer is both open to scripts and made for an account."""
    token, origin = token_for(club, owner), {"origin": "https://club.example"}
    assert APIClient().get(f"{V1}clubs/", headers=origin)["Access-Control-Allow-Origin"] == "*"
    for path in ("clubs/", f"clubs/{club.slug}/", "rankings/", "sessions/", f"clubs/{club.slug}/players/"):
        for method in ("get", "head", "options"):
            answer = getattr(program_of(token), method)(f"{V1}{path}", headers=origin)
            assert not [name for name in answer.headers if name.startswith("Access-Control")], (path, method)
            assert answer["Cache-Control"] == "private, no-store"
            assert "ETag" not in answer
    preflight = APIClient().options(f"{V1}clubs/", headers=origin | {"access-control-request-headers": "authorization"})
    assert not preflight.has_header("Access-Control-Allow-Headers")


@pytest.mark.nightly("crawl")
def test_answer_for_a_token_is_no_cached_answer_for_others(club: Club, director: Client, owner: User) -> None:
    evening = make_evening(club, director)
    for path in (f"clubs/{club.slug}/", f"sessions/{evening.places['published']}/publications/latest/"):
        before = APIClient().get(f"{V1}{path}").content
        program_of(token_for(club, owner, "direct")).get(f"{V1}{path}")
        ProgramToken.objects.update(ended_at=timezone.now())
        assert APIClient().get(f"{V1}{path}").content == before


@pytest.mark.nightly("crawl")
def test_program_is_not_the_player_whose_account_it_has(club: Club, owner: User) -> None:
    """Check a hidden career of another club, which the owner of the token may read and the program may not."""
    elsewhere = make_club("ailleurs", "Ailleurs")
    director = Client(make_director(elsewhere, "autre"))
    evening = make_evening(elsewhere, director)
    player = Player.objects.get(pk=evening.places["player"])
    tie(player, owner, by=owner, now=timezone.now())
    Person.objects.filter(players=player).update(shown=Visibility.HIDDEN)
    path = f"{V1}players/{player.pk}/"
    assert APIClient().get(path).status_code == 404
    assert program_of(make_api_token(owner)).get(path).status_code == 200
    for scopes in ("read", "direct"):
        assert program_of(token_for(club, owner, scopes)).get(path).status_code == 404


def test_use_is_noted_once_in_ten_minutes(club: Club, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    program, now = program_of(token_for(club, owner)), timezone.now()
    noted = []
    for minutes in (0, 1, 9, 11, 12, -60):  # the last one: the clock was set back
        monkeypatch.setattr(timezone, "now", lambda moment=now + dt.timedelta(minutes=minutes): moment)
        assert program.get(f"{V1}clubs/").status_code == 200
        noted.append(round((ProgramToken.objects.get().used_at - now).total_seconds() / 60))  # type: ignore[operator]
    assert noted == [0, 0, 0, 11, 11, -60]


def test_refused_token_is_not_used(club: Club, owner: User) -> None:
    token = token_for(club, owner)
    program_of(token[:-1] + "!").get(f"{V1}clubs/")
    program_of(token).post(f"{V1}clubs/{club.slug}/tournaments/", {}, format="json")
    assert ProgramToken.objects.get().used_at is None


def queries_of(program: APIClient, path: str) -> int:
    program.get(path)
    with CaptureQueriesContext(connection) as asked:
        assert program.get(path).status_code == 200
    return len(asked)


@pytest.mark.nightly("crawl")
def test_token_costs_one_query_at_most(club: Club, director: Client, owner: User) -> None:
    session = Session.objects.get(pk=make_evening(club, director).places["session"])
    program, signed = program_of(token_for(club, owner, "direct")), program_of(make_api_token(owner))
    for path in (f"sessions/{session.pk}/plays/", f"clubs/{club.slug}/players/", "clubs/", "score/rules/"):
        stranger = queries_of(APIClient(), f"{V1}{path}") if path in ("clubs/", "score/rules/") else None
        counted = queries_of(program, f"{V1}{path}")
        assert counted <= queries_of(signed, f"{V1}{path}"), path  # which reads the account, and then its roles
        assert stranger is None or counted <= stranger + 1, path


def test_schema_says_which_scope_each_operation_needs() -> None:
    schema = make_schema()
    told = {
        (method.upper(), path): operation.get("x-token-scope")
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    }
    writing = {door: scope for door, scope in told.items() if door[0] != "GET"}
    assert {door for door, scope in writing.items() if scope == "enter"} == {
        ("POST", "/api/v1/plays/{id}/result/"), ("PUT", "/api/v1/plays/{id}/result/"),
        ("POST", "/api/v1/rooms/{id}/join/"), ("POST", "/api/v1/rooms/{id}/sit/"), ("POST", "/api/v1/rooms/own/"),
    }  # fmt: skip
    assert {door[1] for door, scope in writing.items() if scope is None} == {
        "/api/v1/score/", "/api/v1/movements/verify/", "/api/v1/token/", "/api/v1/rooms/{id}/games/{etui}/",
        "/api/v1/rooms/tables/{table}/", "/api/v1/rooms/tables/{table}/wish/",
    }  # fmt: skip
    assert set(writing.values()) == {"enter", "direct", None}
    assert {scope for door, scope in told.items() if door[0] == "GET"} == {"read", None}
    assert "tokenAuth" in schema["components"]["securitySchemes"]

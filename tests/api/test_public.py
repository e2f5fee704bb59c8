"""The public part of the API: lists in pages, errors that name what is wrong, ETags, and no hidden player's name."""

import datetime as dt
import gzip
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.house import change_settings
from clubs.models import Club, Player, Season, Visibility
from clubs.players import raise_names_version
from evenings.sessions.setup import create_session
from rankings.careers.keeping import refresh
from rankings.events.publishing import TOURNAMENTS
from tests.api.conftest import V1, Client
from tests.factories import DATE, draft_session, make_club, make_tournament, published_session
from tournaments.models import Session, Tournament
from tournaments.versions import DirectorWord

NINES = "9" * 5000


@pytest.fixture
def tournament(club: Club) -> Tournament:
    return make_tournament(club)


@pytest.fixture
def published(tournament: Tournament, director: Client) -> Session:
    return published_session(tournament, by=director.user, cards=True)


def make_sessions(tournament: Tournament, count: int) -> list[Session]:
    """Create sessions in preparation, one a day, from DATE on."""
    days = (DATE + dt.timedelta(days=number) for number in range(count))
    return [create_session(tournament=tournament, date=day, positions=5, etuis_per_position=4) for day in days]


def pages_of(client: Client, path: str) -> list[list[Any]]:
    """Return every page of a list, by following the addresses in the header Link."""
    pages, where = [], f"{V1}{path}"
    while where:
        answer = client.client.get(where)
        assert answer.status_code == 200, answer.content
        pages.append(answer.json())
        following = re.search(r'<http://testserver([^>]*)>; rel="next"', answer.headers.get("Link", ""))
        where = following[1] if following else ""
    return pages


# Lists


def test_calendar_has_every_session_once_page_by_page(stranger: Client, tournament: Tournament) -> None:
    sessions = make_sessions(tournament, 7)
    pages = pages_of(stranger, "sessions/?size=3")
    assert [[row["id"] for row in page] for page in pages] == [
        [each.pk for each in sessions[:3]], [each.pk for each in sessions[3:6]], [sessions[6].pk],
    ]  # fmt: skip
    assert [len(page) for page in pages_of(stranger, "sessions/")] == [7]
    newest = pages_of(stranger, "sessions/?newest=true&size=4")
    assert [row["id"] for page in newest for row in page] == [each.pk for each in reversed(sessions)]
    assert stranger.get("sessions/?page=32767") == []
    first = stranger.get("sessions/")[0]
    assert first == {
        "id": sessions[0].pk, "club": "club", "club_name": "Club des Étuis", "tournament": tournament.pk,
        "tournament_name": "Duplicate d’été", "number": 1, "date": "2026-11-20", "starts_at": "20:30",
        "begins": "2026-11-20T20:30:00+01:00", "ends": first["ends"], "state": "coming", "signs_up": False,
        "published": None, "standing": None,
    }  # fmt: skip


def test_calendar_is_filtered_by_day_state_club_and_tournament(
    stranger: Client, club: Club, tournament: Tournament, published: Session
) -> None:
    coming = make_sessions(tournament, 3)
    other = draft_session(make_tournament(make_club("ailleurs", "Ailleurs")))

    def ids(query: str) -> list[int]:
        return [row["id"] for row in stranger.get(f"sessions/?{query}")]

    assert ids("since=2026-11-21&until=2026-11-21") == [coming[1].pk]
    assert ids("state=over") == [published.pk]
    assert ids("state=running") == []
    assert set(ids("state=coming&club=club")) == {each.pk for each in coming}
    assert ids(f"tournament={other.tournament_id}") == [other.pk]
    assert ids("club=nowhere") == []
    told = stranger.get("sessions/?state=over")[0]
    assert (told["published"], told["standing"]) == (1, "provisional")
    assert [row["number"] for row in stranger.get(f"tournaments/{tournament.pk}/sessions/?since=2026-11-22")] == [4]


@pytest.mark.parametrize(
    ("path", "wrong", "field"),
    [
        ("sessions/", "since=2026-13-45", "since"),
        ("sessions/", f"since={NINES}", "since"),
        ("sessions/", "until=tomorrow", "until"),
        ("sessions/", "state=lost", "state"),
        ("sessions/", f"tournament={NINES}", "tournament"),
        ("sessions/", "tournament=9223372036854775808", "tournament"),
        ("sessions/", "club=a b", "club"),
        ("sessions/", "club=%00", "club"),
        ("sessions/", "newest=perhaps", "newest"),
        ("sessions/", "colour=red", "colour"),
        ("sessions/", f"page={NINES}", "page"),
        ("sessions/", "page=32768", "page"),
        ("sessions/", "size=501", "size"),
        ("rankings/", "kind=deal", "kind"),
        ("rankings/", "since=0000-00-00", "since"),
        ("clubs/", "size=0", "size"),
        ("clubs/club/tournaments/", "season=-1", "season"),
        ("clubs/club/tournaments/", "upcoming=2", "upcoming"),
    ],
)
def test_wrong_parameter_is_named(stranger: Client, club: Club, path: str, wrong: str, field: str) -> None:
    error = stranger("GET", f"{path}?{wrong}", status=400)["error"]
    assert (error["code"], error["field"], set(error["fields"])) == ("invalid", field, {field})


def test_days_at_the_ends_of_time_are_days(stranger: Client, published: Session) -> None:
    for path in ("rankings/", "sessions/"):
        assert len(stranger.get(f"{path}?since=0001-01-01&until=9999-12-31")) == 1


def test_clubs_that_are_not_listed_stand_in_no_list_but_their_own(
    stranger: Client, director: Client, club: Club, published: Session
) -> None:
    assert [row["slug"] for row in stranger.get("clubs/")] == ["club"]
    assert director.user is not None
    change_settings(club, {"listed": False}, now=timezone.now(), by=director.user)
    for path in ("clubs/", "sessions/", "rankings/"):
        assert stranger.get(path) == []
    assert [row["role"] for row in director.get("clubs/")] == ["director"]
    for path in ("sessions/", "rankings/"):
        assert len(stranger.get(f"{path}?club=club")) == 1


def test_nothing_of_practice_nor_of_what_is_put_away_is_listed(
    stranger: Client, club: Club, published: Session
) -> None:
    practice = Club.every.create(name="Essai", slug="essai", practice_of=club, created_at=timezone.now())
    draft_session(make_tournament(practice))
    Session.objects.filter(pk=published.pk).update(put_away_at=timezone.now())
    for path in ("clubs/?size=500", "sessions/", "sessions/?club=essai", "rankings/", "rankings/?club=essai"):
        assert [row for row in stranger.get(path) if row.get("slug") != "club"] == []
    assert stranger.refused("GET", "clubs/essai/", status=404) == "not_found"


def test_club_is_told_as_its_page_has_it(stranger: Client, director: Client, club: Club) -> None:
    season = Season.objects.create(club=club, name="2026-2027", starts_on=DATE, ends_on=DATE)
    assert director.user is not None
    change_settings(club, {"address": "Salle des fêtes"}, now=timezone.now(), by=director.user)
    told = stranger.get("clubs/club/")
    assert told == {
        "slug": "club", "name": "Club des Étuis", "role": None, "time_zone": "", "address": "Salle des fêtes",
        "contact": "",
        "seasons": [{"id": season.pk, "name": "2026-2027", "starts_on": "2026-11-20", "ends_on": "2026-11-20"}],
    }  # fmt: skip
    change_settings(club, {"shows_address": False}, now=timezone.now(), by=director.user)
    assert stranger.get("clubs/club/")["address"] == ""
    assert director.get("clubs/club/")["role"] == "director"


def test_tournaments_of_a_season_and_those_to_come(stranger: Client, club: Club, published: Session) -> None:
    season = Season.objects.create(club=club, name="2026-2027", starts_on=DATE, ends_on=DATE)
    coming = make_tournament(club, name="Coupe")
    Tournament.objects.filter(pk=coming.pk).update(season=season)
    create_session(
        tournament=coming, date=timezone.localdate() + dt.timedelta(days=1), positions=5, etuis_per_position=4
    )

    def names(query: str = "") -> list[str]:
        return [row["name"] for row in stranger.get(f"clubs/club/tournaments/?{query}")]

    assert names() == ["Coupe", "Duplicate d’été"]
    assert names(f"season={season.pk}") == names("upcoming=true") == ["Coupe"]
    assert names("upcoming=false") == ["Duplicate d’été"]
    assert names("season=999") == []
    assert [len(page) for page in pages_of(stranger, "clubs/club/tournaments/?size=1")] == [1, 1]


def test_name_is_found_without_its_accents(stranger: Client, club: Club, tournament: Tournament) -> None:
    assert [row["slug"] for row in stranger.get("clubs/?name=etuis des")] == ["club"]
    assert [row["name"] for row in stranger.get("clubs/club/tournaments/?name=ÉTÉ")] == ["Duplicate d’été"]
    assert stranger.get("clubs/?name=nulle part") == stranger.get("clubs/club/tournaments/?name=hiver") == []


def test_search_finds_what_is_public(stranger: Client, club: Club, published: Session) -> None:
    refresh(published.pk)
    assert stranger.get("search/?q=etuis&kind=clubs") == [
        {"name": "Club des Étuis", "about": "", "player": None, "tournament": None, "club": "club"}
    ]
    (found,) = stranger.get("search/?q=duplicate&kind=tournaments")
    assert (found["tournament"], found["club"], found["about"]) == (published.tournament_id, "club", "Club des Étuis")
    pages = pages_of(stranger, "search/?q=ZOÉ&size=15")
    assert [len(page) for page in pages] == [15, 5]
    player = Player.objects.get(pk=pages[0][0]["player"])
    assert pages[0][0]["name"] == player.name
    player.person.shown = Visibility.HIDDEN
    player.person.save()
    assert stranger.get(f"search/?q={player.last_name}") == []
    assert stranger.get("search/?q=--") == []
    for wrong in ("", "?q=", "?q=%00", f"?q={'a' * 121}", "?q=zoé&kind=deals"):
        assert stranger.refused("GET", f"search/{wrong}", status=400) == "invalid"


@pytest.mark.nightly("story")
def test_who_searches_without_end_is_told_to_wait(stranger: Client, club: Club) -> None:
    codes = [stranger.client.get(f"{V1}search/?q=zoe").status_code for _ in range(61)]
    assert (set(codes[:60]), codes[60]) == ({200}, 429)


# Rankings


@pytest.mark.nightly("story")
def test_rankings_of_sessions_and_tournaments_lead_to_their_newest_versions(
    stranger: Client, director: Client, tournament: Tournament, published: Session
) -> None:
    other = published_session(tournament, by=director.user)
    assert director.user is not None
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director.user, timezone.now()))

    def listed(query: str = "") -> list[tuple[str, int | None]]:
        return [(row["kind"], row["session"]) for row in stranger.get(f"rankings/?{query}")]

    assert listed() == [("tournament", None), ("session", other.pk), ("session", published.pk)]
    assert listed("kind=tournament") == [("tournament", None)]
    assert listed("size=1&page=3") == [("session", published.pk)]
    assert listed("until=2026-01-01") == listed("club=nowhere") == []
    play = published.plays.earliest("pk")
    director.put(f"plays/{play.pk}/result/", {"base_score": 402, "reason": "x", "seen_version": 1})
    director.post(f"sessions/{published.pk}/publications/", {}, status=201)
    newest = stranger.get("rankings/")[0]
    assert (newest["session"], newest["version"], newest["status"]) == (published.pk, 2, "provisional")
    director.post(f"sessions/{other.pk}/publications/withdraw/", {"reason": "mêlée"})
    assert listed() == [("session", published.pk)]  # the tournament's ranking counts a session that is taken back


@pytest.mark.nightly("story")
def test_etui_of_a_publication_has_its_topage(stranger: Client, director: Client, published: Session) -> None:
    path = f"sessions/{published.pk}/publications/"
    whole = stranger.get(f"{path}1/")
    told = stranger.get(f"{path}latest/etuis/1/")
    assert told == stranger.get(f"{path}1/etuis/1/")
    assert sorted(play["id"] for play in told["plays"]) == sorted(play["id"] for play in whole["etuis"][0]["plays"])
    scores = [play["base_score"] for play in told["plays"]]
    assert scores == sorted(scores, reverse=True)
    assert {player["id"] for player in told["players"]} == {
        entrant for play in told["plays"] for entrant in play["seats"].values()
    }
    (field,) = told["compared"]
    assert [(each["score"], each["count"]) for each in field["frequencies"]] == [
        (score, scores.count(score)) for score in dict.fromkeys(scores)
    ]
    assert told["reasons"] == [] or all(told["reasons"])
    assert told["cards"] == whole["etuis"][0]["cards"] != ""
    for wrong in ("latest/etuis/99/", "2/etuis/1/", "1/etuis/0/"):
        assert stranger.refused("GET", path + wrong, status=404) == "not_found"
    director("PATCH", f"{path}shows/", {"cards": False})
    assert stranger.get(f"{path}latest/etuis/1/")["cards"] == ""
    director("PATCH", f"{path}shows/", {"etuis": False})
    assert stranger.refused("GET", f"{path}latest/etuis/1/", status=404) == "part_not_shown"


# Cached answers


PUBLISHED = ("publications/", "publications/latest/", "publications/1/", "publications/latest/etuis/1/", "entrants/{}/")


@pytest.mark.parametrize("path", PUBLISHED)
def test_what_is_published_is_known_before_it_is_built(
    stranger: Client, director: Client, published: Session, path: str
) -> None:
    where = f"{V1}sessions/{published.pk}/{path.format(published.entrants.earliest('pk').pk)}"
    first = stranger.client.get(where, headers={"Accept-Encoding": "gzip"})
    assert (first["Cache-Control"], first["Content-Encoding"]) == ("no-cache", "gzip")
    assert first["X-Robots-Tag"] == "noindex"
    assert {"Accept-Encoding", "Accept-Language"} <= set(first["Vary"].split(", "))
    assert gzip.decompress(first.content) == stranger.client.get(where).content
    with CaptureQueriesContext(connection) as asked:
        again = stranger.client.get(where, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert (again["Cache-Control"], len(asked)) == ("no-cache", 2)
    french = stranger.client.get(where, headers={"Accept-Language": "fr", "If-None-Match": first["ETag"]})
    assert french.status_code == 200
    raise_names_version(published.tournament.club_id)
    assert stranger.client.get(where, headers={"If-None-Match": first["ETag"]}).status_code == 200


@pytest.mark.parametrize("path", ["clubs/", "clubs/club/", "clubs/club/tournaments/", "sessions/", "rankings/"])
def test_list_is_not_sent_again_to_who_has_it(
    stranger: Client, director: Client, published: Session, path: str
) -> None:
    first = stranger.client.get(V1 + path)
    again = stranger.client.get(V1 + path, headers={"If-None-Match": first["ETag"]})
    assert (first["Cache-Control"], again.status_code, again.content) == ("no-cache", 304, b"")
    assert first["X-Robots-Tag"] == "noindex"
    assert {"Authorization", "Cookie"} <= set(first["Vary"].split(", "))
    private = director.client.get(V1 + path, headers={"If-None-Match": first["ETag"]})
    assert (private.status_code, private["Cache-Control"], "ETag" in private) == (200, "private, no-store", False)
    Club.objects.filter(pk=published.tournament.club_id).update(name="Renommé")
    Tournament.objects.filter(pk=published.tournament_id).update(name="Renommé")
    assert stranger.client.get(V1 + path, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_long_list_travels_compressed(stranger: Client, tournament: Tournament) -> None:
    make_sessions(tournament, 12)
    plain = stranger.client.get(f"{V1}sessions/?size=5")
    small = stranger.client.get(f"{V1}sessions/?size=5", headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(small.content) == plain.content
    assert (small["Link"], small["ETag"]) == (plain["Link"], plain["ETag"])


def test_publication_for_practice_is_kept_by_nobody(director: Client, club: Club) -> None:
    practice = Club.every.create(name="Essai", slug="essai", practice_of=club, created_at=timezone.now())
    session = published_session(make_tournament(practice), by=director.user)
    answer = director.client.get(f"{V1}sessions/{session.pk}/publications/latest/")
    assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-store")


# Players who are not shown by name


@pytest.mark.nightly("story")
@pytest.mark.parametrize("shown", [Visibility.INITIALS, Visibility.HIDDEN])
def test_who_is_not_shown_by_name_has_no_number_that_joins_evenings(
    stranger: Client, director: Client, tournament: Tournament, published: Session, shown: Visibility
) -> None:
    published_session(tournament, by=director.user)
    assert director.user is not None
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director.user, timezone.now()))
    player = Player.objects.earliest("pk")
    player.person.shown = shown
    player.person.save()
    raise_names_version(player.club_id)
    entrant = published.entrants.get(player=player)
    answers = {
        path: stranger.get(path)
        for path in (
            f"sessions/{published.pk}/publications/latest/",
            f"sessions/{published.pk}/publications/1/",
            f"sessions/{published.pk}/publications/latest/etuis/1/",
            f"tournaments/{tournament.pk}/publications/latest/",
        )
    }
    letters = {Visibility.INITIALS: "Z. N.", Visibility.HIDDEN: "Hidden player"}[shown]
    for path, told in answers.items():
        assert [(row["name"], row["player"]) for row in told["players"] if row["shown"] != "name"] == [
            (letters, None)
        ], path
        assert all(row["player"] and row["shown"] == "name" for row in told["players"] if row["name"] != letters)
        assert player.name not in repr(told)
    feuille = stranger.get(f"sessions/{published.pk}/entrants/{entrant.pk}/")["player"]
    assert (feuille["name"], feuille["player"], feuille["shown"]) == (letters, None, shown)
    assert player.name not in repr(stranger.get(f"sessions/{published.pk}/plan/"))
    assert player.name in repr(director.get(f"sessions/{published.pk}/plan/"))
    standings = director.get(f"sessions/{published.pk}/standings/")["players"]
    assert (player.name, player.pk, shown) in [(row["name"], row["player"], row["shown"]) for row in standings]

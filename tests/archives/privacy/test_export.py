"""The export of a person's data: all of it to the person, the club's part to its director, nothing to others."""

import csv
import io
import json
import zipfile
from decimal import Decimal

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from archives.privacy.export import write_cell, write_export
from archives.privacy.whom import whom_of_account, whom_of_player
from clubs.accounts.players import tie
from clubs.models import ClubLogEntry, LogInTry, Membership, Player, User
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plays.penalties import Sanction, give_penalty
from rankings.publication.publishing import SESSIONS
from registration.people.applicants import NewApplicant
from registration.people.registration import register, set_registration
from tests.evenings.requests.world import Four
from tests.factories import (
    draft_session,
    enter_all,
    make_club,
    make_director,
    make_user,
    publish,
    started_session,
)
from tests.joined import join_players
from tests.pages.browsing import browser_of
from tournaments.models import Entrant, Publication, PublishedPlayer, ResultEntry, Session
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
SECRET = "a long passphrase for tests"


def now():
    return timezone.now()


@pytest.fixture(autouse=True)
def nothing_counted():
    cache.clear()


@pytest.fixture
def player(session):
    found = session.entrants.get(line="N", number=1).player
    Player.objects.filter(pk=found.pk).update(first_name="Zoé", last_name="Œuvre", licence="LIC-1", country="Groland")
    return Player.objects.select_related("club", "person").get(pk=found.pk)


@pytest.fixture
def owner(player, session, director, club):
    """Return the account of the player, who has also entered a result and signed up for a session."""
    user = make_user("zoe")
    tie(player, user, by=director, now=now())
    Membership.objects.create(user=user, club=club, role="helper")
    ResultEntry.objects.filter(play=session.plays.exclude(north__player=player).first()).update(author=user)
    told = {"sanction": Sanction(points=Decimal(2)), "reason": "retard", "by": director, "now": now()}
    give_penalty(session_id=session.pk, entrant_id=session.entrants.get(player=player).pk, **told)
    four = Four(session, session.plays.filter(north__player=player).first())
    four.agree(four.ask("46 et non 56"), link=four.others[0])
    down = draft_session(club.tournaments.get(), tables=1)
    set_registration(accepts_at_once=True, session_id=down.pk, by=director, now=now(), way="account")
    who = NewApplicant("Œuvre", "Zoé", "LIC-1", "06 12 34 56 78")
    register(session_id=down.pk, asked=who, now=now(), user=user)
    return user


def unzip(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}


def export(whom):
    with write_export(whom, told="", now=now()) as archive:
        return unzip(archive.read())


def rows(files, name):
    return json.loads(files.get(f"{name}.json", "[]"))


def send(user, name, *args, **headers):
    return browser_of(user).post(reverse(name, args=args), **headers)


def body(response):
    return unzip(b"".join(response.streaming_content))


@pytest.mark.nightly("story")
def test_wrong_passwords_are_told_however_the_account_was_spelled(owner):
    User.objects.filter(pk=owner.pk).update(email="zoe@example.org")
    LogInTry.objects.create(at=timezone.now(), name="ZOE", address="192.0.2.1", agent="old", succeeded=False)
    for number, name in enumerate(("zoe", "ZOE", "zoe@example.org", "nobody")):
        told = {"username": name, "password": "no"}
        browser_of().post(reverse("login"), told, REMOTE_ADDR=f"192.0.2.{number + 7}")
    files = body(send(owner, "account_export"))
    found = [each for each in rows(files, "account_log_in_tries") if not each["succeeded"]]
    assert sorted(each["address"] for each in found) == ["192.0.2.1", "192.0.2.7", "192.0.2.8", "192.0.2.9"]


@pytest.mark.nightly("story")
def test_he_has_all_of_it_by_his_account(owner, player, session):
    answer = send(owner, "account_export")
    assert answer["Content-Type"] == "application/zip"
    assert "no-store" in answer["Cache-Control"]
    assert answer["Content-Disposition"].startswith('attachment; filename="topage-2')
    files = body(answer)
    (listed,) = rows(files, "players")
    assert (listed["last_name"], listed["licence"], listed["country"]) == ("Œuvre", "LIC-1", "Groland")
    (account,) = rows(files, "account")
    assert account["username"] == "zoe"
    assert [each["role"] for each in rows(files, "roles")] == ["helper"]
    (seat,) = [each for each in rows(files, "seats") if each["session"] == session.number]
    assert (seat["club"], seat["tournament"], seat["line"]) == ("Club des Étuis", "Duplicate d’été", "N")
    assert len(rows(files, "plays")) == 5
    # one for each of the player's five plays, and the one that the player entered
    assert len(rows(files, "results")) == 6
    assert [(each["points"], each["reason"]) for each in rows(files, "penalties")] == [("2.00", "retard")]
    assert [each["text"] for each in rows(files, "requests")] == ["46 et non 56"]
    assert [each["contact"] for each in rows(files, "registrations")] == ["06 12 34 56 78"]
    assert len(rows(files, "personal_links")) == 1
    (published,) = rows(files, "figures")
    shown = session.publications.get().data["players"]
    assert published["overall"] == next(each["overall"] for each in shown if each["player"] == player.pk)
    assert len(rows(files, "notes")) == 5
    assert {each["note"] is None for each in rows(files, "notes")} == {False}


@pytest.mark.nightly("story")
def test_every_file_is_there_twice_and_says_the_same(owner):
    with translation.override("fr"):
        files = export(whom_of_account(owner))
    names = {name.rpartition(".")[0] for name in files} - {"README"}
    assert {f"{name}.{kind}" for name in names for kind in ("json", "csv")} | {"README.txt"} == set(files)
    for name in names:
        table = list(csv.reader(io.StringIO(files[f"{name}.csv"]), delimiter=";"))
        assert table[0] == list(rows(files, name)[0])
        assert len(table) - 1 == len(rows(files, name))


@pytest.mark.nightly("story")
@pytest.mark.parametrize(("language", "said"), [("fr", "vous avez joué"), ("en", "in which you played")])
def test_readme_says_what_each_file_is_in_the_readers_language(owner, language, said):
    with translation.override(language):
        files = export(whom_of_account(owner))
    for name in {name.rpartition(".")[0] for name in files} - {"README"}:
        assert f"\n{name}: " in files["README.txt"]
    assert said in files["README.txt"]


@pytest.mark.nightly("story")
def test_no_secret_and_nobody_else_is_in_it(owner, session, director):
    director.email = "directrice@example.org"
    director.save()
    text = "\n".join(export(whom_of_account(owner)).values())
    link = session.entrants.get(line="N", number=1).links.get()
    secrets = [link.token, link.code, User.objects.get(pk=owner.pk).password]
    others = [name for name in session.entrants.values_list("player__last_name", flat=True) if name != "Œuvre"]
    assert [word for word in (*secrets, director.username, director.email, *others) if word in text] == []


@pytest.mark.nightly("story")
def test_director_has_what_his_club_keeps_and_it_is_logged(owner, player, director):
    (other,) = add_players(club=make_club("voisin"), lines=[RosterLine("Œuvre", "Zoé", "LIC-2")])
    join_players(player, other)
    files = body(send(director, "player_export", "club", player.pk))
    assert [each["club"] for each in rows(files, "players")] == ["Club des Étuis"]
    assert [each["licence"] for each in rows(files, "players")] == ["LIC-1"]
    assert rows(files, "account") == rows(files, "account_log_ins") == []
    assert len(rows(files, "plays")) == 5
    assert ClubLogEntry.objects.filter(action="player_exported", author=director).count() == 1


@pytest.mark.nightly("story")
def test_of_somebody_else_there_is_nothing(owner, player, session):
    outsider = make_director(make_club("ailleurs"), "autre")
    for user in (None, owner, make_user("passante"), outsider):
        for name in ("player_export", "player_erase"):
            assert send(user, name, "club", player.pk).status_code == 404
    assert send(outsider, "player_export", "ailleurs", player.pk).status_code == 404
    assert browser_of(outsider).get(reverse("player_erase", args=["club", player.pk])).status_code == 404
    assert Client().post(reverse("account_export")).status_code == 302
    assert ClubLogEntry.objects.filter(action="player_exported").count() == 0


@pytest.mark.nightly("print")
def test_by_the_link_on_paper_without_what_would_harm_in_other_hands(owner, player, session):
    link = session.entrants.get(player=player).links.get()
    answer = browser_of().post(reverse("personal_data", args=[link.token]), {"action": "export"})
    files = body(answer)
    text = "\n".join(files.values())
    assert [word for word in ("LIC-1", "06 12 34", "zoe", link.token) if word in text] == []
    assert len(rows(files, "plays")) == 5
    assert len(rows(files, "figures")) == 1
    assert "licence and contact" in files["README.txt"]
    assert browser_of().post(reverse("personal_data", args=["x" * 22]), {"action": "export"}).status_code == 404


@pytest.mark.nightly("story")
def test_evening_that_goes_on_is_left_out_until_it_is_published(player, club, director):
    session = started_session(club.tournaments.get())
    enter_all(session, by=director)
    mine = session.entrants.first().player
    numbers = {each["session"] for name in ("plays", "results") for each in rows(export(whom_of_player(mine)), name)}
    assert session.number not in numbers
    publish(session, by=director)
    numbers = {each["session"] for name in ("plays", "results") for each in rows(export(whom_of_player(mine)), name)}
    assert session.number in numbers


@pytest.mark.nightly("story")
def test_figures_that_were_taken_back_are_for_directors(owner, player, session, director):
    SESSIONS.withdraw(session.pk, word=DirectorWord(director, now(), "une erreur"))
    assert rows(export(whom_of_account(owner)), "figures") == []
    assert rows(export(whom_of_player(player)), "figures") != []


@pytest.mark.nightly("story")
def test_it_is_made_a_few_times_a_minute_at_most(owner):
    answers = [send(owner, "account_export") for _time in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert all(map(body, answers[:5]))


def test_spreadsheet_carries_nothing_out():
    assert write_cell("=HYPERLINK(1)") == "'=HYPERLINK(1)"
    assert (write_cell(-56), write_cell("Zoé"), write_cell({"a": "é"})) == (-56, "Zoé", '{"a": "é"}')


@pytest.mark.nightly("story")
def test_same_number_of_questions_for_one_evening_and_for_two_thousand(owner, player, session):
    def count():
        with CaptureQueriesContext(connection) as asked:
            files = export(whom_of_account(owner))
        return len(asked), len(rows(files, "figures"))

    one = count()
    publication = session.publications.get()
    players = sorted(publication.data["players"], key=lambda each: each["player"] != player.pk)  # the player is first
    small = publication.data | {"etuis": publication.data["etuis"][:1], "players": players[:5]}
    many = [Session(tournament=session.tournament, number=number, date=session.date) for number in range(100, 2099)]
    Session.objects.bulk_create(many)
    Entrant.objects.bulk_create(Entrant(session=each, player=player, line="N", number=1) for each in many)
    stand = {"version": 1, "results_version": 1, "published_at": now(), "data": small, "digest": "x"}
    versions = Publication.objects.bulk_create(Publication(session=each, **stand) for each in many)
    PublishedPlayer.objects.bulk_create(PublishedPlayer(publication=each, player=player) for each in versions)
    assert count() == (one[0], 2000)

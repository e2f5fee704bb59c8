"""The pages of archives: a director has one made, uploads one, sees what it would bring, and confirms once."""

import datetime as dt
import io
import json
import zipfile

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from archives.archive import packing
from archives.archive.contents import VERSION
from archives.errors import ArchiveError, SealedFileError
from archives.privacy.periods import forget_what_is_over
from clubs.models import ClubLogEntry, Membership, Person
from clubs.uploads.child import UploadRefused
from deals.models import DealLook
from evenings.plays.ruling import declare_playing
from jobs.tasks import make_file_of_club, sweep_publications
from outgoing import filing
from pages.files.club_files import say_refusal
from tests.archives.archive.packed import change, export
from tests.factories import (
    draft_session,
    make_club,
    make_director,
    make_helper,
    make_user,
    published_session,
    started_session,
)
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.job_health import claim_key
from tournaments.models import ClubFile, Tournament

WRITTEN = f'"version": {VERSION}'.encode()
pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return published_session(cards=True).tournament


@pytest.fixture
def packed(tournament):
    return export(tournament)


@pytest.fixture
def club():
    return make_club("ailleurs", "Ailleurs")


@pytest.fixture
def director(club):
    return make_director(club, "ailleurs")


def browse(user):
    client = browser_of(user)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client


def page_of(tournament):
    return reverse("tournament_archive", args=[tournament.club.slug, tournament.slug])


def upload(client, club, packed):
    """Upload an archive, let the job read it, and return the page's answer to the upload."""
    answer = client.post(reverse("archives", args=[club.slug]), {"file": SimpleUploadedFile("t.zip", packed)})
    do_jobs()
    return answer


def do_jobs():
    for row in ClubFile.objects.filter(made_at=None, failed_at=None):
        make_file_of_club(row.pk)


@pytest.mark.nightly("story")
def test_director_downloads_an_archive(tournament):
    user = make_director(tournament.club, "qui")
    client = browse(user)
    assert "Make the archive" in words(client.get(page_of(tournament)))
    asked = client.post(page_of(tournament))
    where = asked["Location"]
    assert "The site is making the file." in words(client.get(where))
    assert client.get(f"{where}content/")["Location"] == where
    do_jobs()
    assert "The file is ready." in words(client.get(where))
    answer = client.get(f"{where}content/")
    assert answer["Content-Type"] == "application/zip"
    assert "no-store" in answer["Cache-Control"]
    assert answer.content == export(tournament)
    assert not DealLook.objects.filter(document="archive").exists()
    logged = ClubLogEntry.objects.filter(club=tournament.club, action="archive_made", author=user)
    assert logged.get().params == {"tournament": tournament.name}


@pytest.mark.nightly("crawl")
def test_hidden_cards_are_in_the_archive_only_on_request_and_the_look_is_logged():
    session = started_session(cards=True)
    place = session.tournament
    user = make_director(place.club, "qui")
    client = browse(user)
    for cards in ({}, {"cards": "on"}):
        where = client.post(page_of(place), cards)["Location"]
        do_jobs()
        archive = zipfile.ZipFile(io.BytesIO(client.get(f"{where}content/").content))
        seeds = [each["seed"] for each in json.loads(archive.read("deal_sets.json"))]
        assert all(seeds) == bool(cards)
        looks = DealLook.objects.filter(user=user, document="archive", kind=DealLook.LookKind.EXPORTED)
        assert looks.count() == len(cards)
    assert place.club.log.filter(action="archive_made_with_cards", author=user).count() == 1


def test_director_who_has_still_to_play_gets_no_archive_with_results(tournament, monkeypatch):
    client = browse(make_director(tournament.club, "qui"))
    tournament.sessions.update(status="running")
    monkeypatch.setattr(filing, "hidden_etuis", lambda _session, _user: frozenset({1}))
    answer = client.post(page_of(tournament), follow=True)
    assert "You still have étuis to play in session 1" in words(answer)
    assert not ClubFile.objects.exists()


def test_archive_made_before_its_director_declared_to_play_keeps_its_results():
    session = started_session(cards=True)
    by = make_director(session.tournament.club)
    client = browser_of(by)
    where = client.post(page_of(session.tournament))["Location"]
    do_jobs()
    assert client.get(f"{where}content/").content[:2] == b"PK"
    entrant = session.entrants.get(line="E", number=1)
    declare_playing(session_id=session.pk, by=by, entrant_id=entrant.pk, now=timezone.now())
    assert client.get(f"{where}content/")["Location"] == where


@pytest.mark.nightly("story")
def test_archive_is_shown_then_imported_by_one_press(packed, tournament, club, director):
    client = browse(director)
    where = upload(client, club, packed)["Location"]
    shown = words(client.get(where))
    assert tournament.name in shown
    assert "20 players are added to the list" in shown
    assert not club.tournaments.exists()
    assert client.post(where)["Location"] == where
    assert "The site is importing the tournament." in words(client.get(where))
    client.post(where)  # a second press asks for nothing further
    do_jobs()
    assert "The tournament is imported." in words(client.get(where))
    assert club.tournaments.get().name == tournament.name
    assert club.log.get(action="archive_imported").author == director
    assert ClubFile.objects.get().content is None
    again = upload(client, club, packed)["Location"]
    assert "there is nothing to import" in words(client.get(again))
    client.post(again)
    do_jobs()
    assert "nothing was changed" in words(client.get(again))
    assert club.log.filter(action="archive_imported").count() == 1


@pytest.mark.nightly("story")
def test_players_of_another_clubs_archive_are_matched_and_doubts_are_asked(packed, tournament, club, director):
    one, other = [entrant.player for entrant in tournament.sessions.get().entrants.order_by("pk")[:2]]
    same = club.players.create(last_name=one.last_name, first_name=one.first_name, person_id=make_person())
    twins = [
        club.players.create(
            last_name=other.last_name, first_name=other.first_name, licence=f"A{n}", person_id=make_person()
        )
        for n in (1, 2)
    ]
    client = browse(director)
    where = upload(client, club, packed)["Location"]
    page = client.get(where)
    assert "1 player is on the club’s list" in words(page)
    assert "Who are these players?" in words(page)
    [row] = {name for name in (f"row-{n}" for n in range(1, 21)) if f'name="{name}"' in page.content.decode()}
    client.post(where)  # nothing is answered
    do_jobs()
    assert f"Say first who these players of the archive are: {row[4:]} ({other.first_name} {other.last_name})" in words(
        client.get(where)
    )
    assert not club.tournaments.exists()
    client.post(where, {row: same.pk})
    do_jobs()
    page = client.get(where)
    assert "would be one player of the list" in words(page)
    client.post(where, {row: twins[1].pk})
    do_jobs()
    assert "The tournament is imported." in words(client.get(where))
    seated = set(club.tournaments.get().sessions.get().entrants.values_list("player", flat=True))
    assert {same.pk, twins[1].pk} <= seated
    assert twins[0].pk not in seated


def make_person():
    return Person.objects.create().pk


@pytest.mark.guard("answers about an archive are kept when one is refused")
def test_refused_answers_stay_chosen(packed, tournament, club, director):
    entrant = tournament.sessions.get().entrants.order_by("pk")[0].player
    for licence in ("A1", "A2"):
        club.players.create(
            last_name=entrant.last_name, first_name=entrant.first_name, licence=licence, person_id=make_person()
        )
    client = browse(director)
    where = upload(client, club, packed)["Location"]
    row = next(each["row"] for each in ClubFile.objects.get().outcome["players"] if each["how"] == "doubt")
    stranger = tournament.club.players.first().pk
    client.post(where, {f"row-{row}": stranger})
    do_jobs()
    assert "names nobody on the club’s list" in words(client.get(where))
    assert ClubFile.objects.get().details["answers"] == {str(row): stranger}
    assert client.post(where, {f"row-{row}": "x"}).status_code == 404


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda packed: b"none", "The file cannot be read as a ZIP"),
        (
            lambda packed: change(packed, "tournament.json", lambda rows: rows.append(rows[0] | {"row": 2})),
            "exactly one",
        ),
        (
            lambda packed: rewrite(packed, "manifest.json", f'"version": {VERSION}'.encode(), b'"version": 9'),
            "upgrade it first",
        ),
        (lambda packed: rewrite(packed, "plays.json", b'"row":1,', b'"row":2,'), "differ from those in its manifest"),
        (
            lambda packed: rewrite(packed, "plays.json", b"", b"", name="../plays.json"),
            "a file that does not belong there",
        ),
    ],
    ids=["no ZIP", "two tournaments", "newer", "wrong digest", "leaves the folder"],
)
def test_refused_archive_keeps_the_director_on_the_page(packed, club, director, spoil, told):
    client = browse(director)
    where = upload(client, club, spoil(packed))["Location"]
    page = client.get(where)
    assert told in words(page)
    assert 'name="file"' in page.content.decode()
    assert not club.tournaments.exists()
    assert ClubFile.objects.get().content is None


def rewrite(packed, path, old, new, name=""):
    """Return the ZIP with a text of one file replaced, or with the file under another name."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as read, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as written:
        for each in read.namelist():
            text = read.read(each)
            if each == path:
                assert old in text
                written.writestr(name or each, text.replace(old, new, 1) if old else text)
            else:
                written.writestr(each, text)
    return out.getvalue()


@pytest.mark.nightly("story")
def test_archive_that_unpacks_to_too_much_is_refused(packed, club, director, monkeypatch):
    monkeypatch.setattr(packing, "MOST_BYTES", 20_000)
    client = browse(director)
    where = upload(client, club, packed)["Location"]
    assert "The archive is too large" in words(client.get(where))


def test_upload_that_the_server_would_not_take_is_refused_on_the_page(club, director, monkeypatch):
    monkeypatch.setattr("pages.files.archives.MOST_MEGABYTES", 0)
    answer = browse(director).post(
        reverse("archives", args=[club.slug]), {"file": SimpleUploadedFile("t.zip", b"PK more")}
    )
    assert "The file is larger than 0 MB" in words(answer)
    assert not ClubFile.objects.exists()


@pytest.mark.nightly("story")
def test_file_is_for_the_director_who_asked_and_ends_with_the_role(tournament):
    user = make_director(tournament.club, "qui")
    client = browse(user)
    where = client.post(page_of(tournament))["Location"]
    do_jobs()
    others = {
        make_director(tournament.club, "autre"): 404,
        make_helper(tournament.club): 403,
        make_user("inconnu"): 403,
        make_director(make_club("loin", "Loin"), "loin"): 403,
    }
    for other, status in others.items():
        assert [browse(other).get(each).status_code for each in (where, f"{where}content/")] == [status, status]
    both = make_director(make_club("la-bas", "Là-bas"), "labas")
    Membership.objects.create(user=both, club=tournament.club, role="director")
    assert browse(both).get(where.replace(f"/{tournament.club.slug}/", "/la-bas/")).status_code == 404
    user.memberships.filter(club=tournament.club).update(role="helper")
    assert client.get(f"{where}content/").status_code == 403


def test_job_makes_nothing_for_somebody_whose_role_has_ended(tournament):
    user = make_director(tournament.club, "qui")
    client = browse(user)
    client.post(page_of(tournament))
    user.memberships.filter(club=tournament.club).update(role="helper")
    do_jobs()
    row = ClubFile.objects.get()
    assert (row.content, row.failed_at is not None) == (None, True)


@pytest.mark.nightly("story")
def test_one_file_at_a_time_for_each_account(tournament):
    client = browse(make_director(tournament.club, "qui"))
    client.post(page_of(tournament))
    refused = client.post(page_of(tournament), follow=True)
    assert "The site is making another file for you" in words(refused)
    assert "Make the archive" in words(refused)
    do_jobs()
    assert client.post(page_of(tournament)).status_code == 302
    assert ClubFile.objects.count() == 2


@pytest.mark.nightly("story")
def test_lost_job_is_done_by_the_sweep_and_a_job_under_way_is_not_begun_twice(tournament):
    browse(make_director(tournament.club, "qui")).post(page_of(tournament))
    now = timezone.now()
    ClubFile.objects.update(asked_at=now - dt.timedelta(minutes=2), begun_at=now)
    cache.set(claim_key(f"club-file-{ClubFile.objects.get().pk}"), "another worker", 30)
    sweep_publications()
    do_jobs()
    assert ClubFile.objects.get().made_at is None
    cache.clear()  # half a minute after the worker was killed
    sweep_publications()
    assert ClubFile.objects.get().made_at is not None


@pytest.mark.nightly("story")
def test_file_is_deleted_after_a_day(tournament):
    browse(make_director(tournament.club, "qui")).post(page_of(tournament))
    do_jobs()
    forget_what_is_over(timezone.now() + dt.timedelta(hours=23))
    assert ClubFile.objects.count() == 1
    forget_what_is_over(timezone.now() + dt.timedelta(hours=25))
    assert ClubFile.objects.count() == 0


def test_failing_job_says_so_and_may_be_asked_again(tournament, monkeypatch):
    client = browse(make_director(tournament.club, "qui"))
    where = client.post(page_of(tournament))["Location"]
    with monkeypatch.context() as broken:
        broken.setattr(filing, "export_snapshot", None)
        with pytest.raises(TypeError):
            do_jobs()
    assert "The file could not be made: ask for it again." in words(client.get(where))
    assert client.post(page_of(tournament)).status_code == 302


def test_pages_are_linked_where_a_director_looks(tournament):
    club = tournament.club
    client = browse(make_director(club, "qui"))
    rules = client.get(reverse("tournament_rules", args=[club.slug, tournament.slug]))
    assert page_of(tournament) in rules.content.decode()
    settings = client.get(reverse("club_settings", args=[club.slug]))
    assert reverse("archives", args=[club.slug]) in settings.content.decode()


@pytest.mark.nightly("story")
def test_empty_draft_has_an_archive_too():
    place = draft_session().tournament
    client = browse(make_director(place.club, "qui"))
    where = client.post(page_of(place))["Location"]
    do_jobs()
    assert client.get(f"{where}content/").content[:2] == b"PK"
    assert Tournament.objects.get().archive_key is not None


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize("kind", [ArchiveError, SealedFileError, UploadRefused])
def test_refusal_of_each_kind_is_said_in_its_words(kind):
    code, text = next((code, text) for code, text in kind.messages.items() if "%(" not in str(text))
    assert say_refusal(ClubFile(refusal=(code, {}))) == str(text)
    assert say_refusal(ClubFile()) == ""

"""The calendar's pages and files: what they show, to whom, and how long a program may cache them."""

import datetime as dt
import gzip

import pytest
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from clubs.accounts.players import tie
from clubs.house import change_settings
from clubs.models import Club, Person, Visibility
from evenings.requests.links import ensure_links, revoke_link
from evenings.sessions.put_away import put_session_away
from evenings.sessions.setup import edit_session
from registration.agenda.files import make_calendar_link, revoke_calendar_link
from registration.people.applicants import NewApplicant
from registration.people.registration import register, set_registration, withdraw
from tests.factories import (
    draft_session,
    make_club,
    make_director,
    make_tournament,
    make_user,
    published_session,
    started_session,
)
from tests.registration.agenda.evenings import make_evening
from tournaments.models import Session, Tournament

pytestmark = pytest.mark.django_db
SOON = timezone.localdate() + dt.timedelta(days=20)


def text_of(client, name="calendar", *args, **asked):
    answer = client.get(reverse(name, args=args), asked, headers={"Accept-Language": "en"})
    assert answer.status_code == 200
    return answer.content.decode()


def read(client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    return {int(event["uid"].split("-")[1]): event for event in Calendar.from_ical(answer.content).walk("VEVENT")}


def own_address(**whose):
    return reverse("own_calendar_file", args=[make_calendar_link(now=timezone.now(), **whose).token])


def test_month_names_each_evening_with_its_hour_and_where_to_register(client):
    tournament = make_tournament(name="Trophée d’été")
    draft = draft_session(tournament, tables=1, positions=1)
    set_registration(accepts_at_once=True, session_id=draft.pk, by=make_director(tournament.club), now=timezone.now())
    text = text_of(client, month="2026-11")
    assert "Trophée d’été, session 1" in text
    assert "20:30" in text
    assert reverse("sign_up", args=["club", tournament.slug, 1]) in text
    assert f'"{reverse("session", args=["club", tournament.slug, 1])}"' not in text


def test_month_without_evenings_says_so_and_leads_to_the_next_one(client):
    make_evening("2026-09-18")
    make_evening("2027-02-05", club=make_club(name="Autres"))
    text = text_of(client, month="2026-11")
    assert "No evening this month" in text
    assert "February 2027" in text
    assert "?month=2027-02" in text
    later = text_of(client, month="2027-05")
    assert "the last one was in February 2027" in later
    Session.objects.all().delete()
    assert "as soon as its director sets their dates" in text_of(client, month="2026-11")


def test_way_through_the_months_ends_a_year_from_now_where_nothing_comes(client):
    make_evening("2026-11-20")
    far = [text_of(client, month=f"{timezone.localdate().year + years}-01") for years in (-3, 3)]
    assert ["Next month" in page for page in far] == [True, False]
    assert ["Previous month" in page for page in far] == [False, True]


def test_calendar_is_of_one_club_where_one_is_chosen(client):
    one, other = make_club(name="Ici"), make_club(name="Là")
    for club in (one, other):
        make_evening("2026-11-20", tournament=make_tournament(club, name=f"Soirée {club.name}"))
    text = text_of(client, month="2026-11", club=one.slug)
    assert "Soirée Ici" in text
    assert "Soirée Là" not in text
    assert reverse("club_calendar_file", args=[one.slug]) in text


@pytest.mark.parametrize(
    "asked",
    [
        {"month": "2026-13"},
        {"month": "x"},
        {"day": "2026-02-30"},
        {"month": "0001-01"},
        {"club": "nulle-part"},
        {"club": "a\0b"},
        {"club": "é" * 5_000},
    ],
)
def test_date_or_club_that_is_none_is_not_found(client, asked):
    assert client.get(reverse("calendar"), asked).status_code == 404


@pytest.mark.guard("the calendar of a full day")
def test_day_has_all_its_evenings_in_pages(client):
    club, now = make_club(), timezone.now()
    tournaments = Tournament.objects.bulk_create(
        Tournament(club=club, name=f"Soirée {number}", slug=f"s-{number}", created_at=now) for number in range(120)
    )
    Session.objects.bulk_create(Session(tournament=each, number=1, date=dt.date(2026, 11, 20)) for each in tournaments)
    assert "and 116 more" in text_of(client, month="2026-11")
    pages = [text_of(client, day="2026-11-20", page=page) for page in (1, 2, 3)]
    assert [page.count("<strong") + page.count("list-main") for page in pages] == [50, 50, 20]
    assert "page=2" in pages[0]


@pytest.mark.parametrize("name", ["calendar", "calendar_file"])
def test_who_has_it_is_told_so_until_something_is_otherwise(client, name, django_assert_max_num_queries):
    session = make_evening(str(SOON))
    address, asked = reverse(name), {"month": f"{SOON:%Y-%m}"}
    etag = client.get(address, asked)["ETag"]
    with django_assert_max_num_queries(5):
        assert client.get(address, asked, headers={"If-None-Match": etag}).status_code == 304
    edit_session(session_id=session.pk, now=timezone.now(), starts_at=dt.time(19, 0))
    answer = client.get(address, asked, headers={"If-None-Match": etag})
    assert (answer.status_code, answer["ETag"] == etag) == (200, False)


@pytest.mark.nightly("story")
def test_month_of_three_hundred_clubs_stays_small(client):
    for number in range(300):
        club = Club.objects.create(name=f"Tarot-club numéro {number}", slug=f"club-{number}")
        tournament = Tournament.objects.create(
            club=club, name=f"Duplicate {number}", slug="d", created_at=timezone.now()
        )
        Session.objects.bulk_create(
            Session(tournament=tournament, number=week + 1, date=dt.date(2026, 11, 1 + (number + 7 * week) % 30))
            for week in range(4)
        )
    page = client.get(reverse("calendar"), {"month": "2026-11"}, headers={"Accept-Encoding": "identity"})
    assert len(gzip.compress(page.content)) < 60_000


def test_file_is_valid_folded_and_in_universal_time(client):
    club = make_club(name="Étuis")
    change_settings(
        club, {"address": "12, rue de l’Église; 2ᵉ\nSaint-Rémy"}, now=timezone.now(), by=make_director(club)
    )
    name = "Trophée d’été des cœurs, des trèfles et des carreaux réunis en une très longue soirée"
    session = make_evening("2026-11-20", tournament=make_tournament(club, name=name), etuis_per_position=4)
    answer = client.get(reverse("calendar_file"))
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert max(len(line) for line in answer.content.split(b"\r\n")) <= 75
    event = read(client, reverse("calendar_file"))[session.pk]
    assert event["summary"].startswith(name)
    assert event["location"] == "12, rue de l’Église; 2ᵉ, Saint-Rémy"
    assert event["dtstart"].dt == dt.datetime(2026, 11, 20, 19, 30, tzinfo=dt.UTC)
    assert event["dtend"].dt - event["dtstart"].dt == dt.timedelta(hours=3)
    assert b"DTSTART:20261120T193000Z" in answer.content
    assert (event["status"], event["sequence"]) == ("CONFIRMED", 1)


def test_change_raises_the_sequence_and_keeps_the_uid(client):
    session = make_evening(str(SOON))
    club = session.tournament.club
    director = make_director(club)
    address = reverse("club_calendar_file", args=[club.slug])
    before = read(client, address)[session.pk]
    now = timezone.now() + dt.timedelta(minutes=5)
    edit_session(session_id=session.pk, now=now, check_by="none")
    assert read(client, address)[session.pk]["sequence"] == 0
    edit_session(session_id=session.pk, now=now, date=SOON + dt.timedelta(days=1))
    change_settings(club, {"time_zone": "America/Martinique"}, now=now, by=director)
    after = read(client, address)[session.pk]
    assert (after["uid"], after["sequence"]) == (before["uid"], 2)
    assert after["last-modified"].dt == now.replace(microsecond=0) > before["last-modified"].dt
    assert after["dtstart"].dt - before["dtstart"].dt == dt.timedelta(days=1, hours=5)


def test_evening_put_away_before_it_began_is_told_as_cancelled_for_a_while(client):
    coming, past = make_evening(str(SOON)), make_evening(str(timezone.localdate() - dt.timedelta(days=3)))
    director = make_director(coming.tournament.club)
    now = timezone.now()
    for session in (coming, past):
        put_session_away(session_id=session.pk, by=director, now=now)
    told = read(client, reverse("calendar_file"))
    assert {pk: event["status"] for pk, event in told.items()} == {coming.pk: "CANCELLED"}
    assert told[coming.pk]["sequence"] == 1
    Session.objects.filter(pk=coming.pk).update(put_away_at=now - dt.timedelta(days=61))
    assert read(client, reverse("calendar_file")) == {}


@pytest.mark.nightly("story")
def test_own_file_has_the_evenings_of_its_person_and_no_other(client):
    running = started_session(tables=1, positions=1)
    club = running.tournament.club
    player = running.entrants.order_by("pk").first().player
    user = make_user("joueuse")
    tie(player, user, by=make_director(club), now=timezone.now())
    Person.objects.filter(pk=player.person_id).update(shown=Visibility.HIDDEN)
    make_evening("2026-11-20", tournament=running.tournament)
    draft = make_evening(str(SOON), tournament=running.tournament)
    set_registration(accepts_at_once=True, session_id=draft.pk, by=user, now=timezone.now())
    address = own_address(user=user)
    assert set(read(client, address)) == {running.pk}
    down = register(session_id=draft.pk, asked=NewApplicant("Autre", "Nom"), now=timezone.now(), user=user)
    assert set(read(client, address)) == {running.pk, draft.pk}
    withdraw(token=down.token, now=timezone.now())
    assert set(read(client, address)) == {running.pk}
    assert "noindex" in client.get(address)["X-Robots-Tag"]
    assert "public" not in client.get(address)["Cache-Control"]


def test_secret_address_is_taken_back_and_made_anew(client):
    user = make_user("joueuse")
    first = own_address(user=user)
    assert own_address(user=user) == first
    again = own_address(user=user, anew=True)
    assert [client.get(address).status_code for address in (first, again)] == [404, 200]
    revoke_calendar_link(user=user, now=timezone.now())
    assert client.get(again).status_code == 404
    assert client.get(reverse("own_calendar_file", args=["x" * 43])).status_code == 404
    user.is_active = False
    user.save()
    assert client.get(own_address(user=user)).status_code == 404


def test_address_of_a_personal_link_is_of_that_club_and_ends_with_the_link(client):
    session = published_session(tables=1, positions=1)
    now = timezone.now()
    entrant = session.entrants.order_by("pk").first()
    link = ensure_links(session, now=now)[entrant.pk]
    other = started_session(make_tournament(make_club(name="Voisins")), tables=1, positions=1)
    other.entrants.order_by("pk").first().player.person.players.update(person=entrant.player.person)
    address = own_address(personal=link)
    assert set(read(client, address)) == {session.pk}
    director = make_director(session.tournament.club, "autre")
    revoke_link(session_id=session.pk, entrant_id=entrant.pk, by=director, now=now)
    assert client.get(address).status_code == 404


def test_files_tell_no_result_and_no_player(client):
    session = published_session(tables=1, positions=1)
    names = [player.last_name for player in session.tournament.club.players.all()]
    text = client.get(reverse("calendar_file")).content.decode()
    assert "session-" in text
    assert [name for name in names if name in text] == []

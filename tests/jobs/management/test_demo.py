"""The demonstration: its printed addresses open, it plays once, and it leaves a running evening to a director."""

import datetime as dt
import re
from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evenings.plays.desk_state import desk_plays
from evenings.sessions.running import clock_of
from jobs import demo
from jobs.demo.played import OVER, UNDER_WAY
from pages.doors import session_url
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import LogEntry, Publication, ResultEntry, Session, TableToken

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("process")]


def printed():
    """Return the addresses and log-ins that the command prints, by their labels."""
    out = StringIO()
    call_command("demo", no_serve=True, port=80, before=0, stdout=out)
    return dict(re.findall(r"^([\w ]+): +(.+)$", out.getvalue(), re.MULTILINE))


def rows():
    return [model.objects.count() for model in (Session, Publication, ResultEntry, LogEntry, TableToken)]


def test_demo_prints_addresses_that_open_and_a_second_start_plays_nothing_again(settings):
    told = printed()
    assert told["Data"] == str(settings.VAR_DIR)
    before = rows()
    assert printed() == told
    assert rows() == before

    del told["Data"]
    name, password = told.pop("Director").split(" / ")
    tables, table_password = told.pop("Tables").split(" / ")
    assert (tables, table_password) == ("table1 … table7", password)
    director, stranger = Client(), Client()
    director.post(reverse("login"), {"username": name, "password": password})
    begun = Session.objects.get(tournament__name="Coupe du club")
    assert director.get(session_url("log", begun)).status_code == 200
    assert list(told) == ["Site", "Ranking", "Desk", "Running", "Hall", "Table 1", "API"]
    for label, address in told.items():
        path = address.removeprefix("http://127.0.0.1:80")
        client = director if label in ("Desk", "Running") else stranger
        assert (label, client.get(path, follow=True).status_code) == (label, 200)
    assert stranger.cookies["hall"].value in told["Hall"]


def test_evening_under_way_shows_a_director_each_state_there_is_to_look_at():
    now = timezone.now()
    demo.play_evening(now=now)
    session = demo.begin_evening(now=now)
    session.refresh_from_db()

    called = [play for play in desk_plays(session, flags=True) if play.play.position <= 3]
    assert Counter(play.state for play in called) == {
        "missing": 16,
        "started": 7,
        "later": 1,
        "unconfirmed": 3,
        "disputed": 2,
        "odd": 3,
        "done": 52,
    }
    assert sum(len(play.contested) for play in called) == 1
    assert [call.table.number for call in session.calls.filter(answered_at=None)] == [2]
    assert (session.position, clock_of(session).ends_at) == (3, now + dt.timedelta(minutes=23))
    assert session.entrants.count() == 31
    assert list(session.entrants.filter(first_position=2).values_list("player__first_name", flat=True)) == ["Éléonore"]
    assert LogEntry.objects.filter(session=session, at__gt=now).count() == 0
    assert LogEntry.objects.filter(session=session, action="draw").count() == 1

    code, after_days = demo.code_of_table(session, 1, now=now), now + dt.timedelta(days=31)
    renewed = demo.code_of_table(session, 1, now=after_days)
    assert demo.code_of_table(session, 1, now=after_days) == renewed != code


def test_evenings_before_it_are_official_a_week_apart_and_in_the_season():
    now = timezone.now()
    publication = demo.play_evening(now=now, before=2)
    tournament = publication.session.tournament
    assert (publication.session.number, publication.version) == (3, 2)
    days = tournament.sessions.order_by("number").values_list("date", flat=True)
    weeks = [(day - publication.session.date).days / 7 for day in days]
    assert weeks == [-2, -1, 0, 1, 2, 3, 4]  # four evenings are still to come
    assert {day.weekday() for day in days} == {4}
    assert dt.timedelta(0) <= timezone.localdate(now) - publication.session.date < dt.timedelta(days=7)
    newest = [session.publications.first() for session in tournament.sessions.filter(number__lt=3)]
    assert [each.status for each in newest] == ["official"] * 2
    assert all(each.published_at < now for each in newest)
    assert sorted(tournament.publications.get().sessions.values()) == [2, 2, 2]
    came = [
        set(session.entrants.values_list("player", flat=True)) for session in tournament.sessions.order_by("number")
    ]
    assert came[0] & came[1] != came[0] | came[1]
    assert len(came[0] & came[1]) >= 10
    assert demo.play_evening(now=now + dt.timedelta(days=1), before=2) == publication
    page = Client(headers={"accept-language": "fr"}).get(
        session_url("ranking", publication.session), {"by": "category"}
    )
    assert [title in page.text for title in ("1re série", "Promotion", "Dames")] == [True] * 3


def test_club_has_a_championship_with_a_champion_and_one_under_way():
    tournament = demo.play_evening(now=timezone.now(), before=3).session.tournament
    place = tournament.club.slug
    over, under_way = (tournament.club.series.get(title=title) for title in (OVER, UNDER_WAY))
    assert over.publications.first().status == "official"
    assert [len(each.standings.data["events"]) for each in (over, under_way)] == [3, 4]
    reader = browser_of()
    assert "Champion" in words(reader.get(reverse("series", args=[place, over.slug])))
    assert OVER in words(reader.get(reverse("series_list", args=[place])))
    leader = next(row["player"] for row in under_way.standings.data["players"] if row["rank"] == 1)
    page = words(reader.get(reverse("series_player", args=[place, under_way.slug, leader])))
    assert "4 events are still to come" in page

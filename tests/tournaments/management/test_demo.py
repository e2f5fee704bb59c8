"""The demonstration: what it prints leads somewhere, it is played once, and its second evening needs a director."""

import datetime as dt
import re
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tournaments import demo
from tournaments.models import LogEntry, Publication, ResultEntry, Session, TableToken
from tournaments.plays.desk_state import count_states, desk_plays
from tournaments.sessions.running import clock_of
from tournaments.web.doors import session_url

pytestmark = pytest.mark.django_db


def printed():
    """The addresses and log-ins that the command prints, by their labels."""
    out = StringIO()
    call_command("demo", no_serve=True, port=80, stdout=out)
    return dict(re.findall(r"^([\w ]+): +(.+)$", out.getvalue(), re.MULTILINE))


def rows():
    return [model.objects.count() for model in (Session, Publication, ResultEntry, LogEntry, TableToken)]


def test_demo_prints_addresses_that_open_and_a_second_start_plays_nothing_again():
    told = printed()
    before = rows()
    assert printed() == told
    assert rows() == before

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
        assert (label, client.get(path).status_code) == (label, 200)


def test_evening_under_way_shows_a_director_each_state_there_is_to_look_at():
    now = timezone.now()
    demo.play_evening(now=now)
    session = demo.begin_evening(now=now)
    session.refresh_from_db()

    called = [play for play in desk_plays(session, flags=True) if play.play.position <= 3]
    assert count_states(called) == {
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

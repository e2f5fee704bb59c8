"""The table of a session's settings, and what follows from it: columns, forms, the API, calendars, the guide."""

import datetime as dt
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, models, transaction
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator

from clubs.models import ClubSettings, Season
from clubs.session_settings import SETTINGS, Setting, settings_with
from evenings.sessions.setup import create_session, edit_session
from pages.club.settings import SettingsForm
from pages.doors import session_url
from pages.prepare.setup_forms import NewSessionForm, SessionForm, UnderWayForm
from registration.agenda.events import read_event, with_all
from tests.api.conftest import Client
from tests.factories import make_club, make_director, make_tournament, started_session
from tests.pages.browsing import browser_of, fields
from tournaments.models import Session, Tournament

GUIDE = Path(__file__).parents[3] / "docs" / "api.md"
# Two values for each setting, both different from its default, as a program sends them.
FIRST: dict[str, Any] = {
    "date": "2026-11-20", "starts_at": "19:45", "positions": 6, "etuis_per_position": 3, "minutes_per_etui": 8,
    "barometer": True, "devices": "desk", "check_by": "other", "shows_after": "topage", "hidden_positions": 2,
    "whole_records": True, "coefficient": "1.50", "stage": "qualifying",
}  # fmt: skip
OTHER: dict[str, Any] = {
    "date": "2026-12-01", "starts_at": "18:15", "positions": 7, "etuis_per_position": 2, "minutes_per_etui": 10,
    "barometer": False, "devices": "tables", "check_by": "none", "shows_after": "ranking", "hidden_positions": 0,
    "whole_records": False, "coefficient": "0.01", "stage": "final",
}  # fmt: skip
BOUNDED = [name for name, setting in SETTINGS.items() if setting.least is not None]


def column_of(name):
    return Session._meta.get_field(name)


def read(values):
    """Return values as a row has them."""
    return {name: column_of(name).to_python(value) for name, value in values.items()}


def settings_of(session):
    session.refresh_from_db()
    return {name: getattr(session, name) for name in SETTINGS}


def typed(value):
    """Return a value as a form sends it."""
    return {True: "on", False: ""}.get(value, value) if isinstance(value, bool) else value


@pytest.fixture
def session(db):
    return create_session(tournament=make_tournament(), **read(FIRST))


@pytest.fixture
def running(db):
    session = started_session()
    Session.objects.filter(pk=session.pk).update(**read(FIRST))
    return session


@pytest.fixture
def planted(monkeypatch):
    """Add a new setting to the table, of which no other code knows."""
    monkeypatch.setitem(SETTINGS, "first_etui", Setting(means="planted", default=1, least=1, most=9, under_way=True))
    return "first_etui"


def director_of(session):
    return make_director(session.tournament.club)


def test_values_to_try_are_of_every_setting():
    assert FIRST.keys() == OTHER.keys() == SETTINGS.keys()
    assert not [name for name in SETTINGS if FIRST[name] == OTHER[name]]
    assert not [name for name, value in read(FIRST).items() if value == SETTINGS[name].default]


def shown_in_calendars(session):
    return [read_event(each, timezone.now()) for each in with_all(Session.objects.filter(pk=session.pk))]


# One field at a time


@pytest.mark.parametrize("name", SETTINGS)
def test_page_that_sends_one_field_changes_that_one(session, name):
    answer = browser_of(director_of(session)).post(session_url("session_edit", session), {name: typed(OTHER[name])})
    assert answer.status_code == 302
    assert settings_of(session) == read(FIRST | {name: OTHER[name]})
    assert list(session.log.values_list("params__setting", flat=True)) == [name]


@pytest.mark.parametrize("name", SETTINGS)
def test_page_under_way_changes_what_the_table_lets(running, name):
    browser_of(director_of(running)).post(session_url("session_edit", running), {name: typed(OTHER[name])})
    assert settings_of(running) == read(FIRST | ({name: OTHER[name]} if SETTINGS[name].under_way else {}))


@pytest.mark.parametrize("name", SETTINGS)
def test_program_changes_one(session, name):
    answer = Client(director_of(session))("PATCH", f"sessions/{session.pk}/", {name: OTHER[name]})
    assert {name: answer[name] for name in SETTINGS} == FIRST | {name: OTHER[name]}
    assert settings_of(session) == read(FIRST | {name: OTHER[name]})


@pytest.mark.parametrize("name", SETTINGS)
def test_program_under_way_changes_what_the_table_lets(running, name):
    client, path = Client(director_of(running)), f"sessions/{running.pk}/"
    if SETTINGS[name].under_way:
        assert client("PATCH", path, {name: OTHER[name]})[name] == OTHER[name]
    else:
        assert client.refused("PATCH", path, {name: OTHER[name]}, status=422) == "session_started"
    assert settings_of(running) == read(FIRST | ({name: OTHER[name]} if SETTINGS[name].under_way else {}))


@pytest.mark.parametrize("name", SETTINGS)
def test_calendars_fetch_the_evening_again_where_they_show_the_setting(session, name):
    (now, before), version = (timezone.now(), shown_in_calendars(session)), session.told_version
    for _time in range(2):
        edit_session(session_id=session.pk, now=now, **read({name: OTHER[name]}))
    session.refresh_from_db()
    assert session.told_version - version == SETTINGS[name].in_calendars == (shown_in_calendars(session) != before)


def test_stranger_reads_of_a_session_in_preparation_what_the_table_makes_public(session):
    seen = Client(None).get(f"sessions/{session.pk}/")
    assert [name for name in SETTINGS if seen[name] is not None] == list(settings_with("is_public")) == ["date"]


def test_page_sends_also_that_a_box_is_not_ticked(session):
    browser, url = browser_of(director_of(session)), session_url("session_edit", session)
    shown = browser.get(url)
    assert fields(shown)["barometer"] == "on"
    assert '<input type="hidden" name="barometer" value=""><input type="checkbox" name="barometer"' in shown.text
    ticked = "positions=9&barometer=&barometer=on"
    browser.post(url, ticked, content_type="application/x-www-form-urlencoded")
    assert settings_of(session) == read(FIRST | {"positions": 9})
    browser.post(url, "positions=9&barometer=", content_type="application/x-www-form-urlencoded")
    assert settings_of(session) == read(FIRST | {"positions": 9, "barometer": False})


def test_page_that_sends_a_wrong_field_says_so_beside_the_others(session):
    answer = browser_of(director_of(session)).post(session_url("session_edit", session), {"positions": "61"})
    assert answer.status_code == 200
    assert {name: answer.context["form"][name].errors for name in SETTINGS if answer.context["form"][name].errors} == {
        "positions": ["No more than 60: correct it."]
    }
    shown = fields(answer)
    assert (shown["positions"], shown["date"], shown["starts_at"], shown["barometer"]) == (
        "61",
        "2026-11-20",
        "19:45",
        "on",
    )
    assert settings_of(session) == read(FIRST)


# A new session


def usual_club():
    club = make_club()
    usual = {name: read(FIRST)[name] for name in settings_with("usual")}
    ClubSettings.objects.create(club=club, **usual)
    return club, usual


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["", "weekly/"])
def test_program_creates_with_all_settings(path):
    tournament = make_tournament()
    until = {"until": FIRST["date"]} if path else {}
    made = Client(make_director(tournament.club)).post(
        f"tournaments/{tournament.pk}/sessions/{path}", FIRST | until, status=201
    )
    made = made[0] if path else made
    assert {name: made[name] for name in SETTINGS} == FIRST
    assert settings_of(Session.objects.get()) == read(FIRST)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["", "weekly/"])
def test_what_a_program_leaves_out_is_as_usual_in_the_club(path):
    club, usual = usual_club()
    until = {"until": FIRST["date"]} if path else {}
    asked = {"date": FIRST["date"], "positions": 9} | until
    Client(make_director(club)).post(f"tournaments/{make_tournament(club).pk}/sessions/{path}", asked, status=201)
    defaults = {name: setting.default for name, setting in SETTINGS.items()}
    assert settings_of(Session.objects.get()) == defaults | usual | read({"date": FIRST["date"]}) | {"positions": 9}


@pytest.mark.django_db
def test_what_a_page_leaves_out_is_as_usual_in_the_club_but_never_the_date():
    club, usual = usual_club()
    tournament = make_tournament(club)
    browser, url = browser_of(make_director(club)), reverse("session_new", args=[club.slug, tournament.slug])
    assert fields(browser.get(url))["date"] == str(timezone.localdate())
    assert browser.post(url, {"positions": "9"}).status_code == 200
    assert not Session.objects.exists()
    assert browser.post(url, {"positions": "9", "date": "2026-11-20"}).status_code == 302
    made = settings_of(Session.objects.get())
    assert {name: made[name] for name in usual} == usual | {"positions": 9}


@pytest.mark.django_db
def test_program_creates_a_tournament_with_all_that_the_page_sets():
    club = make_club()
    director, path = Client(make_director(club)), f"clubs/{club.slug}/tournaments/"
    ClubSettings.objects.create(club=club, format="free_auction")
    season = Season.objects.create(club=club, name="2026", starts_on=dt.date(2026, 9, 1), ends_on=dt.date(2027, 8, 31))
    made = director.post(path, {"name": "Été", "season": season.pk, "federation": True}, status=201)
    assert (made["season"], made["auction"], Tournament.objects.get().federation) == (season.pk, "free", True)
    plain = director.post(path, {"name": "Hiver", "auction": "imposed"}, status=201)
    assert (plain["season"], plain["auction"]) == (None, "imposed")
    other = Season.objects.create(club=make_club("autre"), name="x", starts_on=season.starts_on, ends_on=season.ends_on)
    assert director.refused("POST", path, {"name": "x", "season": other.pk}, status=422) == "season_unknown"


# Bounds and columns


@pytest.mark.nightly("process")
@pytest.mark.parametrize("name", BOUNDED)
def test_bounds_hold_in_the_form_and_for_programs(session, name):
    setting, step = (
        SETTINGS[name],
        dt.timedelta(days=1) if name == "date" else Decimal("0.01") if name == "coefficient" else 1,
    )
    client, browser = Client(director_of(session)), browser_of(session.tournament.club.memberships.get().user)
    for wrong in (setting.least - step, setting.most + step):
        sent = wrong if isinstance(wrong, int) else str(wrong)
        assert (
            client("PATCH", f"sessions/{session.pk}/", {name: sent}, status=422 if name == "date" else 400)["error"][
                "field"
            ]
            == name
        )
        answer = browser.post(session_url("session_edit", session), {name: str(wrong)})
        assert list(answer.context["form"].errors) == [name]
        assert settings_of(session) == read(FIRST)
    for right in (setting.least, setting.most):
        assert browser.post(session_url("session_edit", session), {name: str(right)}).status_code == 302
        assert settings_of(session)[name] == right


@pytest.mark.parametrize("name", BOUNDED)
def test_database_holds_the_bounds(session, name):
    setting, step = SETTINGS[name], dt.timedelta(days=1) if name == "date" else 1
    for wrong in (setting.least - step, setting.most + step):
        with pytest.raises((IntegrityError, OverflowError)), transaction.atomic():
            Session.objects.filter(pk=session.pk).update(**{name: wrong})


def test_columns_have_the_defaults_of_the_table():
    defaults = {
        name: None if column_of(name).default is models.NOT_PROVIDED else column_of(name).default for name in SETTINGS
    }
    assert defaults == {name: setting.default for name, setting in SETTINGS.items()}


def test_usual_evening_of_a_club_has_the_same_columns_and_bounds():
    assert set(settings_with("usual")) <= set(SettingsForm.base_fields)
    for name in settings_with("usual"):
        column, setting = ClubSettings._meta.get_field(name), SETTINGS[name]
        assert (type(column), column.default) == (type(column_of(name)), setting.default)
        limits = {type(each).__name__: each.limit_value for each in column.validators if hasattr(each, "limit_value")}
        if setting.least is not None:
            assert (limits["MinValueValidator"], limits["MaxValueValidator"]) == (setting.least, setting.most)


# A new row of the table


@pytest.mark.nightly("process")
def test_planted_setting_is_in_each_form_and_changes(session, running, planted):
    for session_form in (SessionForm, NewSessionForm, UnderWayForm):
        field = session_form(session.tournament).fields[planted]
        assert (field.min_value, field.max_value, field.initial) == (1, 9, 1)
    browser = browser_of(director_of(session))
    assert f'name="{planted}"' in browser.get(session_url("session_edit", session)).text
    browser.post(session_url("session_edit", session), {planted: "4"})
    assert settings_of(session) == read(FIRST) | {planted: 4}


@pytest.mark.nightly("crawl")
def test_planted_setting_is_in_the_api_and_in_its_schema(running, planted):
    client, path = Client(director_of(running)), f"sessions/{running.pk}/"
    assert client("PATCH", path, {planted: 10}, status=400)["error"]["field"] == planted
    assert client("PATCH", path, {planted: 4})[planted] == 4
    schemas = SchemaGenerator().get_schema(request=None, public=True)["components"]["schemas"]
    with_it = {name for name, shape in schemas.items() if planted in shape.get("properties", {})}
    assert {"SessionIn", "PatchedSessionChanges", "SessionOut", "WeeklyIn"} <= {
        name.removesuffix("Request") for name in with_it
    }


def test_planted_setting_is_missing_in_the_guide(planted):
    assert rows_to_tell() - rows_told()


# docs/api.md


def say_values(name):
    column, setting = column_of(name), SETTINGS[name]
    if column.choices:
        return ", ".join(f"`{value}`" if value else "empty" for value, _label in column.flatchoices)
    if isinstance(column, models.BooleanField):
        return "`true`, `false`"
    return "`HH:MM`" if setting.least is None else f"{setting.least} to {setting.most}"


def say_default(setting):
    if setting.default is None:
        return "has to be given"
    told = setting.default.strftime("%H:%M") if isinstance(setting.default, dt.time) else str(setting.default).lower()
    return f"as usual in the club, at first `{told}`" if setting.usual else f"`{told}`" if told else "empty"


def rows_to_tell():
    """Return the rows that docs/api.md should have."""
    return {
        f"| `{name}` | {setting.means} | {say_values(name)} | {say_default(setting)} |"
        f" {'yes' if setting.under_way else ''} |".replace("  |", " |")
        for name, setting in SETTINGS.items()
    }


def rows_told():
    _before, table = GUIDE.read_text(encoding="utf-8").split("| setting | what it says |", 1)
    rows = re.findall(r"^\| `.*\|$", table.split("\n\n", 1)[0], re.MULTILINE)
    return set(rows)


def test_guide_has_a_row_for_each_setting():
    missing, left = sorted(rows_to_tell() - rows_told()), sorted(rows_told() - rows_to_tell())
    assert not missing, f"add to the table of settings in {GUIDE.name}, in place of {left}:\n" + "\n".join(missing)
    assert not left, f"take out of the table of settings in {GUIDE.name}:\n" + "\n".join(left)

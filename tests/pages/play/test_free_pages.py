"""Every page of an evening at which the tables deal answers, for each role, with three to five players a table."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import enter, make_director, make_helper
from tests.free_evenings import lay_out_tables
from tournaments.models import ResultEntry
from tournaments.rules.entry import Fiche

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]
PAGES = (
    "session", "session_plan", "hall", "sheets", "prints", "log", "tables", "standings", "progress", "changes",
    "penalties", "personal_links",
)  # fmt: skip


def test_each_page_answers():
    session = lay_out_tables([4, 3, 5], games=2, deals=2)
    by = make_director(session.tournament.club)
    plays = session.plays.filter(position=1).order_by("table__number", "etui__number")
    for play in plays:
        enter(play, Fiche("N", 50, partner="S" if play.table.number == 3 else None), by=by)
    director, helper = Client(), Client()
    director.force_login(by)
    helper.force_login(make_helper(session.tournament.club))
    place = (session.tournament.club.slug, session.tournament.slug, session.number)
    found = {}
    for name in PAGES:
        for role, client in (("director", director), ("helper", helper), ("stranger", Client())):
            client.raise_request_exception = False
            found[name, role] = client.get(reverse(name, args=place)).status_code
    for play in session.plays.all():
        found["play", play.pk] = director.get(reverse("play", args=[*place, play.pk])).status_code
        found["correct", play.pk] = director.get(reverse("play", args=[*place, play.pk]) + "?correct").status_code
    wrong = {key: status for key, status in found.items() if status >= 500}
    assert wrong == {}


def test_arbiter_enters_and_corrects_a_deal_of_five():
    session = lay_out_tables([5], games=1, deals=1)
    director = Client(headers={"accept-language": "en"})
    director.force_login(make_director(session.tournament.club))
    play = session.plays.get()
    place = (session.tournament.club.slug, session.tournament.slug, session.number, play.pk)
    typed = {"kind": "fiche", "taker": "F", "partner": "E", "sign": "+", "figure": "50"}
    page = director.post(reverse("play", args=place), typed)  # shows the summary first
    typed["shown"] = page.context["summary"].shown
    assert [(mark.line, mark.mark) for mark in page.context["summary"].marks] == [
        ("N", -50),
        ("E", 50),
        ("S", -50),
        ("W", -50),
        ("F", 100),
    ]
    assert director.post(reverse("play", args=place), typed).status_code == 302
    row = ResultEntry.objects.get(play=play)
    assert (row.taker, row.partner, row.players) == ("F", "E", 5)
    for wrong in ("", "F", "X"):
        page = director.post(reverse("play", args=place) + "?correct", typed | {"partner": wrong})
        assert page.context["form"].errors.keys() == {"partner"}, wrong

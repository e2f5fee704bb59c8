"""The changes between two versions of an evening of donnes libres, and of its tournament: deals and marks, no étui."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import correct_result
from evenings.plays.penalties import Sanction, give_penalty
from pages.doors import session_url
from rankings.publication.publishing import SESSIONS
from tests.factories import publish
from tests.free_evenings import plays_at
from tests.free_tournaments import play_two_evenings, publish_again
from tests.pages.browsing import browser_of
from tournaments.rules.entry import Fiche, GameSheet

pytestmark = pytest.mark.django_db
CORRECTED = {"N": -60, "E": 20, "S": 20, "W": 20}


@pytest.fixture
def corrected():
    """Return a tournament whose first evening has a second version: a deal, a sheet, marks and a penalty changed."""
    tournament, by, _sums = play_two_evenings()
    session, now = tournament.sessions.get(number=1), timezone.now()
    told = {"reason": "Erreur", "by": by, "now": now}
    sheet, deal, ruled = plays_at(session)[0], plays_at(session, game=2, table=1)[1], plays_at(session, table=2)[0]
    correct_result(play_id=sheet.pk, entry=GameSheet((*CORRECTED.items(),)), seen_version=1, **told)
    correct_result(play_id=deal.pk, entry=Fiche("E", 77), seen_version=1, **told)
    adjust_play(play_id=ruled.pk, marks={"N": 0, "E": 0, "S": 0}, **told)
    give_penalty(session_id=session.pk, entrant_id=sheet.north_id, sanction=Sanction(points=30), **told)
    publish(session, by=by)
    publish_again(tournament, by)
    return tournament, session


def text_of(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page.content.decode().split("<main", 1)[1]))


def test_changes_name_games_deals_and_marks(corrected):
    tournament, session = corrected
    for address in (
        session_url("ranking", session),
        reverse("versions", args=[tournament.club.slug, tournament.slug, session.number]),
    ):
        text = text_of(browser_of().get(address))
        for said in (
            "Game 1, deal 1, table 1: the marks are corrected",
            "Game 1, deal 1, table 2: the marks are corrected",
            "Game 2, deal 2, table 1: +30 became +77",
            "penalties and bonuses total −30 marks (before: 0)",
        ):
            assert said in text, (address, said)
        assert re.search(r"The marks of \d+ players change", text)
        assert not re.search(r"%|[ée]tui|percentage", text)


def test_changes_of_the_tournament_are_in_marks(corrected):
    tournament, _session = corrected
    text = text_of(browser_of().get(reverse("tournament_versions", args=[tournament.club.slug, tournament.slug])))
    assert re.search(r"The marks of \d+ players change", text)
    assert not re.search(r"%|[ée]tui|percentage", text)


def test_a_sheet_that_comes_is_one_change(corrected):
    _tournament, session = corrected
    data = session.publications.get(version=2).data
    before = {**data, "etuis": [{**etui, "plays": [strip(play) for play in etui["plays"]]} for etui in data["etuis"]]}
    assert SESSIONS.compared.changes(before, data) == [{"code": "deal_marks_came", "table": 1, "game": 1, "deal": 1}]


def strip(play):
    """Return a play of the first table's first game as it was before its sheet."""
    if (play["position"], play["table"]) != (1, 1):
        return play
    rest = {key: value for key, value in play.items() if key not in ("marks", "covers", "on_sheet")}
    return rest | {"state": "missing", "notes": None}

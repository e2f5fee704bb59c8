"""The pages and files of a published evening of donnes libres have marks, no percentage and no page of an étui."""

import csv
import io
import json
import re

import pytest
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.penalties import Sanction, give_penalty
from pages.doors import session_url
from tests.factories import enter, make_director, publish
from tests.free_evenings import lay_out_games, plays_at
from tests.pages.browsing import browser_of
from tournaments.models import Session
from tournaments.published import Shows
from tournaments.rules.entry import Fiche, GameSheet

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]
GAMES = [[[0, 1, 2, 3], [4, 5, 6], [7, 8, 9, 10, 11]], [[0, 4, 7, 11], [1, 5, 8], [2, 3, 6, 9, 10]]]


def play_evening(club=None):
    """Return an evening with a sheet, a mort, a deal that the arbiter decided, a penalty and weights of odd tables."""
    session = lay_out_games(GAMES, rests={(2, 3, 1): "W", (2, 3, 2): "F"})
    Session.objects.filter(pk=session.pk).update(three_weight="1.22", five_weight="1.37")
    by, now = make_director(session.tournament.club), timezone.now()
    for play in session.plays.select_related("etui", "table").order_by("etui__number", "table__number"):
        if (play.position, play.table.number) == (1, 1):
            continue
        partner = "E" if play.fifth_id and not play.resting else None
        enter(play, Fiche("N", 10 * play.etui.number - 15 * play.table.number, partner=partner), by=by)
    sheet = GameSheet((("N", 120), ("E", -40), ("S", -40), ("W", -40)))
    enter(plays_at(session)[0], sheet, by=by)
    told = {"reason": "Maldonne", "by": by, "now": now}
    adjust_play(play_id=plays_at(session, table=2)[0].pk, marks={"N": 40, "E": 0, "S": -40}, **told)
    give_penalty(
        session_id=session.pk, entrant_id=session.entrants.get(number=1).pk, sanction=Sanction(points=50), **told
    )
    return session, by


@pytest.fixture
def evening():
    session, by = play_evening()
    publish(session, by=by)
    return Session.objects.select_related("tournament__club").get(pk=session.pk), by


def text_of(page):
    """Return the text of a page's main part."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page.content.decode().split("<main", 1)[1]))


def read_pages(browser, session, *, live=False):
    """Return the text of the ranking and of all feuilles, by address."""
    ranking = session_url("standings", session) if live else session_url("ranking", session)
    name, version = ("live_feuille", ()) if live else ("feuille", (1,))
    feuilles = [session_url(name, session, *version, entrant.pk) for entrant in session.entrants.all()]
    found = {}
    for address in [ranking, *feuilles]:
        page = browser.get(address)
        assert page.status_code == 200, address
        found[address] = text_of(page)
        assert "etui" not in re.sub(r"etui(s)?[^/\"]*\.(css|js)", "", page.content.decode().split("<main", 1)[1]), (
            address
        )
    return found


@pytest.mark.parametrize("live", [False, True])
def test_pages_tell_marks_and_no_percentage(evening, live):
    session, by = evening
    pages = read_pages(browser_of(by if live else None), session, live=live)
    assert len(pages) == 13
    assert {address for address, text in pages.items() if "%" in text or re.search(r"étuis?\b|topage\b", text)} == set()


def test_ranking_says_the_weights(evening):
    text = text_of(browser_of().get(session_url("ranking", evening[0])))
    assert "Marks at tables of three count × 1.22. Marks at tables of five count × 1.37." in text
    assert "Equal sums share a rank." in text


def test_feuille_tells_the_parts_of_a_deal(evening):
    session, _by = evening
    one = session.entrants.get(number=1)
    text = text_of(browser_of().get(session_url("feuille", session, 1, one.pk)))
    assert "2 deals on the game’s sheet" in text
    assert "Penalty, already deducted −50" in text
    west = session.entrants.get(pk=session.plays.get(table__number=3, position=2, resting="W").west_id)
    text = text_of(browser_of().get(session_url("feuille", session, 1, west.pk)))
    assert "rests" in text
    partner = session.plays.filter(table__number=3, position=1).first().east
    text = text_of(browser_of().get(session_url("feuille", session, 1, partner.pk)))
    assert f"with {session.entrants.get(number=8).player.name}" in text


def test_etuis_have_no_page(evening):
    session, _by = evening
    assert not Shows.of(session).etui_pages
    assert not Shows.of(session).cards
    for address in (session_url("published_etuis", session, 1), session_url("published_etui", session, 1, 1)):
        assert browser_of().get(address).status_code == 404


def ask(session, **asked):
    answer = browser_of().get(session_url("published_file", session, 1), asked)
    assert answer.status_code == 200, asked
    return answer


def read_rows(answer):
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))


@pytest.mark.parametrize("kind", ["csv", "xlsx", "json"])
@pytest.mark.parametrize("table", ["ranking", "plays", "feuilles"])
def test_files_of_every_table(evening, table, kind):
    answer = ask(evening[0], table=table, kind=kind)
    if kind == "json":
        assert json.loads(answer.content)


def test_table_of_plays_has_the_fifth_seat(evening):
    session, _by = evening
    play = session.plays.get(table__number=3, position=1, etui__number=1)
    rows = read_rows(ask(session, table="plays", kind="csv"))
    (row,) = (row for row in rows if (row["Deal"], row["Table"]) == ("1", "3"))
    names = {str(entrant.player.name) for entrant in session.entrants.filter(pk__in=play.seat_ids.values())}
    assert len(names & {*row.values()}) == 5
    marks = [value for head, value in row.items() if head.startswith("Marks of")]
    assert sorted(marks) == ["-47,95", "-95,90", "47,95", "47,95", "47,95"]


def test_papers_are_set(evening):
    session, by = evening
    for name in ("ranking_pdf", "feuilles_pdf"):
        answer = browser_of(by).get(session_url(name, session, 1))
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf"), name


def test_embedded_ranking_has_marks(evening):
    page = browser_of().get(session_url("ranking_embedded", evening[0]))
    assert "Marques" in page.content.decode()
    assert "Global" not in page.content.decode()


def test_preview_of_a_ruling_shows_marks(evening):
    session, by = evening
    entrant = session.entrants.get(number=1)
    told = {"entrant": entrant.pk, "kind": "penalty", "points": "30", "reason": "Retard"}
    text = text_of(browser_of(by).post(session_url("penalties", session), told))
    assert entrant.name in text
    assert "Marks" in text
    assert ("Global" in text, "Alterné" in text) == (False, False)


def test_deals_on_a_sheet_are_not_told_as_not_played(db):
    session, by = play_evening()
    text = text_of(browser_of(by).get(session_url("publish", session)))
    assert "Every result is in." in text
    assert "not played" not in text

"""The public pages of a player's feuille and of an étui: every play with score, mark and notes, and the cards."""

import re
from fractions import Fraction

import pytest
from django.test import Client
from django.utils import translation

from pages.parts.etui import parts_of
from rankings.publication.report import read_report
from tests import shared_evenings
from tests.factories import enter_all, make_director, make_tournament, publish, published_session, started_session
from tests.pages.public.test_pages import address
from tests.pages.reading import read, words
from tournaments.words.figures import percent
from tournaments.words.messages import label, show_signed

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader():
    """Return a browser of a stranger in English.

    Messages differ by language; figures are tested in both.
    """
    return Client(headers={"accept-language": "en"})


session = shared_evenings.published_with_cards


@pytest.fixture
def report(session):
    return read_report(session.publications.get().data)


def test_feuille_gives_every_etui_with_score_mark_and_note(reader, session, report):
    player = report.players[3]
    response = reader.get(address("feuille", session, version=1, entrant=player.id))
    rows = [row for row in read(response).rows if len(row) == 5][1:]
    with translation.override("en"):
        assert rows == [
            [
                str(line.etui.number),
                "Attack" if line.play.taker_player is player else against(line.play),
                show_signed(line.play.base_score),
                show_signed(line.mark),
                percent(line.note),
            ]
            for line in report.feuille(player.id)
        ]
    assert len(rows) == 5


def against(play):
    """Return the taker by name, and by line for where there is no room."""
    return f"against {play.taker_player.name} against {label('line', play.taker)}"


def test_feuille_leads_to_its_neighbours_in_the_ranking(reader, session, report):
    ids = [player.id for player in report.players]
    links = read(reader.get(address("feuille", session, version=1, entrant=ids[1]))).links
    assert [link for link in links if "/players/" in link][-2:] == [
        address("feuille", session, version=1, entrant=ids[0]),
        address("feuille", session, version=1, entrant=ids[2]),
    ]


@pytest.mark.parametrize(("name", "more"), [("feuille", {"entrant": 0}), ("published_etui", {"etui": 999})])
def test_page_of_what_is_not_in_the_publication_is_not_found(reader, session, name, more):
    assert reader.get(address(name, session, version=1, **more)).status_code == 404


def test_etui_lists_its_plays_from_best_to_worst_with_both_notes(reader, session, report):
    etui = report.data.etuis[2]
    page = read(reader.get(address("published_etui", session, version=1, etui=etui.number)))
    rows = [row for row in page.rows if len(row) == 5][1:]
    plays = report.topage(etui)
    with translation.override("en"):
        assert [(row[0], row[-2], row[-1]) for row in rows] == [
            (
                show_signed(play.base_score),
                percent(play.notes[play.taker]),
                percent(100 - play.notes[play.taker]),
            )
            for play in plays
        ]
    assert [Fraction(row[-2].rstrip("%")) for row in rows] == sorted(
        (Fraction(row[-2].rstrip("%")) for row in rows), reverse=True
    )


def test_etui_draws_all_78_cards_once(reader, session):
    page = reader.get(address("published_etui", session, version=1, etui=1)).content.decode()
    names = re.findall(r'<svg class="card [^>]*aria-label="([^"]+)"', page)
    assert (len(names), len(set(names))) == (78, 78)


def test_etui_begins_with_its_cards_and_ends_with_what_is_said_of_its_version(reader, session):
    page = reader.get(address("published_etui", session, version=1, etui=1)).content.decode()
    places = [page.index(told) for told in ('class="hand"', "<h2>The scores", "Every play", "Published on")]
    assert places == sorted(places)


def test_etui_without_published_cards_draws_none(reader):
    session = started_session(cards=True)
    director = make_director(session.tournament.club)
    enter_all(session, by=director, plays=list(session.plays.select_related("etui"))[1:])
    publish(session, by=director, allow_missing=True)
    page = reader.get(address("published_etui", session, version=1, etui=1)).content.decode()
    assert 'class="card ' not in page


def test_etuis_lists_every_etui(reader, session, report):
    rows = read(reader.get(address("published_etuis", session, version=1))).rows[1:]
    assert [row[0] for row in rows] == [str(etui.number) for etui in report.data.etuis]


def test_etui_of_a_free_auction_is_laid_out_seat_by_seat(reader):
    session = published_session(make_tournament(auction="free"))
    etui = session.plays.select_related("etui").first().etui.number
    page = reader.get(address("published_etui", session, version=1, etui=etui))
    text = page.content.decode()
    assert text.count('<table class="table etui-plays') == 4
    seats = [line for line, _ in page.context["by_seat"]]
    assert seats == list("NESW")
    for _line, found in page.context["by_seat"]:
        marks = [row.seat.mark for row in found]
        assert marks == sorted(marks, reverse=True)
        assert len(marks) == 5
    etui_pages = words(reader.get(address("published_etuis", session, version=1)))
    assert "brought its taker" not in etui_pages
    assert "On each étui the four seats are compared, each by its own marks." in etui_pages


def test_long_list_of_plays_has_parts_from_the_first_to_the_last():
    assert parts_of(30, 30) == []
    assert [(part.name, part.first, part.last) for part in parts_of(61, 30)] == [
        ("1", 1, 30),
        ("2", 31, 60),
        ("3", 61, 61),
    ]

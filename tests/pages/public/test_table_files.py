"""The files beside the public pages: they show what the pages show, to the same readers."""

import csv
import io
import json
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from python_calamine import CalamineWorkbook

from clubs.models import Player, ShownWord
from clubs.shown import choose_shown
from pages.doors import session_url
from rankings.events.publishing import TOURNAMENTS
from rankings.publication.publishing import SESSIONS, switch_parts
from tests import shared_evenings
from tests.factories import make_director, make_tournament, published_session
from tests.pages.browsing import browser_of
from tests.pages.reading import read
from tests.rankings.events.several import published_sessions
from tournaments.published import Shows
from tournaments.versions import DirectorWord
from wording.figures import round_half

pytestmark = pytest.mark.django_db
TITLES = ["Ranking", "Étuis", "Plays", "Feuilles de route"]


@pytest.fixture
def reader():
    return Client(headers={"accept-language": "en"})


session = shared_evenings.published


def ask(reader, session, **asked):
    return reader.get(session_url("published_file", session, 1), asked)


def read_csv(answer):
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))


def read_sheets(answer):
    book = CalamineWorkbook.from_filelike(io.BytesIO(answer.content))
    return {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}


def show(session, director, **shows):
    word = DirectorWord(director, timezone.now())
    switch_parts(session_id=session.pk, shows=Shows(**shows), word=word)


def texts_of(reader, session):
    """Return the text of each file that the reader gets, by table and kind."""
    found = {}
    for table in ("everything", "ranking", "etuis", "plays", "feuilles"):
        for kind in ("csv", "xlsx", "json"):
            answer = ask(reader, session, table=table, kind=kind)
            if answer.status_code == 200:
                found[table, kind] = repr(read_sheets(answer)) if kind == "xlsx" else answer.content.decode()
    return found


def test_ranking_in_the_file_is_that_of_the_page(session, reader):
    page = read(reader.get(session_url("ranking_version", session, 1)))
    shown = [(row[0].split()[0], row[2].split()[0]) for row in page.rows[1:] if len(row) > 5]
    rows = read_csv(ask(reader, session, table="ranking", kind="csv"))
    assert [(row["Alterné"], row["Player"].split()[0]) for row in rows] == shown
    assert len(rows) == 20
    assert all("," in row["Global (%)"] for row in rows)


def test_workbook_has_a_sheet_for_each_part(session, reader):
    answer = ask(reader, session)
    assert answer["Content-Disposition"].endswith('-1-v1.xlsx"')
    sheets = read_sheets(answer)
    assert list(sheets) == TITLES
    assert {name: len(rows) for name, rows in sheets.items()} == dict(zip(TITLES, (21, 6, 26, 101), strict=True))


@pytest.mark.nightly("story")
def test_csv_xlsx_and_json_have_the_same_rows(session, reader):
    for table, title in zip(("ranking", "etuis", "plays", "feuilles"), TITLES, strict=True):
        told = json.loads(ask(reader, session, table=table, kind="json").content)[table]
        sheet = read_sheets(ask(reader, session, table=table, kind="xlsx"))[title]
        rows = read_csv(ask(reader, session, table=table, kind="csv"))
        assert len(rows) == len(told) == len(sheet) - 1
        for row, values, cells in zip(rows, told, sheet[1:], strict=True):
            assert list(map(plain, row.values())) == list(map(plain, cells))
            assert list(map(plain, values.values())) == list(map(plain, cells))


def plain(cell):
    """Return a cell as text or as an exact number with two decimals, whatever the file's format."""
    if isinstance(cell, float | int):
        return Fraction(round(cell * 100), 100)
    try:
        return Fraction(round_half(Fraction((cell or "").replace(",", ".")), 2), 100)
    except ValueError:
        return cell or ""


def test_headings_are_in_the_readers_language(session):
    french = Client(headers={"accept-language": "fr"})
    assert next(iter(read_sheets(ask(french, session)))) == "Classement"


@pytest.mark.nightly("crawl")
def test_hidden_player_is_in_no_file(session, reader, director):
    player = session.entrants.first().player
    Player.objects.filter(pk=player.pk).update(first_name="Yvonnick", last_name="Quarantesous", licence="KX-77141")
    choose_shown(player=player, shown="hidden", way=ShownWord.WordWay.DIRECTOR, by=director, now=timezone.now())
    found = texts_of(reader, session)
    assert len(found) == 14
    assert [asked for asked, text in found.items() if "Quarantesous" in text or "KX-77141" in text] == []
    choose_shown(player=player, shown="name", way=ShownWord.WordWay.DIRECTOR, by=director, now=timezone.now())
    assert (
        len([text for text in texts_of(reader, session).values() if "Quarantesous" in text]) == 11
    )  # étuis name nobody


@pytest.mark.nightly("story")
def test_part_that_is_switched_off_is_in_no_file(session, reader, director):
    show(session, director, ranking=False)
    found = texts_of(reader, session)
    assert {table for table, _ in found} == {"everything", "etuis", "plays", "feuilles"}
    assert [asked for asked, text in found.items() if "Alterné" in text or "rank_" in text or "alterné" in text] == []
    show(session, director, etuis=False, cards=False)
    assert {table for table, _ in texts_of(reader, session)} == {"everything", "ranking", "feuilles"}
    show(session, director, feuilles=False)
    assert {table for table, _ in texts_of(reader, session)} == {"everything", "ranking", "etuis", "plays"}
    show(session, director, ranking=False, etuis=False, cards=False, feuilles=False)
    assert texts_of(reader, session) == {}


def test_cards_are_in_the_file_while_they_are_shown(reader):
    session = published_session(cards=True)
    director = session.tournament.club.memberships.get(role="director").user
    hands = session.deal_set.etuis.get(number=1).cards
    assert hands in ask(reader, session, table="etuis", kind="csv").content.decode()
    show(session, director, cards=False)
    assert hands.split()[0] not in ask(reader, session, table="etuis", kind="csv").content.decode()


@pytest.mark.nightly("story")
def test_withdrawn_ranking_has_no_files(session, reader, director):
    ask(reader, session)
    SESSIONS.withdraw(session.pk, word=DirectorWord(director, timezone.now(), "relu"))
    assert texts_of(reader, session) == {}
    assert reader.get(session_url("feuilles_pdf", session, 1)).status_code == 404


@pytest.mark.parametrize("asked", [{"kind": "csv"}, {"table": "everything", "kind": "csv"}])
def test_one_csv_file_has_one_table(session, reader, asked):
    assert ask(reader, session, **asked).status_code == 404


@pytest.mark.parametrize("asked", [{"kind": "exe"}, {"table": "members"}, {"table": "../../x", "kind": "json"}])
def test_anything_unknown_gives_the_whole_workbook(session, reader, asked):
    answer = ask(reader, session, **asked)
    assert (answer.status_code, "everything" in str(asked)) == (200, False)


@pytest.mark.parametrize("asked", [{"kind": "exe"}, {"table": "members"}, {"table": "../../x", "kind": "json"}])
def test_somebody_who_is_logged_in_gets_the_same_file_as_others(session, reader, director, asked):
    mine = ask(browser_of(director), session, **asked)
    assert (mine.status_code, mine["Content-Type"]) == (200, ask(reader, session, **asked)["Content-Type"])


def test_a_file_is_built_once_for_all_readers(session, reader, monkeypatch):
    first = ask(reader, session, table="plays", kind="csv")
    monkeypatch.setattr("pages.public.pages.make_shown_table", None)
    assert ask(Client(headers={"accept-language": "en"}), session, table="plays", kind="csv").content == first.content


def test_pages_lead_to_the_files_of_the_parts_that_are_shown(session, reader, director):
    where = session_url("published_file", session, 1)
    page = reader.get(session_url("ranking_version", session, 1)).content.decode()
    assert all(f"{where}?table={table}&amp;kind=csv" in page for table in ("ranking", "etuis", "plays", "feuilles"))
    assert session_url("feuilles_pdf", session, 1) in page
    show(session, director, feuilles=False)
    page = reader.get(session_url("ranking_version", session, 1)).content.decode()
    assert "table=feuilles" not in page
    assert session_url("feuilles_pdf", session, 1) not in page
    assert f"{where}?table=plays" in page
    assert f"{where}?table=plays" in reader.get(session_url("published_etuis", session, 1)).content.decode()


def test_tournament_ranking_as_a_file(reader):
    tournament = make_tournament()
    director = make_director(tournament.club)
    published_sessions(tournament, by=director)
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director, timezone.now()))
    where = reverse("tournament_file", args=[tournament.club.slug, tournament.slug, 1])
    rows = read_csv(reader.get(where, {"kind": "csv"}))
    shown = read(reader.get(reverse("tournament_version", args=[tournament.club.slug, tournament.slug, 1])))
    names = [row["Player"] for row in rows]
    assert [row[2].split()[0] for row in shown.rows if row[0][:1].isdigit()] == [name.split()[0] for name in names]
    assert list(read_sheets(reader.get(where))) == ["Tournament ranking"]
    player = tournament.club.players.get(last_name=names[0].split()[-1])
    choose_shown(player=player, shown="hidden", way=ShownWord.WordWay.DIRECTOR, by=director, now=timezone.now())
    assert player.last_name not in reader.get(where, {"kind": "csv"}).content.decode()

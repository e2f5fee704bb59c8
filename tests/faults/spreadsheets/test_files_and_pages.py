"""Every file for a spreadsheet, opened in LibreOffice with French settings: each cell shows what the page shows.

Names, licences and reasons look like formulas, dates and numbers. None of them may become one.
"""

import re
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format

from clubs.models import User
from evenings.plays.entering import annul_play
from evenings.plays.penalties import Sanction, give_penalty
from evenings.plays.ruling import annul_etui
from pages.doors import session_url
from registration.people.registration import NewApplicant, set_registration, walk_in
from tests.factories import draft_session, published_session
from tests.faults.spreadsheets.libreoffice import OpenedCell, open_files
from tests.pages.browsing import fields
from tests.pages.reading import read, words
from tournaments.models import Session
from wording.table import read_inert

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("process")]
KINDS = ("csv", "xlsx")
NAMES = [  # first name, family name, licence, club of origin
    ("=1+1", "1/2", "007", "+33 Club"),
    ("@SUM(A1)", "12 mars", "2024-05-01", "-5"),
    ("Éloïse-Marie", "de La Tour d’Auvergne-Lauraguais", "123456", "Étuis; et « guillemets »"),
    ('=HYPERLINK("http://example.org")', "3,5", "1e5", "=cmd|' /C calc'!A0"),
]
TEXTS = {"Joueur", "Nom", "Prénom", "Licence", "Club d’origine", "Motif", "Auteur", "Contact", "Cartes", "Pays", "Club"}
TEXTS |= {"Nord", "Est", "Sud", "Ouest", "Article", "Série", "Catégorie", "Au sujet de", "Décision", "État", "Contrat"}
MOMENTS = {"Quand", "Inscription le", "Présence depuis", "Retirée le", "Licence jusqu’au"}


class Opened(NamedTuple):
    """The evening whose files were opened: its sessions, its director, and the rows of each file by table and kind."""

    session: int
    draft: int
    director: int
    files: dict[tuple[str, str], list[list[OpenedCell]]]
    book: dict[str, list[list[OpenedCell]]]


@pytest.fixture(scope="module")
def opened(rows_of_the_file, tmp_path_factory):
    session, draft, director = play_evening()
    client = reader(director)
    folder = tmp_path_factory.mktemp("files")
    paths = []
    for kind in KINDS:
        for code, answer in ask_for_files(client, session, draft, kind).items():
            assert answer.status_code == 200, code
            paths.append(folder / f"{code}.{kind}")
            paths[-1].write_bytes(answer.content)
    book = folder / "book.xlsx"
    book.write_bytes(client.get(session_url("published_file", session, 1), {"kind": "xlsx"}).content)
    found = open_files([*paths, book], folder)
    files = {(path.stem, path.suffix[1:]): next(iter(found[path.name].values())) for path in paths}
    return Opened(session.pk, draft.pk, director.pk, files, found[book.name])


def play_evening():
    """Return a published session with rulings and a draft with people who signed up, and their director."""
    session = published_session(cards=True)
    director = session.tournament.club.memberships.get(role="director").user
    players = [entrant.player for entrant in session.entrants.select_related("player")[: len(NAMES)]]
    for player, (first, last, licence, origin) in zip(players, NAMES, strict=True):
        player.first_name, player.last_name, player.licence, player.origin = first, last, licence, origin
        player.series, player.country, player.licence_until = "2", "Belgique", date(2026, 8, 31)
        player.save()
    told = {"by": director, "now": timezone.now()}
    entrant, play = session.entrants.first(), session.plays.first()
    sanction = Sanction(points=Decimal("2.5"), article="1-2")
    give_penalty(session_id=session.pk, entrant_id=entrant.pk, sanction=sanction, reason="=retard", **told)
    annul_play(play_id=play.pk, reason="1/2", **told)
    annul_etui(session_id=session.pk, etui=3, reason="@vu", article="", seen_ruling=0, **told)
    draft = draft_session(session.tournament)
    set_registration(accepts_at_once=True, session_id=draft.pk, places=2, **told)
    for first, last, licence, contact in (
        ("=1+1", "Un", "007", "06 12 34 56 78"),
        ("Zoé", "1/3", "KX2", "@zoe"),
        ("Ada", "Trois", "12", "+33 6 12"),
    ):
        walk_in(session_id=draft.pk, asked=NewApplicant(last, first, licence, contact), player=None, **told)
    return session, draft, director


def reader(director):
    client = Client(headers={"accept-language": "fr"})
    client.force_login(director)
    return client


def ask_for_files(client, session, draft, kind):
    """Return the answer for each file of this kind, by its table."""
    asked = {"kind": kind}
    found = {
        code: client.get(session_url("published_file", session, 1), asked | {"table": code})
        for code in ("ranking", "etuis", "plays", "feuilles")
    }
    found["standings"] = client.get(session_url("standings_file", session), asked)
    found["rulings"] = client.get(session_url("rulings_file", session), asked)
    found["registrations"] = client.get(session_url("registrations_file", draft), asked)
    found["members"] = client.get(reverse("members_file", args=[session.tournament.club.slug]), asked)
    found["homologation"] = client.post(session_url("homologation", session), asked)
    return found


@pytest.fixture
def session(opened):
    return Session.objects.select_related("tournament__club").get(pk=opened.session)


@pytest.fixture
def browser(opened):
    return reader(User.objects.get(pk=opened.director))


@pytest.fixture(params=KINDS)
def shown(request, opened):
    """Return a function that gives the rows of a table, each as texts by heading."""

    def rows_of(code):
        heads, *rows = opened.files[code, request.param]
        return [
            {head.text: read_text(cell, request.param) for head, cell in zip(heads, row, strict=True)} for row in rows
        ]

    return rows_of


def read_text(cell, kind):
    """Return what a person reads in the cell, without the apostrophe of a CSV file."""
    if not cell.moment:
        return plain(read_inert(cell.text) if kind == "csv" else cell.text)
    moment = datetime.fromisoformat(cell.moment[:19])
    text = f"{moment:%d/%m/%Y %H:%M}" if "T" in cell.moment and moment.time() != time() else f"{moment:%d/%m/%Y}"
    assert cell.text in (text, text.replace("/20", "/", 1))
    return text


def plain(text):
    """Return the text with one kind of space and of minus sign."""
    return " ".join(text.replace("−", "-").split())


def number(text):
    """Return the number in a cell of a page or a file, such as "+86" or "69,5 %", or None."""
    found = re.fullmatch(r"\+?(-?\d+(?:,\d+)?)(?: %)?", plain(text))
    return Fraction(found[1].replace(",", ".")) if found else None


def assert_same(row, **told):
    """Check the cells of a row against the texts of the page. Pages show figures with fewer decimals."""
    told = {name.replace("_", " ").replace("pct", "(%)"): text for name, text in told.items()}
    for head, text in told.items():
        on_page, in_file = number(text), number(row[head])
        if on_page is None:
            assert row[head] == plain(text), head
        else:
            off = Fraction(51, 1000) if "," in text else 0
            assert in_file is not None, (head, row[head])
            assert abs(in_file - on_page) <= off, (head, row[head], text)


@pytest.mark.parametrize("kind", KINDS)
def test_no_cell_is_a_formula_and_none_is_a_date_by_mistake(opened, kind):
    seen = set()
    for (code, ending), rows in opened.files.items():
        if ending != kind:
            continue
        heads = [cell.text for cell in rows[0]]
        for row in rows[1:]:
            for head, cell in zip(heads, row, strict=True):
                assert not cell.formula, (code, head, cell)
                assert cell.kind == "" or (cell.kind == "date") == (head in MOMENTS), (code, head, cell)
                if head in TEXTS and cell.kind == "float":  # as a licence that is a plain whole number
                    assert cell.text.isdigit(), (code, head, cell)
                if head.endswith("(%)") and cell.kind:
                    assert cell.kind == "float", (code, head, cell)
                    assert "." not in cell.text, (code, head, cell)
                seen.add(head)
    assert seen >= {"Joueur", "Licence", "Motif", "Global (%)", "Quand", "Contact"}
    for texts in NAMES:
        for text in texts:
            told = {read_inert(cell.text) for (_, ending), rows in opened.files.items() for row in rows for cell in row
                    if ending == kind}  # fmt: skip
            assert text in told or any(text in each for each in told), text


def test_headings_and_sheets_are_in_french(opened):
    assert list(opened.book) == ["Classement", "Étuis", "Donnes jouées", "Feuilles de route"]
    for code, sheet in zip(("ranking", "etuis", "plays", "feuilles"), opened.book.values(), strict=True):
        assert sheet == opened.files[code, "xlsx"]


@pytest.mark.parametrize("code", ["ranking", "standings"])
def test_ranking_is_that_of_the_page(shown, browser, session, code):
    address = session_url("ranking_version", session, 1) if code == "ranking" else session_url("standings", session)
    page = [row for row in read(browser.get(address, {"by": "alterne"})).rows if len(row) == 8][1:]
    rows = shown(code)
    assert len(rows) == len(page) == 20
    for row, (rank, place, player, general, deals, attack, defence, overall) in zip(rows, page, strict=True):
        line, seat = place.split()
        assert_same(row, Alterné=rank.split()[0], Ligne=line, Numéro=seat, Général=general, Donnes=deals)
        assert_same(row, Attaque_pct=attack, Défense_pct=defence, Global_pct=overall)
        assert plain(player).startswith(f"{row['Joueur']} att. ")


def test_etuis_are_those_of_the_page_and_have_the_cards(shown, browser, session):
    heads, *page = read(browser.get(session_url("published_etuis", session, 1))).rows
    rows = shown("etuis")
    assert len(rows) == len(page) == 5
    cards = dict(session.deal_set.etuis.values_list("number", "cards"))
    for row, cells in zip(rows, page, strict=True):
        assert_same(row, **{head.replace(" ", "_"): cell for head, cell in zip(heads, cells, strict=True)})
        assert row["Cartes"] == cards[int(row["Étui"])]


def test_plays_are_those_of_the_pages_of_the_etuis(shown, browser, session):
    rows = shown("plays")
    assert len(rows) == 25
    for etui in range(1, 6):
        found = [row for row in rows if row["Étui"] == str(etui)]
        page = read(browser.get(session_url("published_etui", session, 1, etui))).rows
        page = [row for row in page if len(row) == 5 and row[0] != "Score"]
        assert len(found) == len(page) == 5
        for row, (score, table, _bar, taker, defence) in zip(found, page, strict=True):
            assert_same(row, Score=score)
            for line, name in zip("NESO", ("Nord", "Est", "Sud", "Ouest"), strict=True):
                assert f"{line} {row[name]}" in plain(table)
                assert_same(row, **{f"Note_de_{line}": taker if row["Preneur"] == line else defence})
            told = plain(table)
            assert told.endswith(f"position {row['Position']}, table {row['Table']}")
            if row["Contrat"]:
                assert f"{row['Contrat']}, {row['Bouts']} bouts, {number(row['Points'])} points" in told


def test_feuilles_are_those_of_the_pages(shown, browser, session):
    rows = shown("feuilles")
    assert len(rows) == 100
    for entrant in session.entrants.select_related("player"):
        found = [row for row in rows if row["Joueur"] == plain(entrant.name)]
        answer = browser.get(session_url("feuille", session, 1, entrant.pk))
        page = [row for row in read(answer).rows if len(row) in (1, 5)][1:]
        assert [len(row) for row in page] == [1, 5] * 5
        assert f"Rang alterné {found[0]['Rang alterné']}" in words(answer)
        for row, (place,), (etui, role, score, mark, note) in zip(found, page[::2], page[1::2], strict=True):
            assert place.startswith(f"Position {row['Position']}, table {row['Table']}")
            assert_same(row, Étui=etui, Score=score, Marque=mark)
            assert abs(number(row["Note (%)"]) - number(note)) <= Fraction(51, 1000)
            assert row["Rôle"] == ("Attaque" if role == "Attaque" else "Défense")


def said_at(text):
    """Return the moment of a cell as pages write it."""
    moment = datetime.strptime(text, "%d/%m/%Y %H:%M")  # noqa: DTZ007 - a cell has no time zone
    with translation.override("fr"):
        return date_format(moment, "j F Y à H:i")


def test_rulings_are_those_of_the_pages(shown, browser, session):
    of_play, of_etui, penalty = shown("rulings")
    play = session.plays.first()
    pages = {
        "donne": words(browser.get(session_url("play", session, play.pk))),
        "penalty": words(browser.get(session_url("penalties", session))),
        "log": plain(words(browser.get(session_url("log", session)))),
    }
    told = f"Décisions de l’arbitre Annulée {of_play['Motif']} {of_play['Auteur']}, {said_at(of_play['Quand'])}"
    assert plain(told) in plain(pages["donne"])
    assert_same(of_play, Étui=str(play.etui.number), Position=str(play.position), Table=str(play.table.number))
    assert (of_play["Décision"], of_play["Motif"]) == ("annulée", "1/2")
    assert f"Étui {of_etui['Étui']} : annulé pour tout le monde" in pages["log"]
    assert (of_etui["Motif"], of_etui["Décision"]) == ("@vu", "annulée")
    points, when = f"{float(number(penalty['Points de pourcentage'])):.2f}".replace(".", ","), said_at(penalty["Quand"])
    told = f"{penalty['Au sujet de']} , {penalty['Décision']} {points} au pourcentage · {penalty['Motif']}"
    assert f"{told} · {penalty['Article']} {penalty['Auteur']}, {when}" in plain(pages["penalty"])
    assert (penalty["Motif"], penalty["Article"]) == ("=retard", "1-2")


def test_registrations_are_those_of_the_page(opened, shown, browser, session):
    draft = Session.objects.select_related("tournament__club").get(pk=opened.draft)
    page = plain(words(browser.get(session_url("registration", draft))))
    rows = shown("registrations")
    assert [row["Licence"] for row in rows] == ["007", "KX2", "12"]
    assert [row["Contact"] for row in rows] == ["06 12 34 56 78", "@zoe", "+33 6 12"]
    for row in rows:
        waits = "en attente " if row["État"] == "en attente, numéro 1" else ""
        assert f"{row['Nom']} {row['Prénom']} présent {waits}{row['Licence']} · {row['Contact']}" in page
    assert [row["État"] for row in rows].count("en attente, numéro 1") == 1


def test_members_are_those_of_their_pages(shown, browser, session):
    club = session.tournament.club
    rows = {(row["Nom"], row["Prénom"]): row for row in shown("members")}
    assert len(rows) == club.players.count() == 24
    for player in club.players.all():
        form = fields(browser.get(reverse("club_player", args=[club.slug, player.pk])))
        row = rows[plain(form["last_name"]), plain(form["first_name"])]
        told = {"Licence": "licence", "Pays": "country", "Club d’origine": "origin"}
        assert {head: row[head] for head in told} == {head: plain(form[name]) for head, name in told.items()}
        until = "31/08/2026" if form["series"] == "2" else ""
        assert (row["Série"], row["Licence jusqu’au"]) == ("2e série" if until else "", until)


def test_homologation_sheet_has_the_rows_of_the_ranking_page(shown, browser, session):
    page = [
        row
        for row in read(browser.get(session_url("ranking_version", session, 1), {"by": "alterne"})).rows
        if len(row) == 8
    ][1:]
    rows = shown("homologation")
    assert [bool(row["Licence"]) for row in rows] == [False] * 16 + [True] * 4
    by_seat = {(row["Ligne"], row["Numéro"]): row for row in rows}
    assert len(by_seat) == len(page) == 20
    for rank, place, player, *_figures, overall in page:
        row = by_seat[tuple(place.split())]
        assert_same(row, Rang_alterné=rank.split()[0], Global_pct=overall)
        assert plain(player).startswith(f"{row['Prénom']} {row['Nom']} att. ")

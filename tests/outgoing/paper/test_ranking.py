"""The ranking to pin up, read back from the PDF: its sheets, the size of its letters, the names on it."""

import re
from itertools import islice

import pytest

from clubs.house import read_logo
from outgoing.paper.pdf import Code
from outgoing.paper.ranking import PinnedHeading, PinnedRow, PinnedTable, set_ranking
from tests.deals.exports.test_pdf import contents
from tests.outgoing.paper.test_pdf import flat, printed
from tests.pages.club.test_settings import PNG

LONG = ("Anne-Élisabeth de La Rochefoucauld-Montmorency", "Ðặng Thị Thanh Hằng", "Müller-Lüdenscheidt Jörg")
HEADING = PinnedHeading(
    "Amicale tarotière de Saint-Étienne-de-Saint-Geoirs",
    "Championnat d’hiver en duplicate",
    "Classement de la séance 12, 20 novembre 2026 · Alterné",
    "Provisoire",
    False,
    ["Version 2, publiée le 20 novembre 2026 à 23:58.", "topage.example/clubs/ats/tournaments/hiver/12/ranking/"],
    Code("https://topage.example/clubs/ats/tournaments/hiver/12/ranking/"),
)


def rows(count, name="Jean-Baptiste Deschamps{}"):
    """Yield rows of a ranking; every seventh has a long name."""
    for place in range(1, count + 1):
        called = LONG[place % 3] if place % 7 == 0 else name.format(place)
        line = "NESW"[place % 4]
        yield PinnedRow(str(place), called, f"{80 - place / 4:.2f} %", line, str(place), place <= 3, place % 4 == 1)


def ranking(*tables, heading=HEADING, language="fr"):
    return set_ranking(heading, [PinnedTable(list(table)) for table in tables], language=language)


def sizes(document):
    """Return the sizes of all letters of a document, in points."""
    return {
        round(float(size), 2)
        for _fonts, commands in contents(document)
        for size in re.findall(rb"/f\d+ ([0-9.]+) Tf", commands)
    }


@pytest.mark.nightly("print")
@pytest.mark.parametrize(
    ("players", "sheets"), [(1, 1), (20, 1), (30, 1), (31, 1), (60, 1), (61, 2), (150, 3), (600, 10)]
)
def test_sixty_players_take_one_sheet_and_a_hundred_and_fifty_three(players, sheets):
    document = ranking(rows(players))
    assert len(printed(document)) == sheets
    assert min(sizes(document)) >= 11


@pytest.mark.nightly("print")
def test_every_name_is_whole_however_long_and_accented():
    document = ranking(rows(60))
    text = flat(document).replace("\u200b", "")
    words = {word for row in islice(rows(60), 60) for word in row.name.split()}
    letters = text.replace(" ", "")
    assert [word for word in words if word not in letters] == []


@pytest.mark.nightly("print")
def test_a_word_wider_than_its_column_wraps_within():
    document = ranking([PinnedRow("1", "W" * 80, "50 %", "N", "1")] * 40)
    assert flat(document).replace("\u200b", "").replace(" ", "").count("W" * 80) == 40
    assert min(sizes(document)) >= 11


def test_few_players_are_set_in_large_letters():
    assert max(sizes(ranking(rows(16)))) >= 20


@pytest.mark.nightly("print")
def test_logo_stands_on_it_and_without_one_nothing_does():
    logo = read_logo(PNG).data
    assert ranking(rows(4), heading=HEADING._replace(logo=logo)).count(b"/Subtype/Image") == 1
    assert ranking(rows(4)).count(b"/Subtype/Image") == 0


@pytest.mark.nightly("print")
def test_lines_have_a_table_each_with_their_name():
    tables = [PinnedTable(list(rows(15)), line=line) for line in "NESW"]
    document = set_ranking(HEADING, tables, language="fr")
    assert len(printed(document)) == 2
    text = flat(document)
    assert [name for name in ("Nord", "Est", "Sud", "Ouest") if name not in text] == []


def test_nobody_and_no_code_are_no_fault():
    assert printed(set_ranking(HEADING._replace(code=Code()), [], language="en"))

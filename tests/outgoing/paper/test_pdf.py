"""A session's plan on paper, read back from the PDFs: each player's way and rests, and the codes of the tables.

The reader of the PDFs is the one that the tests of deal sets use. Only people can say whether a page looks well.
"""

import datetime as dt
import re
from functools import lru_cache
from itertools import pairwise
from types import SimpleNamespace

import pytest
import segno
from django.utils import timezone, translation

from clubs.players import add_players
from clubs.roster import RosterLine
from deals.domain.etui import taker_and_dealer
from deals.exports.pdf import forget_documents
from evenings.plans.evening_plan import (
    LINES,
    EveningPaper,
    PlannedEtui,
    PlannedPlayer,
    Position,
    SessionHeading,
    Sitting,
    list_ways,
)
from evenings.plans.places import read_plan_of_places
from movements import propose_plans
from outgoing.paper import pdf
from outgoing.paper.free import PaperChoice, print_free_evening
from pages.desk.papers.documents import DOCUMENTS
from pages.desk.prints import evening_to_print
from pages.doors import session_url
from scoring.formats import FREE_DEALS, INDIVIDUAL
from tests.deals.exports import test_pdf as reader
from tests.factories import draft_session, make_director, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tournaments.models import Entrant, TableToken
from tournaments.words.figures import etuis_text

HEADING = SessionHeading("Club des Étuis", "Duplicate d’été", 3, dt.date(2026, 11, 20))
URL = "https://tarot.example.org/t/Zr8zv0mQx3Kk5l2nJ1hYpR4sWc7bTq9uGd6eFa_M-Xo/"
PRINTED = {
    "guides": pdf.guides,
    "cards": pdf.table_cards,
    "poster": pdf.poster,
    "players": pdf.players,
    "sheets": pdf.score_sheets,
}


@lru_cache
def evening(players=28, positions=5, code="tables", imposed=True, name="P"):
    """Return the proposal of this code as an evening; every player is named after a seat: Pn1 is North 1."""
    plan = next(offer.plan for offer in propose_plans(players, positions) if offer.code == code)

    def person(member):
        seat = f"{LINES[member.line].lower()}{member.number}"
        return PlannedPlayer(f"{name}{seat}", LINES[member.line], member.number, f"{name}{seat}")

    def sitting(play):
        etuis = (PlannedEtui(etui, taker_and_dealer(etui)[0] if imposed else None) for etui in play.etuis)
        return Sitting(play.table, tuple(etuis), tuple(map(person, play.people)))

    return EveningPaper(
        HEADING,
        INDIVIDUAL,
        tuple(
            Position(
                number, tuple(sitting(play) for play in plan.at(number) if play.complete), tuple(map(person, rest))
            )
            for number, rest in enumerate(plan.list_resting(), 1)
        ),
    )


def printed(document):
    """Return the texts of each page in the order in which they are drawn."""
    return [[text for run in page if (text := run.strip())] for page in reader.printed(document)]


def flat(document):
    return " ".join(run for page in printed(document) for run in page)


def names(some):
    return sorted({way.player.name for way in list_ways(some)})


def test_name_label_of_a_player_is_whole_on_one_page():
    people = [SimpleNamespace(name=f"P{number}", number=number) for number in range(1, 13)]
    document = print_free_evening(
        EveningPaper(HEADING, FREE_DEALS, (), tuple(people)), "labels", language="fr", choice=PaperChoice()
    )
    drawn = [" ".join(page).count(HEADING.tournament) for page in printed(document)]
    assert drawn == [10, 2]


@pytest.mark.nightly("print", only=("sheets",))
@pytest.mark.parametrize("document", ["cards", "players", "sheets"])
def test_every_player_is_named(document):
    some = evening(30, 5, "rovers")
    assert sorted(set(re.findall(r"P[nesw]\d+", flat(PRINTED[document](some, language="fr"))))) == names(some)


def cards_of(document):
    """Return the texts of each guide card, by the name of its owner."""
    runs = [run for page in printed(document) for run in page]
    heads = [i - 1 for i, run in enumerate(runs) if run.startswith("Club des Étuis")] + [len(runs)]
    return {runs[start]: runs[start:end] for start, end in pairwise(heads)}


@pytest.mark.nightly("print")
@pytest.mark.parametrize("shape", [(28, 5, "tables"), (30, 5, "rovers"), (31, 5, "phantom")])
def test_guide_card_tells_the_whole_way_and_the_rests(shape):
    some = evening(*shape)
    cards = cards_of(pdf.guides(some, language="en"))
    assert sorted(cards) == names(some)
    for way in list_ways(some):
        runs = cards[way.player.name]
        runs = [run for run in runs[runs.index("With") + 1 :] if run not in LINES]
        expected = []
        for position, sitting in way.stops:
            expected.append(str(position))
            if sitting is None:
                expected.append("rests")
            else:
                etuis = etuis_text(sitting.numbers)
                others = [player.name for player in sitting.players if player != way.player]
                expected += [str(sitting.table), etuis, *others]
        # The letter and the number of the next card may follow a card's last line.
        assert runs[: len(expected)] == expected


def test_who_is_not_there_has_no_stop():
    late = PlannedPlayer("Tard", LINES[0], 8)
    whole = evening()
    first, second = whole.positions[:2]
    some = EveningPaper(HEADING, INDIVIDUAL, (first, Position(2, second.sittings, (late,))))
    ways = {way.player.name: way.stops for way in list_ways(some)}
    assert ways["Tard"] == ((2, None),)
    assert "Tard N 8 from position 2" in flat(pdf.players(some, language="en"))


@pytest.mark.nightly("print")
def test_table_card_names_the_four_of_each_position_with_their_etuis():
    some = evening(31, 5, "phantom")
    pages = printed(pdf.table_cards(some, language="en"))
    assert len(pages) == 4
    (runs, *_) = pages
    card = runs[runs.index("West") + 1 : runs.index("Table", runs.index("West"))]
    expected = []
    for position in some.positions:
        if sitting := position.at(1):
            expected += [str(position.number), etuis_text(sitting.numbers)]
            expected += [said for player in sitting.players for said in (player.name, str(player.number))]
        else:
            expected += [str(position.number), "Nobody plays at this table."]
    assert card == expected
    assert "Scan to open" not in flat(pdf.table_cards(some, language="en"))


def drawn_codes(document):
    """Return each QR code as a matrix of 0 and 1, read from the one shape that draws its dark squares."""
    codes = []
    for _, commands in reader.contents(document):
        for shape in re.findall(rb"((?:[\d.]+ [\d.]+ m\s(?:[\d.]+ [\d.]+ l\s)+h\s){20,})f", commands):
            corners = [
                [tuple(map(float, at)) for at in re.findall(rb"([\d.]+) ([\d.]+) [ml]", square)]
                for square in shape.split(b"h")[:-1]
            ]
            x0, y0 = (min(corner[axis] for square in corners for corner in square) for axis in (0, 1))
            x1 = max(corner[0] for square in corners for corner in square)
            cell = min(square[2][1] - square[0][1] for square in corners)
            size = round((x1 - x0) / cell)
            matrix = [[0] * size for _ in range(size)]
            for (left, top), (right, _), *_ in corners:
                for x in range(round((left - x0) / cell), round((right - x0) / cell)):
                    matrix[round((top - y0) / cell)][x] = 1
            codes.append(matrix)
    return codes


@pytest.mark.nightly("print")
def test_table_card_carries_the_code_of_its_screen():
    some = evening()
    screens = [pdf.Code(f"{URL}{table}", f"1234000{table}", "https://site.example/t/") for table in range(1, 7)]
    document = pdf.table_cards(some, language="fr", screen_of=dict(enumerate([*screens, pdf.Code()], 1)).get)
    expected = [[list(row) for row in segno.make_qr(f"{URL}{table}", error="m").matrix] for table in range(1, 7)]
    assert drawn_codes(document) == expected
    text = re.sub(r"\s", "", flat(document))
    assert [f"site.example/t/1234000{table}" in text for table in range(1, 8)] == [True] * 6 + [False]


def test_poster_has_every_table_and_position_on_one_page():
    some = evening(30, 5, "rovers")
    (page,) = printed(pdf.poster(some, language="en", announcement="North stays"))
    assert [f"Table {n}" for n in range(1, 8)] == [
        f"{word} {number}" for word, number in pairwise(page) if word == "Table"
    ]
    for position in some.positions:
        for sitting in position.sittings:
            assert etuis_text(sitting.numbers) in page
    seats = [player for position in some.positions for sitting in position.sittings for player in sitting.players]
    rests = [player for position in some.positions for player in position.resting]
    for line in LINES:
        assert page.count(line) == sum(player.line == line for player in seats + rests)
    assert page[-1] == "North stays"


@pytest.mark.nightly("print")
@pytest.mark.parametrize(
    ("shape", "pages"),
    [
        ((28, 5, "tables"), {"guides": 3, "cards": 4, "poster": 1, "players": 1, "sheets": 7}),
        ((30, 5, "filler"), {"guides": 4, "cards": 4, "poster": 1, "players": 1, "sheets": 8}),
        ((120, 5, "tables"), {"poster": 4, "players": 2}),
    ],
)
def test_documents_take_so_many_pages(shape, pages):
    some = evening(*shape)
    assert {
        code: len(printed(document(some, language="fr"))) for code, document in PRINTED.items() if code in pages
    } == pages


def test_list_of_players_is_alphabetical_with_starting_places():
    one, *others = evening(31, 5, "phantom").positions
    some = EveningPaper(HEADING, INDIVIDUAL, (one, *others))
    (page,) = printed(pdf.players(some, language="en"))
    entries = [run for run in page if re.fullmatch(r"P[nesw]\d+", run)]
    assert entries == names(some)
    after = {name: page[page.index(name) + 1 :][:3] for name in entries}
    assert after["Pn3"] == ["N", "3", "3"]
    assert {name for name, rest in after.items() if rest[2] == "rests"} == {player.name for player in one.resting}


def test_names_are_sorted_as_people_look_them_up():
    sat = evening().positions[0].sittings[0]
    listed = ["Étienne Zoé", "Faure Guy", "de Witt Jan", "Eyck Ida"]
    people = tuple(
        PlannedPlayer(name, player.line, player.number, name) for name, player in zip(listed, sat.players, strict=True)
    )
    some = EveningPaper(HEADING, INDIVIDUAL, (Position(1, (Sitting(1, sat.etuis, people),)),))
    (page,) = printed(pdf.players(some, language="fr"))
    assert [run for run in page if run in listed] == ["de Witt Jan", "Étienne Zoé", "Eyck Ida", "Faure Guy"]


@pytest.mark.nightly("print")
def test_score_sheet_names_the_taker_of_each_etui():
    some = evening()
    (runs, *others) = printed(pdf.score_sheets(some, language="en"))
    assert len(others) == 6
    sitting = some.positions[0].at(1)
    takers = [sitting.players[LINES.index(etui.taker)] for etui in sitting.etuis]
    expected = [
        [str(etui.number), taker.line, taker.name, "21", "P", "E", "+", "−"]
        for etui, taker in zip(sitting.etuis, takers, strict=True)
    ]
    below = runs[runs.index("Chelem") + 3 :]
    assert [below[i : i + 8] for i in range(0, 4 * 8, 8)] == expected


@pytest.mark.nightly("print")
def test_score_sheet_of_a_free_auction_leaves_taker_and_contract_to_the_pen():
    bid = evening(28, 5, "tables", False)
    free = EveningPaper(SessionHeading("Club", "Libre", 1, HEADING.date, imposed=False), INDIVIDUAL, bid.positions)
    text = flat(pdf.score_sheets(free, language="en"))
    assert text.count("Contract") == 7 * 5
    assert "Contract" not in flat(pdf.score_sheets(evening(), language="en"))


@pytest.mark.parametrize("code", sorted(PRINTED.keys() - {"poster"}))
def test_long_names_are_never_cut(code):
    long = "Marie Françoise Emmanuelle de La Rochefoucauld Montmorency Anticonstitutionnellement "
    words_of = re.sub(r"\s+", " ", flat(PRINTED[code](evening(8, 4, "barometer", True, long), language="fr")))
    for word in long.split():
        assert word in words_of


@pytest.mark.nightly("print")
@pytest.mark.parametrize("code", PRINTED)
def test_documents_are_the_same_each_time_and_names_are_text(code):
    document, some = PRINTED[code], evening(8, 4, "barometer", True, '#panic("x") *b* $y$ ')
    first = document(some, language="fr").typeset()
    forget_documents()
    assert document(some, language="fr").typeset() == first


@pytest.mark.nightly("print")
@pytest.mark.parametrize("code", PRINTED)
def test_every_word_comes_from_the_catalogue_in_the_language_asked_for(code, monkeypatch):
    def marked(text):
        return f"‹{translation.get_language()}:{len(text)}›"

    catalogue = translation._trans  # every translating function of Django asks it, the lazy ones too
    monkeypatch.setattr(catalogue, "gettext", marked)
    monkeypatch.setattr(catalogue, "pgettext", lambda context, text: marked(text))
    monkeypatch.setattr(catalogue, "ngettext", lambda one, many, count: marked(many))
    nameless = SessionHeading("", "", 1, HEADING.date)
    some = EveningPaper(nameless, INDIVIDUAL, evening(31, 5, "phantom", True, "").positions[:2])
    for language in ("fr", "en"):
        text = flat(PRINTED[code](some, language=language))
        assert set(re.findall(r"‹(\w+):", text)) == {language}
        assert set(re.findall(r"[^\W\d_]+", re.sub(r"‹\w+:\d+›|\b[nesw]\d+", "", text))) == set()


def test_nothing_to_print_is_refused():
    with pytest.raises(ValueError, match="nobody plays"):
        EveningPaper(HEADING, INDIVIDUAL, (Position(1, ()),))
    with pytest.raises(ValueError, match="one player a line"):
        Sitting(1, (PlannedEtui(1),), evening().positions[0].sittings[0].players[:3])


@pytest.mark.parametrize(
    ("numbers", "text"), [([4, 1, 2, 3], "1–4"), ([7], "7"), ([1, 2, 9], "1–2, 9"), ([], ""), ([1, 3], "1, 3")]
)
def test_etuis_are_told_as_ranges(numbers, text):
    assert etuis_text(numbers) == text


@pytest.fixture
def session(db):
    return started_session(tables=5, positions=5, etuis_per_position=2)


@pytest.fixture
def page(session):
    return browser_of(make_director(session.tournament.club))


def pdf_url(session, code):
    return f"{session_url('prints_pdf', session)}?document={code}"


@pytest.mark.nightly("print")
def test_page_offers_every_document(page, session):
    links = read(page.get(session_url("prints", session))).links
    assert {link for link in links if "document=" in link} == {pdf_url(session, it.code) for it in DOCUMENTS}
    assert session_url("prints", session) in read(page.get(session_url("session", session))).links


@pytest.mark.nightly("print")
@pytest.mark.parametrize("code", [document.code for document in DOCUMENTS])
def test_document_is_a_pdf_that_no_cache_keeps(page, session, code):
    answer = page.get(pdf_url(session, code))
    assert (answer["Content-Type"], answer.content[:4]) == ("application/pdf", b"%PDF")
    assert answer["Content-Disposition"].startswith('attachment; filename="duplicate-dete-1-')
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize(("host", "warned"), [("localhost:8000", True), ("testserver", False)])
def test_page_tells_where_codes_lead_and_warns_of_addresses_no_phone_opens(page, session, host, warned):
    text = words(page.get(session_url("prints", session), headers={"host": host}))
    assert (f"lead to {host}" in text, "phones cannot" in text) == (True, warned)


def test_document_speaks_the_language_of_the_page(page, session):
    assert "Where" not in flat(page.get(pdf_url(session, "players")).content)
    page.cookies["django_language"] = "fr"
    text = flat(page.get(pdf_url(session, "players")).content)
    assert "20\N{NO-BREAK SPACE}novembre\N{NO-BREAK SPACE}2026" in text
    assert " O " in text


def test_unknown_document_is_not_found_and_a_draft_leads_to_its_session(page, session):
    assert page.get(pdf_url(session, "cards-of-everybody")).status_code == 404
    assert page.get(session_url("prints_pdf", session)).url == session_url("prints", session)
    draft = draft_session(session.tournament)
    for name in ("prints", "prints_pdf"):
        assert page.get(session_url(name, draft)).url == session_url("session", draft)


@pytest.mark.nightly("print")
def test_table_cards_open_the_tables_that_have_a_code_in_use(page, session):
    now = timezone.now()
    TableToken.objects.filter(table__session=session).delete()
    first, second, third, *_ = session.tables.all()
    for table, ends, revoked in ((first, 1, None), (second, -1, None), (third, 1, now)):
        token = f"token-of-table-{table.number}-is-43-letters-long-now"
        expires = now + dt.timedelta(hours=ends)
        TableToken.objects.create(table=table, token=token, created_at=now, expires_at=expires, revoked_at=revoked)
    url = "http://testserver/t/token-of-table-1-is-43-letters-long-now/"
    expected = [[list(row) for row in segno.make_qr(url, error="m").matrix]]
    assert drawn_codes(page.get(pdf_url(session, "cards")).content) == expected
    type(session).objects.filter(pk=session.pk).update(devices="desk")
    assert drawn_codes(page.get(pdf_url(session, "cards")).content) == []


def test_poster_announces_the_movement(page, session):
    assert "North stays, East moves up one table" in flat(page.get(pdf_url(session, "poster")).content)


def test_plan_tells_who_rests_and_who_is_not_there(session, django_assert_num_queries):
    """Add three entrants: one rests all evening, one comes for position 3, one leaves after position 2."""
    player = session.entrants.first().player
    made = {}
    for number, (name, first, last) in enumerate([("Reste", 1, None), ("Vient", 3, None), ("Part", 1, 2)], 90):
        [person] = add_players(club=player.club, lines=[RosterLine(name, "")])
        made[name] = Entrant.objects.create(
            session=session, player=person, line="N", number=number, first_position=first, last_position=last
        )
    with django_assert_num_queries(2):
        plan = read_plan_of_places(session)
    resting = [[entrant.name for entrant in some] for some in plan.resting]
    assert resting == [["Reste", "Part"], ["Reste", "Part"], ["Reste", "Vient"], ["Reste", "Vient"], ["Reste", "Vient"]]
    stops = {way.entrant: [stop.there for stop in way.stops] for way in plan.ways}
    assert stops[made["Vient"]] == [False, False, True, True, True]
    assert {len(way.places) for way in plan.ways if way.entrant.number < 90} == {5}
    ways = {way.player.name: way for way in list_ways(evening_to_print(session, plan))}
    assert ways["Part"].stops == ((1, None), (2, None))
    assert ways["Zoé Nom001"].stops[0].sitting.etuis[0].taker == session.plays.first().etui.taker

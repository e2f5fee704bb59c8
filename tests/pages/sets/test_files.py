"""The cards on the screen, on paper and in files: logged before they are shown, never cached, for directors only."""

import json
from types import SimpleNamespace

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from deals.domain.deal import dumps
from deals.domain.dealing import deal_etui
from deals.domain.etui import name_seats
from deals.domain.exchange import EtuiSet, NumberedEtui, write_csv, write_json, write_text
from deals.exports import pdf
from deals.models import DealLook, Etui
from deals.sets import create_deal_set, create_set_dealt_at_table
from pages.sets import cards, files
from pages.sets.forms import read_etui_set
from rankings.publication.publishing import SESSIONS, switch_parts
from tests import shared_evenings
from tests.factories import SEED, make_club, make_tournament, published_session, started_session
from tests.pages.reading import read, words
from tournaments.published import Shows
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return make_club()


director = shared_evenings.director_of_club


@pytest.fixture
def deal_set(club):
    return create_deal_set(club=club, name="Été", count=10, now=timezone.now(), by=None, seed=SEED)


@pytest.fixture
def page(client, director):
    client.force_login(director)
    client.cookies["django_language"] = "en"
    return client


def url(name, deal_set, *rest):
    return reverse(name, args=(deal_set.club.slug, deal_set.pk, *rest))


def looks(deal_set):
    return list(deal_set.looks.order_by("pk").values_list("kind", "document", "first_etui", "last_etui"))


def named(answer):
    """Return the number of drawn cards on the page."""
    return answer.content.decode().count('class="card card-')


def test_page_of_cards_shows_none_before_a_look_is_asked_for(page, deal_set):
    answer = page.get(url("deal_set_cards", deal_set))
    assert (answer.status_code, named(answer), looks(deal_set)) == (200, 0, [])


def test_look_shows_four_etuis_and_is_logged(page, deal_set):
    answer = page.post(url("deal_set_cards", deal_set), {"from": "5"})
    assert named(answer) == 4 * 78
    assert looks(deal_set) == [("seen", "", 5, 8)]
    assert "no-store" in answer["Cache-Control"]
    assert "directrice seen on the screen étuis 5–8" in words(answer)
    page.post(url("deal_set_cards", deal_set), {"from": "9"})
    assert looks(deal_set)[1] == ("seen", "", 9, 10)


@pytest.mark.parametrize("wanted", ["", "0", "11", "x", "9" * 5000, "²"])
def test_look_at_no_etui_shows_nothing_and_logs_nothing(page, deal_set, wanted):
    answer = page.post(url("deal_set_cards", deal_set), {"from": wanted})
    assert (answer.status_code, named(answer), looks(deal_set)) == (200, 0, [])


@pytest.mark.parametrize("players", [3, 5])
def test_looks_at_tables_of_three_and_five(page, club, players):
    deal_set = create_deal_set(club=club, name="x", count=5, now=timezone.now(), by=None, players=players)
    answer = page.post(url("deal_set_cards", deal_set), {"from": "1"})
    assert named(answer) == 4 * 78
    assert ("Fifth" in words(answer)) == (players == 5)
    assert page.get(url("deal_set", deal_set)).status_code == 200


STEPS = [
    ("deal_set_cards", (), {"from": "1"}, (cards, "show")),
    ("deal_set_statistics", (), {}, (cards, "deals_of")),
    ("deal_set_bots", (), {"from": "1"}, (cards, "ask_bots")),
    ("deal_set_pdf", (), {"document": "diagrams", "first": 1, "last": 2, "language": "fr"}, (pdf, "diagrams")),
    ("deal_set_pdf", (), {"document": "building", "first": 1, "last": 2, "language": "fr"}, (pdf, "building_list")),
    ("deal_set_export", ("json",), {}, (files, "write_json")),
    ("deal_set_export", ("txt",), {}, (files, "make_etui_set")),
]


@pytest.mark.parametrize(("name", "rest", "data", "reading"), STEPS, ids=lambda value: str(value)[:30])
def test_look_is_written_down_before_a_card_is_read(page, deal_set, monkeypatch, name, rest, data, reading):
    class Struck(Exception):
        pass

    def strike(*_args, **_kwargs):
        raise Struck

    monkeypatch.setattr(*reading, strike)
    with pytest.raises(Struck):
        page.post(url(name, deal_set, *rest), data)
    assert deal_set.looks.count() == 1


def test_statistics_are_shown_after_they_are_logged(page, deal_set):
    assert read(page.get(url("deal_set_statistics", deal_set))).rows == []
    assert looks(deal_set) == []
    answer = page.post(url("deal_set_statistics", deal_set))
    rows = read(answer).rows
    assert looks(deal_set) == [("statistics", "", 1, 10)]
    assert [row[0] for row in rows] == ["Hand", "N North", "E East", "S South", "W West", "Chien"]
    assert sum(float(row[3]) for row in rows[1:]) == pytest.approx(91, abs=0.3)
    assert sum(float(row[1]) for row in rows[1:]) == pytest.approx(21, abs=0.03)
    assert "no-store" in answer["Cache-Control"]


def print_(page, deal_set, **asked):
    asked = {"document": "diagrams", "first": 1, "last": 10, "language": "fr", **asked}
    return page.post(url("deal_set_pdf", deal_set), asked)


@pytest.mark.nightly("print")
@pytest.mark.parametrize(
    ("document", "only", "log"),
    [
        ("diagrams", "", ("printed", "diagrams", 1, 10)),
        ("diagrams", "chien", ("printed", "diagrams chien", 1, 10)),
        ("building", "", ("printed", "building", 1, 10)),
        ("building", "N", ("printed", "building", 1, 10)),
        ("labels", "", None),
        ("fiches", "", None),
        ("blank", "", None),
    ],
)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_each_document_is_a_pdf_and_logged_if_it_carries_cards(page, deal_set, document, only, log, language):
    answer = print_(page, deal_set, document=document, only=only, language=language, colour="blue")
    assert answer.content.startswith(b"%PDF")
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"].startswith(f'attachment; filename="ete-{document}')
    assert "no-store" in answer["Cache-Control"]
    assert looks(deal_set) == ([log] if log else [])


@pytest.mark.parametrize("document", ["labels", "fiches", "blank"])
def test_sheets_without_cards_are_made_without_reading_one(page, deal_set, monkeypatch, document):
    monkeypatch.setattr("rankings.publication.etuis.loads", None)
    assert print_(page, deal_set, document=document).content.startswith(b"%PDF")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"document": "x"}, "This is not, or no longer, in the list"),
        ({"first": 11, "last": 12}, "The étuis go from 1 to 10, in rising order."),
        ({"first": 5, "last": 2}, "The étuis go from 1 to 10, in rising order."),
        ({"only": "F"}, "This is not, or no longer, in the list"),
        ({"language": "de"}, "This is not, or no longer, in the list"),
        ({"document": "records"}, "Hand records need a published session"),
    ],
    ids=str,
)
def test_print_that_cannot_be_says_why_and_logs_nothing(page, deal_set, asked, said):
    answer = print_(page, deal_set, **asked)
    assert (answer.status_code, looks(deal_set)) == (200, [])
    assert said in words(answer)


def test_cards_that_nobody_knows_are_not_printed(page, club):
    table = create_set_dealt_at_table(club=club, name="x", count=4, now=timezone.now(), by=None)
    answer = print_(page, table, last=4)
    assert "None of these étuis has cards" in words(answer)
    assert looks(table) == []


def test_large_set_comes_in_parts_that_tell_which_are_done(page, club):
    large = create_deal_set(club=club, name="Grand", count=150, now=timezone.now(), by=None, seed=SEED)
    answer = print_(page, large, document="building", last=150)
    assert answer.status_code == 302
    parts = page.get(answer.url).context["parts"]
    assert [part[:2] for part in parts] == [(1, 36), (37, 72), (73, 108), (109, 144), (145, 150)]
    assert {part.done for part in parts} == {None}
    assert looks(large) == []
    assert print_(page, large, document="building", first=145, last=150).content.startswith(b"%PDF")
    again = page.get(answer.url, headers={"HX-Request": "true"})
    assert [bool(part.done) for part in again.context["parts"]] == [False, False, False, False, True]
    assert "1 of 5" in words(again)
    assert looks(large) == [("printed", "building", 145, 150)]


def test_fiches_carry_the_plan_of_the_session(page, club, monkeypatch):
    session = started_session(make_tournament(club), cards=True)
    seen = []
    sheets = SimpleNamespace(typeset=lambda: b"%PDF")
    monkeypatch.setattr(pdf, "fiches", lambda heading, etuis, **_: seen.append((heading, etuis)) or sheets)
    print_(page, session.deal_set, document="fiches", last=5, session=session.pk, colour="red", language="en")
    heading, etuis = seen[0]
    assert (heading.tournament, heading.colour, heading.ink) == ("Duplicate d’été", "red", "#d13a32")
    planned = {(play.etui.number, play.position, play.table.number) for play in session.plays.all()}
    assert {(etui.number, play.position, play.table) for etui in etuis for play in etui.plays} == planned


@pytest.mark.parametrize("auction", ["imposed", "free"])
def test_hand_records_hold_the_published_plays_and_cards(page, club, director, monkeypatch, auction):
    session = published_session(make_tournament(club, auction), by=director, cards=True)
    seen = []
    real = pdf.hand_records
    monkeypatch.setattr(pdf, "hand_records", lambda head, etuis, **how: seen.append(etuis) or real(head, etuis, **how))
    answer = print_(page, session.deal_set, document="records", first=2, last=3, session=session.pk)
    assert answer.content.startswith(b"%PDF")
    etuis = seen[0]
    assert [etui.number for etui in etuis] == [2, 3]
    assert [dumps(etui.deal) for etui in etuis] == [dumps(deal_etui(SEED, number).deal) for number in (2, 3)]
    assert {len(etui.plays) for etui in etuis} == {5}
    assert {len(play.notes) for etui in etuis for play in etui.plays} == {2 if auction == "imposed" else 4}
    assert looks(session.deal_set) == []


@pytest.mark.parametrize(
    ("shows", "deals", "plays"),
    [(Shows(cards=False), {False}, {5}), (Shows(etuis=False), {True}, {0}), (Shows(), {True}, {5})],
)
def test_hand_records_hold_what_readers_are_shown(page, club, director, monkeypatch, shows, deals, plays):
    session = published_session(make_tournament(club), by=director, cards=True)
    switch_parts(session_id=session.pk, shows=shows, word=DirectorWord(director, timezone.now()))
    seen, real = [], pdf.hand_records
    monkeypatch.setattr(pdf, "hand_records", lambda _, etuis, **how: seen.extend(etuis) or real(_, etuis, **how))
    asked = {"document": "records", "first": 1, "last": 5, "session": session.pk}
    assert print_(page, session.deal_set, **asked).content.startswith(b"%PDF")
    assert ({etui.deal is not None for etui in seen}, {len(etui.plays) for etui in seen}) == (deals, plays)
    SESSIONS.withdraw(session.pk, word=DirectorWord(director, timezone.now(), "x"))
    assert "Hand records need a published session" in words(print_(page, session.deal_set, **asked))


def test_export_carries_the_seed_only_where_it_is_asked_for(page, deal_set):
    for fmt, data, has_seed in (("txt", {"seed": "yes"}, False), ("csv", {"seed": "yes"}, False), ("json", {}, False),
                                ("json", {"seed": "yes"}, True)):  # fmt: skip
        answer = page.post(url("deal_set_export", deal_set, fmt), data)
        assert (SEED.hex() in answer.content.decode()) == has_seed
        assert "no-store" in answer["Cache-Control"]
        assert answer["Content-Disposition"] == f'attachment; filename="ete.{fmt}"'
    assert [document for _kind, document, _first, _last in looks(deal_set)] == ["txt", "csv", "json", "json+seed"]
    assert json.loads(answer.content)["boards"][0]["deal"] == dumps(deal_etui(SEED, 1).deal)


def test_export_in_another_format_is_not_found(page, deal_set):
    assert page.post(url("deal_set_export", deal_set, "xml")).status_code == 404
    assert looks(deal_set) == []


@pytest.fixture
def table(club):
    return create_set_dealt_at_table(club=club, name="Tables", count=3, now=timezone.now(), by=None)


def typed(number=1, **change):
    hands = dumps(deal_etui(SEED, number).deal).split(" ")
    return dict(zip([*"NESW", "chien"], hands, strict=True)) | change


def test_typed_cards_are_kept_and_the_next_etui_follows(page, table):
    answer = page.post(url("deal_set_type", table, 2), typed())
    assert answer.url == url("deal_set_type", table, 3)
    assert page.post(url("deal_set_type", table, 3), typed(2)).url == url("deal_set_type", table, 1)
    assert page.post(url("deal_set_type", table, 1), typed(3)).url == url("deal_set", table)
    etui = table.etuis.get(number=2)
    assert (etui.cards, etui.origin) == (dumps(deal_etui(SEED, 1).deal), Etui.Origin.TYPED)


def test_live_check_names_counts_doubles_and_missing_cards_and_keeps_nothing(page, table):
    hands = typed(N="T8732.R8.9.T96.17-10-8-7-5*", chien="-.-.R85.2.19-1-1", W="x.....")
    answer = page.post(url("deal_set_type", table, 1), hands, headers={"HX-Request": "true"})
    text = words(answer)
    assert "North 17 of 18" in text
    assert "West Column 1: 6 parts instead of 5" in text
    assert "Chien 7 of 6" in text
    assert "1 is there more than once: the chien, the chien" in text
    assert "no-store" in answer["Cache-Control"]
    missing = page.post(url("deal_set_type", table, 1), typed(N="T8732.R8.9.T96.17-10-8-7-5*"),
                        headers={"HX-Request": "true"})  # fmt: skip
    assert "Missing: 4" in words(missing)
    done = page.post(url("deal_set_type", table, 1), typed(), headers={"HX-Request": "true"})
    assert "All 78 cards are there, once each." in words(done)
    assert table.etuis.exclude(cards="").count() == 0


def test_hands_that_make_no_deal_come_back_as_they_were_typed(page, table):
    answer = page.post(url("deal_set_type", table, 1), typed(E="RCV9641"))
    assert answer.status_code == 200
    assert 'value="RCV9641"' in answer.content.decode()
    assert "East" in words(answer)
    assert table.etuis.exclude(cards="").count() == 0


def test_cards_that_are_known_are_neither_shown_nor_changed_by_typing(page, deal_set):
    for method in (page.get, page.post):
        answer = method(url("deal_set_type", deal_set, 1), typed(2))
        assert answer.url == url("deal_set", deal_set)
    assert deal_set.etuis.get(number=1).cards == dumps(deal_etui(SEED, 1).deal)
    assert page.get(url("deal_set_type", deal_set, 99)).status_code == 404


def test_log_tells_who_had_what(page, deal_set, director):
    for kind, document in (("printed", "diagrams chien"), ("exported", "json+seed")):
        DealLook.objects.create(
            deal_set=deal_set, user=director, first_etui=1, last_etui=1, kind=kind, document=document,
            looked_at=timezone.now(),
        )  # fmt: skip
    text = words(page.get(url("deal_set", deal_set)))
    assert "directrice printed (hand diagrams, the chien) étui 1" in text
    assert "directrice exported (JSON with the secret draw) étui 1" in text


@pytest.mark.nightly("story")
def test_sheets_of_a_free_auction_name_no_taker(club, director):
    free = started_session(make_tournament(club, auction="free", name="Libre"))
    imposed = started_session(make_tournament(club, name="Imposé"))
    for session, bids in ((free, True), (imposed, False)):
        for chosen in (session, None):
            for document in ("labels", "fiches", "blank"):
                data = {"document": document, "session": chosen, "first": 1, "last": 5}
                etuis = files.etuis_to_print(session.deal_set, data)
                assert [etui.taker is None for etui in etuis] == 5 * [bids]
    published = published_session(make_tournament(club, auction="free", name="Publiée"), by=director)
    data = {"document": "records", "session": published, "first": 1, "last": 5}
    assert {etui.taker for etui in files.etuis_to_print(published.deal_set, data)} == {None}


def test_sheets_name_the_tournament_once_and_the_day(club):
    session = started_session(make_tournament(club))
    deal_set, tournament = session.deal_set, session.tournament.name
    for name, told in (
        (f"{tournament} · 1", "session 1 · 20 November 2026"),
        (tournament, "session 1 · 20 November 2026"),
        ("Étuis bleus", "Étuis bleus · 20 November 2026"),
    ):
        deal_set.name = name
        with translation.override("en"):
            assert files.names_of(deal_set, session) == (told, tournament)
    assert files.names_of(deal_set, None) == ("Étuis bleus", "")


@pytest.mark.parametrize("write", [write_text, write_csv, write_json])
@pytest.mark.parametrize("players", [3, 4])
def test_pasted_etuis_are_read_in_each_format(write, players):
    """Check that the first line tells the format: `players 3` in a text is no heading of columns."""
    etuis = tuple(NumberedEtui(number, *name_seats(number, players)) for number in (1, 2))
    whole = EtuiSet(players, etuis)
    assert read_etui_set("\n" + write(whole)) == whole

"""The printed documents, read back from the PDF (pages, texts, inks) and from the rings that the layout drew.

`printed` is a small reader of the PDF that typst writes, not of any PDF. No test checks that a page is pleasant to
read.
"""

import json
import re
import zlib
from collections import Counter
from fractions import Fraction

import pytest
import typst
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from deals.domain.cards import Seat, by_suit, show_card
from deals.domain.deal import places
from deals.domain.dealing import deal_etui
from deals.domain.etui import taker_and_dealer
from deals.exports import pdf
from deals.exports.documents import PrintedEtui, RecordedPlay, SetHeading
from deals.exports.pdf import forget_documents
from tests.examples import draw_examples

SEED = bytes(range(32))
EVENING = SetHeading("Étuis A", "Tournoi d’été", colour="bleu", ink="#1f5fbf")
HONOURS = ["R", "D", "C", "V"]
# Without the Excuse, whose star is drawn.
SLIP = [*(HONOURS + [str(n) for n in range(10, 0, -1)]) * 4, *(str(n) for n in range(21, 0, -1))]
LEGEND = ["R King", "D Queen", "C Knight", "V Jack", "Excuse"]
DOCUMENTS = [pdf.diagrams, pdf.building_list, pdf.labels, pdf.fiches, pdf.hand_records]


def etuis(count, players=4, plays=()):
    roles = [taker_and_dealer(number) if players == 4 else (Seat.E, Seat.N) for number in range(1, count + 1)]
    return [
        PrintedEtui(number, taker, dealer, deal_etui(SEED, number, players).deal, plays)
        for number, (taker, dealer) in enumerate(roles, 1)
    ]


def play(position, table=1, score=None, notes=(None, None), players=4, **more):
    return RecordedPlay(
        position, table, tuple(f"P{position}{seat}" for seat in list(Seat)[:players]), score, notes, **more
    )


def literals(commands):
    """Return the bytes of the string literals among drawing commands, joined. Paired brackets may be unescaped."""
    escapes = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
    depth, text = 0, b""
    for octal, escaped, bracket, plain in re.findall(rb"(?s)\\([0-7]{3})|\\(.)|([()])|([^\\()]+)", commands):
        was, depth = depth, depth + {b"(": 1, b")": -1}.get(bracket, 0)
        if was and depth:
            text += bytes([int(octal, 8)]) if octal else escapes.get(escaped, escaped) + bracket + plain
    return text


def contents(document):
    """Yield the fonts by name and the drawing commands of each page of a PDF, in order."""
    document = document.typeset() if isinstance(document, pdf.Sheets) else document
    objects = {int(found[1]): found[2] for found in re.finditer(rb"(?s)(\d+) 0 obj\s(.*?)\sendobj", document)}

    def stream(number):
        return zlib.decompress(re.search(rb"(?s)stream\r?\n(.*?)\nendstream", objects[int(number)])[1])

    kids = next(re.search(rb"/Kids\[(.*?)\]", body)[1] for body in objects.values() if b"/Type/Pages" in body)
    for kid in re.findall(rb"(\d+) 0 R", kids):
        page = objects[int(kid)]
        resources = objects[int(re.search(rb"/Resources (\d+)", page)[1])]
        fonts = {}
        for name, font in re.findall(rb"/(f\d+) (\d+) 0 R", resources):
            cmap = stream(re.search(rb"/ToUnicode (\d+)", objects[int(font)])[1])
            pairs = re.findall(rb"<([0-9A-F]{4})> <([0-9A-F]+)>\n", cmap)
            fonts[name] = {bytes.fromhex(k.decode()): bytes.fromhex(v.decode()).decode("utf-16-be") for k, v in pairs}
        yield fonts, stream(re.search(rb"/Contents (\d+)", page)[1])


def printed(document):
    """Return the runs of text of each page, in the order of drawing."""
    pages = []
    for fonts, commands in contents(document):
        runs = []
        commands = re.sub(rb"(?s)/Span<</ActualText.*?>>\s?BDC", b"", commands)  # repeats the drawn text
        for font, drawn in re.findall(rb"(?s)BT.*?/(f\d+) .*?Tm(.*?)ET", commands):
            codes = literals(drawn)
            runs.append("".join(fonts[font][codes[i : i + 2]] for i in range(0, len(codes), 2)))
        pages.append(runs)
    return pages


def flat(document):
    return " ".join(run for page in printed(document) for run in page)


@pytest.fixture
def compiled(monkeypatch):
    """Record the arguments of every call of typst, which still compiles."""
    calls = []
    really = typst.compile

    def noted(*args, **options):
        calls.append((args, options))
        return really(*args, **options)

    monkeypatch.setattr(typst, "compile", noted)
    return calls


def circled(heading, chosen, **options):
    """Return the rings of the diagrams as (étui, hand, card). The layout leaves a mark at each ring."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typst, "compile", lambda *args, **given: typst.query(*args, "<circled>", field="value", **given))
        found = json.loads(pdf.diagrams(heading, chosen, language="fr", **options).typeset())
    return [tuple(ring) for ring in found]


@draw_examples(12)
@given(seed=st.binary(min_size=32, max_size=32), players=st.sampled_from([3, 4, 5]), number=st.integers(1, 10**5))
def test_diagrams_circle_each_card_once_in_the_hand_that_holds_it(seed, players, number):
    deal = deal_etui(seed, number, players).deal
    rings = circled(SetHeading("", players=players), [PrintedEtui(number, deal=deal)])
    expected = [(number, place, card) for place, pile in zip(places(players), deal.piles, strict=True) for card in pile]
    assert Counter(rings) == Counter(expected)


@pytest.mark.parametrize(("players", "counts"), [(3, [24] * 3 + [6]), (4, [18] * 4 + [6]), (5, [15] * 5 + [3])])
def test_diagrams_circle_as_many_cards_as_each_hand_has(players, counts):
    rings = circled(SetHeading("", players=players), etuis(1, players))
    assert Counter(place for _, place, _ in rings) == dict(zip(places(players), counts, strict=True))


@pytest.mark.parametrize("deal", [None, deal_etui(SEED, 1).deal])
def test_a_diagram_prints_every_card_whether_held_or_not(deal):
    (page,) = printed(pdf.diagrams(SetHeading(""), [PrintedEtui(7, deal=deal)], language="en", only="S"))
    signs = ["♠", "♥", "♦", "♣", "Trumps"]
    assert Counter(page) == Counter([*SLIP, *signs, *LEGEND, "S", "SOUTH", "Étui", "7"])


def test_diagrams_of_cards_nobody_knows_have_no_ring():
    assert circled(EVENING, [PrintedEtui(1, Seat.N, Seat.E), PrintedEtui()]) == []


@pytest.mark.nightly("print")
def test_diagrams_of_36_etuis_take_18_pages_with_ten_slips_each():
    pages = printed(pdf.diagrams(EVENING, etuis(36), language="en"))
    assert [page.count("Étui") for page in pages] == [10] * 18


@pytest.mark.nightly("print")
def test_diagrams_of_one_line_have_only_its_slips():
    pages = printed(pdf.diagrams(EVENING, etuis(12), language="en", only="W", tinted=False))
    assert [page.count("WEST") for page in pages] == [10, 2]
    assert {ring[1] for ring in circled(EVENING, etuis(12), only="W")} == {"W"}


def test_diagrams_for_coloured_paper_use_no_coloured_ink():
    def inks(tinted):
        drawn = pdf.diagrams(EVENING, etuis(1), language="fr", tinted=tinted)
        return {ink for _, commands in contents(drawn) for ink in re.findall(rb"[\d.]+ [\d.]+ [\d.]+ scn", commands)}

    assert inks(tinted=False) == set()
    assert len(inks(tinted=True)) == 4 * 2 + 1  # a full and a pale ink for each line, and the red of the suits


def test_the_taker_is_marked_on_his_own_diagram():
    for place, tagged in zip("NESW", [False, False, False, True], strict=True):  # étui 1: West takes
        assert ("TAKER" in flat(pdf.diagrams(EVENING, etuis(1), language="en", only=place))) == tagged


def test_the_building_list_has_every_hand_sorted():
    (etui,) = etuis(1)
    (page,) = printed(pdf.building_list(EVENING, [etui], language="en"))
    expected = [show_card(card).lstrip("♠♥♦♣") for pile in etui.deal.piles for group in by_suit(pile) for card in group]
    expected.remove("*")
    faces = [run for run in page[page.index("18 cards") :] if run.isdigit() or run in HONOURS]
    assert faces == expected
    assert [run for run in page if run.endswith("cards")] == ["18 cards"] * 4 + ["6 cards"]


@pytest.mark.nightly("print")
@pytest.mark.parametrize(("players", "pages"), [(3, 18), (4, 18), (5, 18)])
def test_the_building_list_has_two_etuis_a_page(players, pages):
    assert len(printed(pdf.building_list(SetHeading("", players=players), etuis(36, players), language="fr"))) == pages


def test_the_building_list_leaves_out_etuis_dealt_at_the_table():
    known, unknown = etuis(1)[0], PrintedEtui(2, Seat.S, Seat.W)
    only_known = pdf.building_list(EVENING, [known], language="fr")
    assert pdf.building_list(EVENING, [known, unknown], language="fr") == only_known
    with pytest.raises(ValueError, match="no étui"):
        pdf.building_list(EVENING, [unknown], language="fr")


@pytest.mark.parametrize(
    ("number", "runs"),
    [
        (1, ["N", "North", "DEALER", "bleu", "W", "West", "TAKER", "LEADS", "Étui", "1", "E", "East"]),
        (5, ["N", "North", "DEALER", "bleu", "W", "West", "LEADS", "Étui", "5", "E", "East"]),
    ],
)
def test_a_label_names_number_taker_dealer_and_leader(number, runs):
    taker, dealer = taker_and_dealer(number)
    (page,) = printed(pdf.labels(EVENING, [PrintedEtui(number, taker, dealer)], language="en"))
    south = ["S", "South", *(["TAKER"] if number == 5 else [])]
    assert page == [*runs, "Tournoi d’été", *south, "Étuis A"]


def test_labels_come_eight_a_page():
    assert [page.count("Étui") for page in printed(pdf.labels(EVENING, etuis(36), language="en"))] == [8] * 4 + [4]


@pytest.mark.parametrize("document", [pdf.labels, pdf.fiches])
def test_what_lies_open_on_the_tables_carries_neither_card_nor_result(document):
    told = (play(1, 3, 56, (Fraction(75), Fraction(25))), play(2, 1, -52, (Fraction(0), Fraction(100)), taker=Seat.S))
    plan = (RecordedPlay(1, 3), RecordedPlay(2, 1))
    secret = [PrintedEtui(1, Seat.W, Seat.N, deal_etui(SEED, 1).deal, told)]
    assert document(EVENING, secret, language="fr") == document(
        EVENING, [PrintedEtui(1, Seat.W, Seat.N, None, plan)], language="fr"
    )


def test_a_fiche_has_a_line_for_each_play_in_order_of_position():
    (page,) = printed(
        pdf.fiches(
            EVENING, [PrintedEtui(4, Seat.N, Seat.E, plays=(RecordedPlay(2, 5), RecordedPlay(1, 11)))], language="en"
        )
    )
    table = page[page.index("Chien, written before the first card") + 1 : -2]
    assert table == ["Topage", "Position", "Table", "+", "−", "Attack", "Defence", "1", "11", "2", "5"]


@pytest.mark.parametrize(("lines", "pages", "sheets"), [(7, 1, []), (9, 1, []), (10, 2, []), (17, 4, ["1/2", "2/2"])])
def test_fiches_grow_with_their_lines(lines, pages, sheets):
    found = printed(pdf.fiches(SetHeading("A"), [PrintedEtui()] * 4, language="en", lines=lines))
    assert len(found) == pages
    titles = [run.removeprefix("FICHE AMBULANTE").strip() for page in found for run in page if "FICHE" in run]
    assert titles == (sheets or [""]) * 4


def test_hand_records_rank_the_plays_and_write_notes_as_the_language_does():
    plays = (
        play(1, 2, -56, (Fraction(100, 6), Fraction(500, 6))),
        play(2, 4),
        play(3, 6, 62, (Fraction(100), Fraction(0))),
    )
    (etui,) = etuis(1, plays=plays)
    for language in ("fr", "en"):
        (page,) = printed(pdf.hand_records(EVENING, [etui], language=language))
        table = [run for run in page if re.fullmatch(r"P\d[NESW]|62|56|[\d.,]+[.,]\d|–", run)]
        comma = "," if language == "fr" else "."
        assert table == [
            *("P3N", "P3E", "P3S", "P3W", "62", f"100{comma}0", f"0{comma}0"),
            *("P1N", "P1E", "P1S", "P1W", "56", f"16{comma}7", f"83{comma}3"),
            *("P2N", "P2E", "P2S", "P2W", "–", "–"),
        ]


def test_hand_records_put_one_note_a_seat_beside_the_names():
    notes = (Fraction(100), Fraction(0), Fraction(200, 3), None)
    etui = PrintedEtui(1, None, Seat.N, None, (play(1, 2, 25, notes, taker=Seat.E),))
    (page,) = printed(pdf.hand_records(EVENING, [etui], language="en"))
    row = page[page.index("P1N") :][:9]
    assert row == ["P1N", "100.0", "P1E", " (Taker)", "0.0", "P1S", "66.7", "P1W", "–"]


def test_hand_records_tell_what_is_missing():
    text = flat(pdf.hand_records(EVENING, [PrintedEtui(1, Seat.W, Seat.N)], language="en"))
    assert "were dealt at the table" in text
    assert "was not played" in text


@pytest.mark.parametrize("players", [3, 4, 5])
def test_hand_records_show_every_card_of_the_deal(players):
    heading = SetHeading("", players=players)
    (page,) = printed(pdf.hand_records(heading, etuis(1, players), language="en"))
    faces = Counter(run for run in page if run.isdigit() or run in HONOURS)
    faces["1"] -= 1  # the étui's number
    assert faces == Counter(SLIP)


@pytest.mark.nightly("print")
@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_documents_lay_out_without_a_warning_and_the_same_each_time(document, players, compiled):
    chosen = etuis(3, players, (play(1, players=players), play(2, players=players)))
    heading = SetHeading("Set", players=players)
    first = document(heading, chosen, language="fr").typeset()
    forget_documents()
    assert document(heading, chosen, language="fr").typeset() == first
    ((layout,), options) = compiled[0]
    assert typst.compile_with_warnings(layout, **options)[1] == []


def test_typst_forgets_what_it_keeps_of_many_documents_before_it_fills_the_memory(compiled, monkeypatch):
    monkeypatch.setattr(pdf, "document_sizes", [])
    document = pdf.labels(EVENING, etuis(1), language="fr").typeset()
    assert [layout for (layout,), _ in compiled if layout == b""] == []
    monkeypatch.setattr(pdf, "MOST_KEPT", 3 * len(document))
    for _ in range(3):
        pdf.labels(EVENING, etuis(1), language="fr").typeset()
    assert [layout for (layout,), _ in compiled if layout == b""] == [b""] * 11
    assert pdf.document_sizes == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_long_names_wrap_and_are_never_cut(document):
    name = " ".join(f"Mot{number}" for number in range(20))
    heading = SetHeading(name, name.replace("Mot", "Word"))
    text = re.sub(r"\s+", " ", flat(document(heading, etuis(1), language="fr")))
    for word in (*name.split(), *heading.tournament.split()):
        assert word in text


@pytest.mark.parametrize("document", DOCUMENTS)
def test_names_are_text_and_never_markup(document):
    name = '#panic("x") *b* $y$ <a> @b'
    assert name in re.sub(" +", " ", flat(document(SetHeading(name), etuis(1), language="fr")))


@pytest.mark.nightly("print")
@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_word_comes_from_the_catalogue_in_the_language_asked_for(document, monkeypatch):
    def marked(text):
        return f"‹{translation.get_language()}:{len(text)}›"

    catalogue = translation._trans  # all functions of Django use it, the lazy ones too
    monkeypatch.setattr(catalogue, "gettext", marked)
    monkeypatch.setattr(catalogue, "pgettext", lambda context, text: marked(text))
    monkeypatch.setattr(catalogue, "ngettext", lambda one, many, count: marked(many))
    for language in ("fr", "en"):
        text = flat(
            document(
                SetHeading(""),
                [*etuis(2, plays=(RecordedPlay(1, 1), RecordedPlay(2, 2))), PrintedEtui()],
                language=language,
            )
        )
        assert set(re.findall(r"‹(\w+):", text.lower())) == {language}
        assert set(re.findall(r"[^\W\d_]+", re.sub(r"‹\w+:\d+›", "", text, flags=re.I))) <= {*HONOURS}


@pytest.mark.parametrize(
    ("heading", "etui", "message"),
    [
        (EVENING, PrintedEtui(1, deal=deal_etui(SEED, 1, 5).deal), "a deal for 5 in a set for 4"),
        (SetHeading("", players=3), PrintedEtui(1, Seat.W, Seat.N), "no such seat at a table of 3"),
        (EVENING, PrintedEtui(1, plays=(RecordedPlay(1, 1, ("Anne", "Bob")),)), "names and notes are one a seat"),
    ],
)
@pytest.mark.parametrize("document", [pdf.diagrams, pdf.labels, pdf.fiches, pdf.hand_records])
def test_values_that_do_not_fit_together_are_refused(document, heading, etui, message):
    with pytest.raises(ValueError, match=message):
        document(heading, [etui], language="fr")


def test_wrong_headings_and_hands_are_refused():
    with pytest.raises(ValueError, match="6 players"):
        SetHeading("", players=6)
    with pytest.raises(ValueError, match="write it as #rrggbb"):
        SetHeading("", ink="red")
    with pytest.raises(ValueError, match="'F' is no hand"):
        pdf.diagrams(EVENING, etuis(1), language="fr", only="F")
    with pytest.raises(ValueError, match="at least one line"):
        pdf.fiches(EVENING, [PrintedEtui()], language="fr", lines=0)


def test_fiche_where_the_table_bids_has_room_for_taker_and_contract():
    heading = SetHeading("étuis", "Libre")
    bid = flat(pdf.fiches(heading, [PrintedEtui(1, None, Seat.N)], language="en"))
    imposed = flat(pdf.fiches(heading, [PrintedEtui(1, Seat.W, Seat.N)], language="en"))
    assert ("Contract" in bid, "Topage" in bid, "West" in bid) == (True, False, False)
    assert ("Contract" in imposed, "Topage" in imposed, "West" in imposed) == (False, True, True)

"""The A4 PDFs of deal sets. The program typst makes them from the layouts beside this file.

Each function gets values and returns sheets; the same values give the same bytes. The caller decides who may have a
document. Until the session is published, only directors may have documents with cards. Labels and fiches show no card
and are for everybody. Honours are V C D R in every language, as on the cards, with a legend.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import typst
from django.utils import translation
from django.utils.formats import get_format

from deals.domain.cards import CARDS, CHIEN, by_suit, seats, show_card
from deals.domain.deal import places
from deals.exports.documents import PrintedEtui, RecordedPlay, SetHeading, check_printed_etuis, list_document_words
from wording.figures import write_decimal

# Only the fonts that are part of typst are used, so that a document looks the same on every machine. Reading the fonts
# takes some milliseconds, so they are read only once.
POINTS_AN_INCH = 72
JOINED = Path(__file__).parent / "typst" / "joined.typ"  # typst reads no file outside the folder of the documents
FONTS = typst.Fonts(include_system_fonts=False)


# When documents have this number of bytes in all, typst's cache is cleared. The cache takes about sixty times as many
# bytes as the documents: a gigabyte for ten large ones. Clearing it takes half as long as making one document.
MOST_KEPT = 1_000_000
document_sizes: list[int] = []


class Sheets(NamedTuple):
    """A document that is not typeset yet. Its layout reads `data` as JSON, and other layouts below `root`."""

    layout: Path
    data: Mapping[str, Any]
    root: Path

    def typeset(self) -> bytes:
        """Return the PDF, as bytes."""
        return compile_layout(self.layout, self.data, self.root)


def draw_layout(layout: Path, data: Mapping[str, object], *, root: Path) -> bytes:
    """Return the PNG of a layout of one page, as bytes, with one pixel for each point (1/72 inch)."""
    return compile_layout(layout, data, root, format="png", ppi=POINTS_AN_INCH)


def compile_layout(layout: Path, data: Mapping[str, object], root: Path, **kind: Any) -> bytes:
    inputs = {"data": json.dumps(data)}
    document: bytes = typst.compile(str(layout), root=str(root), sys_inputs=inputs, font_paths=FONTS, **kind)
    document_sizes.append(len(document))
    if sum(document_sizes) > MOST_KEPT:
        forget_documents()
    return document


def count_pages(document: bytes) -> int:
    """Return the number of pages of a PDF that typst has made."""
    return len(re.findall(rb"/Type/Page\b", document))


def join_documents(documents: Sequence[bytes]) -> bytes:
    """Return one PDF with the pages of these PDFs in order, each in its own size. Their text can still be selected.

    Typst must have made the documents.
    """
    with TemporaryDirectory() as folder:
        root, names = Path(folder), [f"{number}.pdf" for number in range(len(documents))]
        for name, document in zip(names, documents, strict=True):
            (root / name).write_bytes(document)
        layout = root / JOINED.name
        copyfile(JOINED, layout)
        papers = [{"name": name, "pages": count_pages(each)} for name, each in zip(names, documents, strict=True)]
        return compile_layout(layout, {"papers": papers}, root)


def forget_documents() -> None:
    """Clear typst's cache of the last documents.

    Typst has no command for this, but it drops a result that ten later documents did not use. So it makes empty
    documents.
    """
    document_sizes.clear()
    for _ in range(11):
        typst.compile(b"", font_paths=FONTS)


LAYOUTS = Path(__file__).parent / "typst"
EXCUSE = "★"
SMALL_FICHE, LARGE_FICHE = 9, 16  # the most lines of a fiche on a quarter and on a half of A4


def diagrams(
    heading: SetHeading, etuis: Sequence[PrintedEtui], *, language: str, only: str | None = None, tinted: bool = True
) -> Sheets:
    """Return the sheets of diagrams, ten on a page with cut marks, each for one hand of one étui.

    A diagram shows all 78 cards, with the cards of the hand circled, or none if the hand is unknown. It fits into the
    pocket of an étui. `only` ("N" … "chien") prints the diagrams of one hand alone, for coloured paper; then `tinted`
    may be False.
    """
    check_printed_etuis(heading, etuis)
    chosen = places(heading.players) if only is None else (only,)
    if not set(chosen) <= set(places(heading.players)):
        raise ValueError(f"{only!r} is no hand at a table of {heading.players}")
    numbers = [places(heading.players).index(place) for place in chosen]
    slips = [
        {
            **_front(heading, etui),
            "place": place,
            "held": None if etui.deal is None else etui.deal.piles[number],
        }
        for etui in etuis
        for place, number in zip(chosen, numbers, strict=True)
    ]
    deck = [[[card, _face(card)] for card in group] for group in by_suit(range(CARDS))]
    return _render("diagrams", heading, language, slips=slips, deck=deck, tinted=tinted)


def building_list(heading: SetHeading, etuis: Sequence[PrintedEtui], *, language: str) -> Sheets:
    """Return the sheets for the person who sorts the cards into the étuis: each hand and the chien, suit by suit.

    Étuis whose cards are unknown are left out.
    """
    etuis = [etui for etui in etuis if etui.deal is not None]
    check_printed_etuis(heading, etuis)
    rows = [{**_front(heading, etui), **_hands(heading, etui)} for etui in etuis]
    return _render("building_list", heading, language, etuis=rows)


def labels(heading: SetHeading, etuis: Sequence[PrintedEtui], *, language: str) -> Sheets:
    """Return the labels for étuis, eight on a page: number, orientation, taker, dealer and leader. No cards."""
    check_printed_etuis(heading, etuis)
    rows = [_front(heading, etui) for etui in etuis]
    return _render("labels", heading, language, etuis=rows, seats=seats(heading.players))


def fiches(heading: SetHeading, etuis: Sequence[PrintedEtui], *, language: str, lines: int = 7) -> Sheets:
    """Return the sheets of fiches ambulantes, to be folded, with a line for each play of an étui in order of position.

    Fiches show no cards and no scores. If no étui names a taker, each line has room for the taker and the contract. An
    étui without planned plays gets `lines` empty lines. A page has four fiches of up to 9 lines, or two of up to 16. A
    fiche with more lines continues on the next sheet.
    """
    check_printed_etuis(heading, etuis)
    if lines < 1:
        raise ValueError("a fiche needs at least one line")
    plans = [[(play.position, play.table) for play in sorted(etui.plays, key=_in_order)] for etui in etuis]
    rows: list[list[tuple[int, int] | None]] = [[*plan] or [None] * lines for plan in plans]
    most = SMALL_FICHE if all(len(row) <= SMALL_FICHE for row in rows) else LARGE_FICHE
    sheets = [
        {
            **_front(heading, etui),
            "lines": row[start : start + most],
            "sheet": f"{start // most + 1}/{-(-len(row) // most)}" if len(row) > most else "",
        }
        for etui, row in zip(etuis, rows, strict=True)
        for start in range(0, len(row), most)
    ]
    return _render(
        "fiches",
        heading,
        language,
        sheets=sheets,
        small=most == SMALL_FICHE,
        chien=CHIEN[heading.players],
        bids=any(etui.number for etui in etuis) and not any(etui.taker for etui in etuis),
    )


def hand_records(heading: SetHeading, etuis: Sequence[PrintedEtui], *, language: str) -> Sheets:
    """Return the sheets that players get after the event: all hands of each étui, the chien, and the plays.

    The plays are sorted from the best base score to the worst.
    """
    check_printed_etuis(heading, etuis)
    with translation.override(language):
        rows = [
            {
                **_front(heading, etui),
                **(_hands(heading, etui) if etui.deal else {"hands": None}),
                "plays": [_play(heading, etui, play) for play in sorted(etui.plays, key=_by_score)],
            }
            for etui in etuis
        ]
    return _render("hand_records", heading, language, etuis=rows, seats=seats(heading.players))


def _render(layout: str, heading: SetHeading, language: str, **data: object) -> Sheets:
    with translation.override(language):
        head = {"name": heading.name, "tournament": heading.tournament, "colour": heading.colour, "ink": heading.ink}
        data |= {"words": list_document_words(heading.players), "heading": head, "language": language}
    return Sheets(LAYOUTS / f"{layout}.typ", data, LAYOUTS)


def _front(heading: SetHeading, etui: PrintedEtui) -> dict[str, object]:
    """Return the data that is printed on the outside of an étui. None of it is secret."""
    return {
        "number": etui.number,
        "taker": etui.taker,
        "dealer": etui.dealer,
        "leader": etui.leader(heading.players),
    }


def _hands(heading: SetHeading, etui: PrintedEtui) -> dict[str, object]:
    """Return every hand, the chien last. Each has five groups of cards as texts, from high to low."""
    assert etui.deal is not None
    return {
        "hands": [
            {"place": place, "suits": [[_face(card) for card in group] for group in by_suit(pile)]}
            for place, pile in zip(places(heading.players), etui.deal.piles, strict=True)
        ]
    }


def _face(card: int) -> str:
    """Return the text of a card without its suit: `R`, `10`, `17`, or a star for the Excuse."""
    return show_card(card).lstrip("♠♥♦♣").replace("*", EXCUSE)


def _in_order(play: RecordedPlay) -> tuple[int, int]:
    return play.position, play.table


def _by_score(play: RecordedPlay) -> tuple[bool, int, int, int]:
    """Return the sort key of a play: the highest base score first, plays without a score last.

    Plays with the same score are in order of position and table.
    """
    return play.score is None, -(play.score or 0), *_in_order(play)


def _play(heading: SetHeading, etui: PrintedEtui, play: RecordedPlay) -> dict[str, object]:
    """Return the texts of a play's line.

    The base score stands in the column + or −. Notes have one decimal, written as in the active language. A note that
    the arbiter fixed has a § before it.
    """
    point, table = get_format("DECIMAL_SEPARATOR"), seats(heading.players)
    one_a_seat = len(play.notes) == len(table)
    signs = ["§ " if one_a_seat and seat in play.fixed else "" for seat in table]
    return {
        "position": play.position,
        "table": play.table,
        "names": play.names,
        "taker": etui.taker or play.taker,
        "plus": str(play.score) if play.score is not None and play.score >= 0 else "",
        "minus": str(-play.score) if play.score is not None and play.score < 0 else "",
        "notes": [sign + write_decimal(note, 1, point) for sign, note in zip(signs, play.notes, strict=False)],
        "fixed": bool(play.fixed),
    }

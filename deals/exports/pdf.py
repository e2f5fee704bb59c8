"""Deal sets as A4 PDF, set by typst from the layouts beside this file: values in, bytes out.

Knows how each document reads; not who may have it: a document with cards is for directors until the session is
published, labels and fiches are for everybody and carry no card. The same values give the same bytes. Honours are
V C D R in every language, as on the cards, with a legend.
"""

from collections.abc import Sequence
from pathlib import Path

from django.utils import translation
from django.utils.formats import get_format

from deals.domain.cards import CARDS, CHIEN, by_suit, seats, sign
from deals.domain.deal import places
from deals.exports.typesetting import typeset
from deals.exports.values import PrintedBoard, RecordedPlay, SetHeading, check
from deals.exports.words import words
from texts.decimals import write_decimal

LAYOUTS = Path(__file__).parent / "typst"
EXCUSE = "★"
SMALL_FICHE, LARGE_FICHE = 9, 16  # lines with room for a pen on a quarter and on a half of A4


def diagrams(
    heading: SetHeading, boards: Sequence[PrintedBoard], *, language: str, only: str | None = None, tinted: bool = True
) -> bytes:
    """Pocket-size hand diagrams, ten a page with cut marks: 78 cards, the hand's circled, none where it is unknown.

    `only` ("N" … "chien") prints the slips of one hand alone, for a sheaf of coloured paper; then no tint is wanted.
    """
    check(heading, boards)
    chosen = places(heading.players) if only is None else (only,)
    if not set(chosen) <= set(places(heading.players)):
        raise ValueError(f"{only!r} is no hand at a table of {heading.players}")
    numbers = [places(heading.players).index(place) for place in chosen]
    slips = [
        {
            **_front(heading, board),
            "place": place,
            "held": None if board.deal is None else board.deal.piles[number],
        }
        for board in boards
        for place, number in zip(chosen, numbers, strict=True)
    ]
    deck = [[[card, _face(card)] for card in group] for group in by_suit(range(CARDS))]
    return _render("diagrams", heading, language, slips=slips, deck=deck, tinted=tinted)


def building_list(heading: SetHeading, boards: Sequence[PrintedBoard], *, language: str) -> bytes:
    """For who sorts the cards into the pockets: each hand and the chien, suit by suit; no board without cards."""
    boards = [board for board in boards if board.deal is not None]
    check(heading, boards)
    rows = [{**_front(heading, board), **_hands(heading, board)} for board in boards]
    return _render("building_list", heading, language, boards=rows)


def labels(heading: SetHeading, boards: Sequence[PrintedBoard], *, language: str) -> bytes:
    """Labels for the étuis, eight a page: number, orientations, taker, dealer and who leads; no card."""
    check(heading, boards)
    rows = [_front(heading, board) for board in boards]
    return _render("labels", heading, language, boards=rows, seats=seats(heading.players))


def fiches(heading: SetHeading, boards: Sequence[PrintedBoard], *, language: str, lines: int = 7) -> bytes:
    """Fiches ambulantes, to be folded: a line for each play of a board in order of position, no card and no score.

    Where no board names a taker the table bids, and each line has room for the taker and the contract.
    A board without plays gets `lines` empty lines. Four a page up to 9 lines, two up to 16; beyond, further sheets.
    """
    check(heading, boards)
    if lines < 1:
        raise ValueError("a fiche needs at least one line")
    plans = [[(play.position, play.table) for play in sorted(board.plays, key=_in_order)] for board in boards]
    rows: list[list[tuple[int, int] | None]] = [[*plan] or [None] * lines for plan in plans]
    most = SMALL_FICHE if all(len(row) <= SMALL_FICHE for row in rows) else LARGE_FICHE
    sheets = [
        {
            **_front(heading, board),
            "lines": row[start : start + most],
            "sheet": f"{start // most + 1}/{-(-len(row) // most)}" if len(row) > most else "",
        }
        for board, row in zip(boards, rows, strict=True)
        for start in range(0, len(row), most)
    ]
    return _render(
        "fiches",
        heading,
        language,
        sheets=sheets,
        small=most == SMALL_FICHE,
        chien=CHIEN[heading.players],
        bids=any(board.number for board in boards) and not any(board.taker for board in boards),
    )


def hand_records(heading: SetHeading, boards: Sequence[PrintedBoard], *, language: str) -> bytes:
    """After the event: all hands round the compass, the chien, and the plays from the best base score to the worst."""
    check(heading, boards)
    with translation.override(language):
        rows = [
            {
                **_front(heading, board),
                **(_hands(heading, board) if board.deal else {"hands": None}),
                "plays": [_play(heading, board, play) for play in sorted(board.plays, key=_by_score)],
            }
            for board in boards
        ]
    return _render("hand_records", heading, language, boards=rows, seats=seats(heading.players))


def _render(layout: str, heading: SetHeading, language: str, **data: object) -> bytes:
    with translation.override(language):
        head = {"name": heading.name, "tournament": heading.tournament, "colour": heading.colour, "ink": heading.ink}
        data |= {"words": words(heading.players), "heading": head, "language": language}
    return typeset(LAYOUTS / f"{layout}.typ", data, root=LAYOUTS)


def _front(heading: SetHeading, board: PrintedBoard) -> dict[str, object]:
    """What the outside of an étui says, which is no secret."""
    return {
        "number": board.number,
        "taker": board.taker,
        "dealer": board.dealer,
        "leader": board.leader(heading.players),
    }


def _hands(heading: SetHeading, board: PrintedBoard) -> dict[str, object]:
    """Every hand, the chien last, as five groups of card faces from high to low."""
    assert board.deal is not None
    return {
        "hands": [
            {"place": place, "suits": [[_face(card) for card in group] for group in by_suit(pile)]}
            for place, pile in zip(places(heading.players), board.deal.piles, strict=True)
        ]
    }


def _face(card: int) -> str:
    """A card without its suit: `R`, `10`, `17`, a star for the Excuse."""
    return sign(card).lstrip("♠♥♦♣").replace("*", EXCUSE)


def _in_order(play: RecordedPlay) -> tuple[int, int]:
    return play.position, play.table


def _by_score(play: RecordedPlay) -> tuple[bool, int, int, int]:
    """The best for the taker first, then in order of play; those without a score last."""
    return play.score is None, -(play.score or 0), *_in_order(play)


def _play(heading: SetHeading, board: PrintedBoard, play: RecordedPlay) -> dict[str, object]:
    """A play as its line shows it: the amount under + or −, the notes with one decimal in the active language, and with
    the sign of those that the arbiter has fixed."""
    point, table = get_format("DECIMAL_SEPARATOR"), seats(heading.players)
    one_a_seat = len(play.notes) == len(table)
    signs = ["§ " if one_a_seat and seat in play.fixed else "" for seat in table]
    return {
        "position": play.position,
        "table": play.table,
        "names": play.names,
        "taker": board.taker or play.taker,
        "plus": str(play.score) if play.score is not None and play.score >= 0 else "",
        "minus": str(-play.score) if play.score is not None and play.score < 0 else "",
        "notes": [sign + write_decimal(note, 1, point) for sign, note in zip(signs, play.notes, strict=False)],
        "fixed": bool(play.fixed),
    }

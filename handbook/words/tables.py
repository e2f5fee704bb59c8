"""The tables that pages of the handbook name in blocks `figure`, in the active language.

Their figures come from the code that scores results.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from deals.domain.cards import CHIEN, EXCUSE, HAND, LINES, half_points
from scoring.contract import FFT, Contract, DealResult, Poignee, Side, marks, score_deal
from scoring.notes import complement, topage
from tournaments.words.figures import percent, show_points
from tournaments.words.messages import label, say_line, show_signed

# FFT 2012 p. 9: a Garde with 2 bouts and 49 points, a simple poignée, the petit au bout to the taker.
EXAMPLE = DealResult(
    players=4,
    contract=Contract.GARDE,
    bouts=2,
    half_points=98,
    petit_au_bout=Side.ATTACK,
    poignees_attack=(Poignee.SIMPLE,),
)
ROI, DAME, CAVALIER, VALET = 27, 26, 25, 24  # cards of hearts
PAIRS = ((ROI, 6), (DAME, 47), (CAVALIER, 3), (VALET, 61), (8, 64))
WORTHS = ((76, 56, EXCUSE), (13, 27, 41, 55), (12, 26, 40, 54), (11, 25, 39, 53), (10, 24, 38, 52), (9, 19, 60))
TOPAGE = (56, 62, -56, -52, 50)  # one étui at five tables: FFT 2012 p. 17
TABLES = ((3, None), (4, None), (5, True), (5, False))


@dataclass(frozen=True, slots=True)
class FigureCell:
    """A cell of a table: cards to draw, then a text."""

    text: str = ""
    cards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FigureTable:
    """A table of figures. The first column names the rows; columns in `wide` have sentences, the others figures."""

    name: str
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[FigureCell, ...], ...]
    wide: frozenset[int] = frozenset({0})


def make_table(name: str) -> FigureTable:
    """Return the table with this name. Raise KeyError if there is none."""
    return MAKERS[name]()


def row(*cells: object) -> tuple[FigureCell, ...]:
    """Return a row of cells with these texts."""
    return tuple(each if isinstance(each, FigureCell) else FigureCell(str(each)) for each in cells)


def capitalise(text: str) -> str:
    """Return the text with a capital letter first."""
    return text[:1].upper() + text[1:]


def make_worths() -> FigureTable:
    """Return the points of each card."""
    rows = [
        row(
            FigureCell(_("and every other card") if cards == WORTHS[-1] else "", cards),
            show_points(half_points(cards[0])),
        )
        for cards in WORTHS
    ]
    return FigureTable("worths", _("What each card is worth"), (_("Card"), _("Points")), tuple(rows))


def make_pairs() -> FigureTable:
    """Return pairs of a card of value and a plain one, with their points."""
    rows = tuple(row(FigureCell("", pair), sum(map(half_points, pair)) // 2) for pair in PAIRS)
    return FigureTable("pairs", _("Two cards together"), (_("Cards"), _("Points")), rows)


def make_deal_sizes() -> FigureTable:
    """Return the sizes of hands and chien by the number of players."""
    rows = tuple(row(players, HAND[players], CHIEN[players]) for players in HAND)
    head = (_("Players"), _("Cards in a hand"), _("Cards in the chien"))
    return FigureTable("deal_sizes", _("How many cards each has"), head, rows)


def make_targets() -> FigureTable:
    """Return the points that the taker needs, by bouts."""
    rows = tuple(row(bouts, target) for bouts, target in enumerate(FFT.targets))
    return FigureTable("targets", _("The target of the taker"), (_("Bouts of the taker"), _("Points to make")), rows)


def make_contracts() -> FigureTable:
    """Return the contracts with their multipliers and the use of the chien."""
    taken = _("is shown; the taker takes it in and discards as many cards")
    chien = {
        Contract.GARDE_SANS: _("stays hidden and counts for the taker"),
        Contract.GARDE_CONTRE: _("stays hidden and counts for the defence"),
    }
    rows = tuple(
        row(label("contract", name), value, chien.get(name, taken)) for name, value in FFT.coefficients.items()
    )
    head = (_("Contract"), "×", _("The chien"))
    return FigureTable("contracts", _("The four contracts, from the lowest"), head, rows, frozenset({0, 2}))


def make_poignees() -> FigureTable:
    """Return the bonuses of poignées, and the trumps that they take at each number of players."""
    rows = tuple(
        row(capitalise(label("poignee", name)), worth, *(FFT.poignee_trumps[players][name] for players in HAND))
        for name, worth in FFT.poignees.items()
    )
    caption = _("What a poignée is worth, and how many trumps it takes at 3, 4 and 5 players")
    return FigureTable("poignees", caption, (_("Poignée"), _("Worth"), *map(str, HAND)), rows)


def make_chelems() -> FigureTable:
    """Return the bonuses of chelems."""
    rows = tuple(
        row(capitalise(label("chelem", name)), show_signed(worth)) for name, worth in FFT.chelems.items() if worth
    )
    return FigureTable("chelems", _("What a chelem adds to the base score"), (_("Chelem"), _("Worth")), rows)


def make_marks() -> FigureTable:
    """Return the marks of each seat for a base score of 100, by the number of players."""
    names = {True: _("with a partner"), False: _("alone")}
    rows = []
    for players, partner in TABLES:
        mark = marks(100, players, partner)
        shared = "–" if mark.partner is None else show_signed(mark.partner)
        name = str(players) if partner is None else f"{players}, {names[partner]}"
        rows.append(row(name, show_signed(mark.taker), shared, show_signed(mark.defender)))
    head = (_("Players"), _("Taker"), _("Partner"), _("Each defender"))
    return FigureTable("marks", _("Marks for a base score of +100"), head, tuple(rows))


def make_example() -> FigureTable:
    """Return the lines that add up to the base score of the regulation's first example."""
    score = score_deal(EXAMPLE)
    rows = [row(say_line(line), show_signed(line.amount)) for line in score.lines]
    rows.append(row(_("Base score"), show_signed(score.base_score)))
    return FigureTable("example", _("The example, line by line"), (_("What"), _("Amount")), tuple(rows))


def make_topage() -> FigureTable:
    """Return the notes of one étui at five tables."""
    rows = tuple(
        row(show_signed(score), percent(note, 0), percent(complement(note), 0))
        for note, score in sorted(zip(topage(TOPAGE), TOPAGE, strict=True), reverse=True)
    )
    head = (_("Base score"), _("Taker’s note"), _("Each defender’s note"))
    return FigureTable("topage", _("One étui at five tables"), head, rows)


def make_seating() -> FigureTable:
    """Return the lines of a table in the direction of play, with their colours."""
    colours = {"N": _("yellow"), "W": _("green"), "S": _("blue"), "E": _("red")}
    rows = tuple(row(label("line", line), colours[line]) for line in sorted(LINES, key="NWSE".index))
    head = (_("Line"), _("Colour"))
    return FigureTable("seating", _("The lines in the direction of play"), head, rows, frozenset({0, 1}))


MAKERS: Mapping[str, Callable[[], FigureTable]] = {
    "worths": make_worths,
    "pairs": make_pairs,
    "deal_sizes": make_deal_sizes,
    "targets": make_targets,
    "contracts": make_contracts,
    "poignees": make_poignees,
    "chelems": make_chelems,
    "marks": make_marks,
    "example": make_example,
    "topage": make_topage,
    "seating": make_seating,
}

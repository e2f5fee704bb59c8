"""The handbook in the language of the reader: its files, its figures, its tables, and the search for its pages.

The figures come from the code that scores results.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from clubs.names import words_of
from deals.domain.cards import CARDS, CHIEN, EXCUSE, HAND, LINES, PETIT, TRUMP_21, half_points
from handbook.deals import LANGUAGES, ShownDeal, read_shown_deal
from handbook.exercises import Exercise, read_exercise
from handbook.pages import Page, read_page
from scoring.contract import FFT, Contract, DealResult, Poignee, Side, marks, score_deal
from scoring.formats import find_format
from scoring.notes import complement, topage
from scoring.values import Chelem
from tournaments.words.figures import percent, show_points
from tournaments.words.messages import label, say_line, show_signed

CUSTOM = "custom"  # the source of a figure that no regulation has
# One example card for each worth.
WORTHS = {"bout": TRUMP_21, "roi": 13, "dame": 12, "cavalier": 11, "valet": 10, "plain": 9}
HALF, QUARTERS = "½", {1: "¼", 2: "½", 3: "¾"}


def list_figures() -> dict[str, str]:
    """Return the text of each figure in the active language, by the name of its placeholder."""
    figures: dict[str, object] = {
        "deck": CARDS,
        "points": sum(map(half_points, range(CARDS))) // 2,
        "trumps": TRUMP_21 - PETIT + 1,
        "base": FFT.base,
        "petit": FFT.petit_au_bout,
    }
    for players in HAND:
        figures |= {f"hand.{players}": HAND[players], f"chien.{players}": CHIEN[players]}
        figures |= {f"shown.{players}.{name}": trumps for name, trumps in FFT.poignee_trumps[players].items()}
    figures |= {f"target.{bouts}": target for bouts, target in enumerate(FFT.targets)}
    figures |= {f"coefficient.{name}": value for name, value in FFT.coefficients.items()}
    figures |= {f"poignee.{name}": value for name, value in FFT.poignees.items()}
    figures |= {f"chelem.{name}": show_signed(value) for name, value in FFT.chelems.items() if value}
    figures["chelem.made"] = show_signed(FFT.chelems[Chelem.UNANNOUNCED_MADE])
    figures |= {f"worth.{name}": show_halves(half_points(card)) for name, card in WORTHS.items()}
    weight = find_format("individual").attack_weight
    assert weight is not None
    figures |= {"share.attack": show_share(weight), "share.defence": show_share(1 - weight)}
    return {name: str(value) for name, value in figures.items()}


def say_sources(sources: Sequence[str]) -> str:
    """Return the sources of a page in one line in the active language, "" without sources."""
    named = [_("custom of players, which no regulation has") if each == CUSTOM else each for each in sources]
    return " ".join((_("Sources:"), " · ".join(named))) if named else ""


def show_halves(half: int) -> str:
    """Return half points with the sign of a half: 9 is "4½", 1 is "½"."""
    whole, rest = divmod(half, 2)
    return f"{whole or ''}{HALF if rest else ''}" or show_points(half)


def show_share(share: Fraction) -> str:
    """Return a share of one, in quarters, as its sign: 3/4 is "¾"."""
    return QUARTERS[int(share * 4)]


FOLDER = settings.BASE_DIR / "handbook"
SOURCE = "en"


class Chapter(NamedTuple):
    """A part of the handbook: its key, its title in the language of the reader, and the slugs of its pages."""

    key: str
    title: str
    slugs: tuple[str, ...]


def find_language() -> str:
    """Return the active language if the handbook has it, otherwise English."""
    language = translation.get_language() or SOURCE
    return language if language in LANGUAGES else SOURCE


def list_chapters(language: str) -> list[Chapter]:
    """Return the parts of the handbook in order."""
    return [Chapter(part["key"], part[language], tuple(part["pages"])) for part in read_contents()]


@cache
def read_contents() -> list[dict[str, str]]:
    """Return the tables of contents.toml."""
    parts: list[dict[str, str]] = tomllib.loads(read_text("contents.toml"))["parts"]
    return parts


@cache
def list_slugs() -> tuple[str, ...]:
    """Return the slugs of all pages in order."""
    return tuple(slug for part in read_contents() for slug in part["pages"])


@cache
def open_page(language: str, slug: str) -> Page:
    """Return a page that the contents list. Its links are as they are written."""
    with translation.override(language):
        return read_page(read_text(f"{language}/{slug}.md"), list_figures())


@cache
def open_deal(key: str) -> ShownDeal:
    """Return a deal by its key. Raise KeyError if there is none."""
    if key not in list_keys("deals"):
        raise KeyError(key)
    return read_shown_deal(key, read_text(f"deals/{key}.toml"))


@cache
def open_exercise(key: str) -> Exercise:
    """Return an exercise by its key. Raise KeyError if there is none."""
    if key not in list_keys("exercises"):
        raise KeyError(key)
    return read_exercise(key, read_text(f"exercises/{key}.toml"))


@cache
def list_keys(folder: str) -> tuple[str, ...]:
    """Return the keys of all files in `deals` or `exercises`, in order."""
    return tuple(sorted(path.stem for path in (FOLDER / folder).glob("*.toml")))


def list_exercises() -> Iterator[Exercise]:
    """Yield the exercises in the order of their pages, then of their keys."""
    slugs = list_slugs()
    opened = map(open_exercise, list_keys("exercises"))
    yield from sorted(opened, key=lambda each: (slugs.index(each.page), each.key))


def read_text(name: str) -> str:
    """Return the text of a file of the handbook."""
    return (FOLDER / name).read_text(encoding="utf-8")


def find_pages(words: Sequence[str], language: str) -> list[str]:
    """Return the slugs of the pages that have a word beginning with each of the words.

    `words` are simplified as `words_of` does it. Pages whose title fits come first, then the order of the handbook.
    """
    fitting = [slug for slug in list_slugs() if fits(words, words_of_page(language, slug))]
    return sorted(fitting, key=lambda slug: not fits(words, words_of_title(language, slug)))


def fits(words: Sequence[str], found: frozenset[str]) -> bool:
    """Return whether each of the words begins one of those found."""
    return bool(words) and all(any(each.startswith(word) for each in found) for word in words)


@cache
def words_of_title(language: str, slug: str) -> frozenset[str]:
    """Return the simplified words of a page's title."""
    return frozenset(words_of(open_page(language, slug).title))


@cache
def words_of_page(language: str, slug: str) -> frozenset[str]:
    """Return the simplified words of a page's title, description, keywords and headings."""
    page = open_page(language, slug)
    texts = (page.title, page.description, *page.keywords, *(heading.text for heading in page.headings))
    return frozenset(word for text in texts for word in words_of(text))


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
WORTH_CARDS = ((76, 56, EXCUSE), (13, 27, 41, 55), (12, 26, 40, 54), (11, 25, 39, 53), (10, 24, 38, 52), (9, 19, 60))
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
            FigureCell(_("and every other card") if cards == WORTH_CARDS[-1] else "", cards),
            show_points(half_points(cards[0])),
        )
        for cards in WORTH_CARDS
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

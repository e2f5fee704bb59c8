"""The parts of a handbook page as the template draws them: HTML of the text, tables, hands and tricks."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from deals.domain.cards import Seat
from handbook.answers import list_trick_steps
from handbook.deals import ShownDeal, ShownTrick
from handbook.pages import Block, Page, render_text, render_tokens
from handbook.words import FOLDER, FigureTable, find_language, make_table, open_deal, open_page
from pages.parts.cards import CardFace, face, faces
from pages.parts.replay import DrawnReplay, ReplayTable, draw_hands, draw_tricks, make_replay

CALCULATOR = "#calculator"


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A page before or after another one, or in a list: its slug, title and description."""

    slug: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """A part of a page: its kind ("text" or the kind of a block) and what its template needs."""

    kind: str
    content: Any


@dataclass(frozen=True, slots=True)
class DrawnCell:
    """A cell of a table: drawn cards, then a text."""

    text: str
    cards: list[CardFace]


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A table of figures, or the picture that shows the same."""

    table: FigureTable
    rows: list[list[DrawnCell]]


@dataclass(frozen=True, slots=True)
class DrawnDeal:
    """A deal: its hands, the chien, and the tricks that the page shows, if any."""

    deal: ShownDeal
    title: str
    text: SafeString
    hands: list[tuple[Seat, list[CardFace]]]
    chien: list[CardFace]
    replay: DrawnReplay | None


@cache
def stamp_handbook() -> str:
    """Return a digest of all files of the handbook. It is part of the ETag of each of its pages."""
    told = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*.*")):
        told.update(path.read_bytes())
    return told.hexdigest()


def find_address(target: str) -> str:
    """Return the address of a link's target: a page's slug with or without an anchor, an anchor, or a whole address."""
    if target == CALCULATOR:
        return reverse("rules") + CALCULATOR
    if ":" in target or target.startswith("#"):
        return target
    slug, mark, anchor = target.partition("#")
    return reverse("rules_page", args=[slug]) + mark + anchor


def name_page(slug: str) -> Neighbour:
    """Return the slug, title and description of a page in the reader's language."""
    page = open_page(find_language(), slug)
    return Neighbour(slug, page.title, page.description)


def draw_parts(page: Page, more: Mapping[str, Callable[[Block], Any]]) -> list[DrawnPart]:
    """Return the parts of a page in order. `more` has the functions that draw further kinds of blocks."""
    draw = {**DRAWN, **more}
    return [
        DrawnPart(part.kind, draw[part.kind](part)) if isinstance(part, Block) else draw_text(part)
        for part in page.parts
    ]


def draw_text(tokens: Any) -> DrawnPart:
    """Return a run of Markdown as HTML, without raw HTML from its author."""
    return DrawnPart("text", mark_safe(render_tokens(tokens, find_address)))


def draw_table(block: Block) -> DrawnTable:
    """Return the table of a block `figure`."""
    table = make_table(block.key)
    rows = [[DrawnCell(cell.text, [face(card) for card in cell.cards]) for cell in row] for row in table.rows]
    return DrawnTable(table, rows)


def draw_trick(block: Block) -> DrawnDeal:
    """Return a deal without its hands, with the one trick that a block `trick` names."""
    deal = open_deal(block.key)
    return make_drawing(deal, (deal.find_trick(block.number),), shows_hands=False)


def draw_deal(block: Block) -> DrawnDeal:
    """Return a deal without its tricks."""
    return make_drawing(open_deal(block.key), ())


def draw_replay(block: Block) -> DrawnDeal:
    """Return a deal with all of its tricks, through which a script moves."""
    deal = open_deal(block.key)
    return make_drawing(deal, deal.tricks, moves=True)


def make_drawing(
    deal: ShownDeal,
    tricks: tuple[ShownTrick, ...],
    *,
    shows_hands: bool = True,
    shows_winner: bool = True,
    moves: bool = False,
) -> DrawnDeal:
    """Return a deal as pages draw it. If it `moves` (a script shows it card by card), the legal cards are included."""
    language = find_language()
    return DrawnDeal(
        deal=deal,
        title=deal.titles[language],
        text=draw_words(deal.texts[language]) if shows_hands else mark_safe(""),
        hands=[(seat, faces(hand)) for seat, hand in deal.hands.items()] if shows_hands else [],
        chien=faces(deal.chien) if shows_hands else [],
        replay=draw_replayed(deal, tricks, shows_winner=shows_winner, moves=moves) if tricks else None,
    )


def draw_replayed(deal: ShownDeal, tricks: tuple[ShownTrick, ...], *, shows_winner: bool, moves: bool) -> DrawnReplay:
    """Return tricks of a deal, with their comments."""
    language, steps = find_language(), list_trick_steps(deal, tricks)
    drawn = draw_tricks(steps, deal.players, shows_winner=shows_winner, shows_legal=moves)
    comments = {trick.number: draw_words(trick.comments[language]) for trick in tricks}
    table = ReplayTable(
        [replace(trick, comment=comments[trick.number]) for trick in drawn],
        draw_hands(steps[0].steps[0].hands) if moves else [],
    )
    return make_replay([table], prefix=f"{deal.key}-", moves=moves)


def draw_words(text: str) -> SafeString:
    """Return a short Markdown text as HTML."""
    return mark_safe(render_text(text, find_address))


DRAWN: Mapping[str, Callable[[Block], Any]] = {
    "figure": draw_table,
    "deal": draw_deal,
    "trick": draw_trick,
    "replay": draw_replay,
}

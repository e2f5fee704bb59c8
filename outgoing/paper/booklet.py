"""The handbook as a printed booklet. Typst sets it from the same tokens as the pages."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from deals.domain.cards import by_suit, show_card
from deals.exports.pdf import Sheets
from handbook.deals import ShownDeal, ShownTrick
from handbook.exercises import Exercise
from handbook.pages import Block, Page, list_nodes, list_text_nodes
from handbook.words import list_chapters, make_table, open_deal, open_exercise, open_page, say_sources
from outgoing.paper import words as say
from outgoing.paper.pdf import LAYOUTS, PROJECT
from tournaments.words.messages import label

EXCUSE_SIGN = "★"  # the layouts draw it


@cache
def set_booklet(language: str) -> bytes:
    """Return the PDF of all pages of the handbook in one language. It is made once in a process."""
    with translation.override(language):
        chapters = [
            {"title": chapter.title, "pages": [write_page(slug, open_page(language, slug)) for slug in chapter.slugs]}
            for chapter in list_chapters(language)
            if chapter.slugs
        ]
        title = _("The game of Tarot")
        head = {"name": title, "tournament": "", "ink": ""}
        data = {
            "chapters": chapters,
            "title": title,
            "subtitle": _("The rules, and duplicate, as the Fédération Française de Tarot plays them"),
            "contents": _("Contents"),
            "exercise": _("Exercise"),
            "chien": _("Chien"),
            "words": say.words(),
            "heading": head,
            "language": language,
        }
    return Sheets(LAYOUTS / "booklet.typ", data, PROJECT).typeset()


def write_page(slug: str, page: Page) -> dict[str, Any]:
    """Return a page as data for the layout. Anchors get the page's slug, so that each is there once."""

    def find_target(target: str) -> str:
        if ":" in target or target == "#calculator":
            return ""
        name, _mark, anchor = target.partition("#")
        return f"{name or slug}.{anchor}" if anchor else name

    parts = [
        write_block(part) if isinstance(part, Block) else {"kind": "text", "nodes": list_nodes(part, find_target)}
        for part in page.parts
    ]
    return {"slug": slug, "title": page.title, "parts": parts, "sources": say_sources(page.sources)}


def write_block(block: Block) -> dict[str, Any]:
    """Return a block as data for the layout."""
    if block.kind == "figure":
        return write_table(block.key)
    if block.kind == "exercise":
        return write_exercise(open_exercise(block.key))
    deal = open_deal(block.key)
    if block.kind == "trick":
        return write_deal(deal, (deal.find_trick(block.number),), shows_hands=False)
    return write_deal(deal, deal.tricks if block.kind == "replay" else (), shows_hands=True)


def write_table(name: str) -> dict[str, Any]:
    """Return a table of figures as data for the layout."""
    table = make_table(name)
    rows = [[" ".join((*map(write_card, cell.cards), cell.text)).strip() for cell in row] for row in table.rows]
    return {
        "kind": "figure",
        "caption": table.caption,
        "head": table.head,
        "rows": rows,
        "wide": sorted(table.wide),
    }


def write_exercise(exercise: Exercise) -> dict[str, Any]:
    """Return a question as data for the layout."""
    language = translation.get_language() or ""
    deal = open_deal(exercise.deal) if exercise.deal else None
    return {
        "kind": "exercise",
        "question": exercise.questions[language],
        "choices": [choice.texts[language] for choice in exercise.choices],
        "cards": [write_card(card) for card in exercise.cards],
        "deal": deal and write_deal(deal, deal.tricks[: exercise.tricks], shows_hands=True),
    }


def write_deal(deal: ShownDeal, tricks: tuple[ShownTrick, ...], *, shows_hands: bool) -> dict[str, Any]:
    """Return the hands and tricks of a deal as data for the layout."""
    language = translation.get_language() or ""
    hands = [*deal.hands.items(), ("chien", deal.chien)] if shows_hands else []
    return {
        "kind": "deal",
        "title": deal.titles[language] if shows_hands else "",
        "terms": " · ".join(list_terms(deal)) if shows_hands and hands else "",
        "text": list_text_nodes(deal.texts[language], lambda _target: "") if shows_hands else [],
        "hands": [(place, write_hand(cards)) for place, cards in hands if cards],
        "tricks": [
            {
                "number": trick.number,
                "plays": [(seat, write_card(card)) for seat, card in trick.plays],
                "comment": list_text_nodes(trick.comments[language], lambda _target: ""),
            }
            for trick in tricks
        ],
    }


def list_terms(deal: ShownDeal) -> Iterator[str]:
    """Yield the dealer, the taker and the contract of a deal in words, as far as they are known."""
    yield " ".join((_("Dealer:"), label("hand", deal.dealer)))
    if deal.taker:
        yield " ".join((_("Taker:"), label("hand", deal.taker)))
    if deal.contract:
        yield label("contract", deal.contract)


def write_hand(cards: tuple[int, ...]) -> str:
    """Return the cards of a hand in one line, suit by suit."""
    return "   ".join(" ".join(map(write_card, group)) for group in by_suit(cards) if group)


def write_card(card: int) -> str:
    """Return a card as the layouts show it."""
    return show_card(card).replace("*", EXCUSE_SIGN)

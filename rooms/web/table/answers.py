"""The move that a form of the table sends, as a token of the record: `k:55`, `e:3,17,…`, `p:76,75,…`."""

from collections.abc import Iterable

from django.http import QueryDict

from bots.levels import PLAYERS
from deals.domain.cards import CHIEN
from referee.errors import PlayRefused
from rooms.opening.joining import SOLO
from scoring.values import FFT

ECART, POIGNEE, CHELEM = "e", "p", "x"


def read_answer(sent: QueryDict) -> str:
    """Return the moves of a form. An écart and a poignée are ticked card by card, every other move is a button.

    Raise PlayRefused if no card is ticked.
    """
    move = sent.get("move", "").strip()
    if move == ECART:
        if not sent.getlist("ecart"):
            raise PlayRefused("ecart_size", seat=SOLO, expected=CHIEN[PLAYERS], found=0)
        return f"{ECART}:{join_cards(sent.getlist('ecart'))}" + (f" {CHELEM}" if sent.get("chelem") else "")
    if move.startswith(f"{POIGNEE}-"):
        shown = sent.getlist(f"poignee-{move[2:]}")
        if not shown:
            sizes = ", ".join(map(str, FFT.poignee_trumps[PLAYERS].values()))
            raise PlayRefused("poignee_size", seat=SOLO, found=0, expected=sizes)
        return f"{POIGNEE}:{join_cards(shown)}"
    return move


def read_ticked(sent: QueryDict) -> set[int]:
    """Return the cards that are ticked in a form, so that a refused form keeps them."""
    names = ("ecart", "poignee-simple", "poignee-double", "poignee-triple")
    return {int(card) for name in names for card in sent.getlist(name) if read_count(card) is not None}


def join_cards(cards: Iterable[str]) -> str:
    """Return cards in rising order as one text. What is not a number stays at the end, and is refused later."""
    return ",".join(sorted(cards, key=lambda card: (not card.isdigit(), len(card), card)))


def read_count(text: str) -> int | None:
    """Return a number of étuis or moves, or None if the text is not one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None

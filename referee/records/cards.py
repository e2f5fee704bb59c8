"""The reading of one card from text, written exactly as the site shows it, or as people type it."""

import re

from deals.domain.cards import CARDS, EXCUSE, PETIT, show_card
from deals.domain.reading import PLACES, shorten
from referee.records.values import RecordError

BY_SIGN = {show_card(card): card for card in range(CARDS)}
EXCUSES = {"*", "0", "00", "22", "E", "EXC", "EXCUSE"}
# The signs, words and letters of a suit, with the suit's number; 4 is the trumps. C and T are not here: `LETTERS` has
# them.
SUITS = {
    **dict.fromkeys(("♠", "♤", "S", "P", "PIQUE", "PIQUES", "SPADE", "SPADES"), 0),
    **dict.fromkeys(("♥", "♡", "H", "CŒUR", "COEUR", "CŒURS", "COEURS", "HEART", "HEARTS"), 1),
    **dict.fromkeys(("♦", "♢", "CARREAU", "CARREAUX", "DIAMOND", "DIAMONDS"), 2),
    **dict.fromkeys(("♣", "♧", "TRÈFLE", "TREFLE", "TRÈFLES", "TREFLES", "CLUB", "CLUBS"), 3),
    **dict.fromkeys(("★", "A", "AT", "ATOUT", "ATOUTS", "TRUMP", "TRUMPS"), 4),
}
# The letters that mean one suit in French (fr) and another suit in English (en). The caller may say which language it
# is.
LETTERS = {"C": {"fr": 1, "en": 3}, "T": {"fr": 3, "en": 4}, "D": {"fr": 2, "en": 2}, "K": {"fr": 2}}
NAMES = ("♠", "♥", "♦", "♣", "★")
RANK = r"10|1[1-4]|0?[1-9]|[ATVJCNDQRK]"
SUIT = "|".join(sorted(map(re.escape, {*SUITS, *LETTERS}), key=len, reverse=True))
TYPED = re.compile(rf"(?:(?P<suit>{SUIT})[-. ]?(?P<rank>{RANK}|\d+)|(?P<rank2>{RANK}|\d+)[-. ]?(?P<suit2>{SUIT}))")


def read_exact_card(text: str, line: int) -> int:
    """Return the card for a text that `show_card` wrote. Raise RecordError on any other text."""
    if text not in BY_SIGN:
        raise RecordError("card", line=line, found=shorten(text))
    return BY_SIGN[text]


def read_typed_card(text: str, line: int, language: str | None = None) -> int:
    """Return the card of a typed text: `♠R`, `R♠`, `SK`, `07-D`, `dame pique` joined by a hyphen, `17`, `*`.

    A number alone is a trump. If a letter names two suits and the `language` ("fr" or "en") is not known, raise
    RecordError instead of guessing. Honours are as in `deals.domain.reading`: K is the Roi, C and N the Cavalier.
    """
    word = text.strip().upper()
    if word in EXCUSES:
        return EXCUSE
    if word.isdecimal():
        return _trump(int(word[:9]), text, line)
    if re.fullmatch(r"00-[T★]", word):
        return EXCUSE
    match = TYPED.fullmatch(word)
    if not match:
        raise RecordError("card", line=line, found=shorten(text))
    suit = _suit(
        match["suit"] or match["suit2"], text, line, language, vector=bool(re.fullmatch(r"\d\d-[SHDCT]", word))
    )
    rank = match["rank"] or match["rank2"]
    if suit == 4:
        if not rank.isdecimal():
            raise RecordError("card", line=line, found=shorten(text))
        return _trump(int(rank[:9]), text, line)
    place = int(rank) - 1 if rank.isdecimal() else PLACES.get(rank, -1)
    if not 0 <= place < 14:
        raise RecordError("card", line=line, found=shorten(text))
    return 14 * suit + place


def _trump(number: int, text: str, line: int) -> int:
    if not 1 <= number <= 21:
        raise RecordError("card", line=line, found=shorten(text))
    return PETIT + number - 1


def _suit(name: str, text: str, line: int, language: str | None, *, vector: bool) -> int:
    """Return the number of the suit with this sign, word or letter.

    In `07-C`, written as in the test vectors, C is clubs.
    """
    if vector:
        return "SHDCT".index(name)
    if name in SUITS:
        return SUITS[name]
    meanings = LETTERS.get(name)
    if not meanings:
        raise RecordError("card", line=line, found=shorten(text))
    if len(set(meanings.values())) == 1:
        return next(iter(meanings.values()))
    if language not in meanings:
        choices = "/".join(NAMES[suit] for suit in meanings.values())
        raise RecordError("suit_letter", line=line, letter=name, found=shorten(text), choices=choices)
    return meanings[language]

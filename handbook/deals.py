"""The cards that a page of the handbook draws: some hands or all, and tricks with a comment.

A deal may be an end position, one hand alone, or tricks without hands. `docs/handbook.md` has the format.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from deals.domain.cards import CARDS, CHIEN, HAND, Seat, seats, show_card
from deals.domain.deal import load_hand
from deals.domain.etui import leader, to_the_right
from handbook.errors import HandbookError
from scoring.values import Contract

CARD_OF = {show_card(card): card for card in range(CARDS)}
LANGUAGES = ("en", "fr")
CHIEN_NAME = "chien"


@dataclass(frozen=True, slots=True)
class ShownTrick:
    """A trick: its number, the cards in the order played, each with its seat, and a comment by language."""

    number: int
    plays: tuple[tuple[Seat, int], ...]
    comments: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ShownDeal:
    """The cards that a page draws. `hands` has only those that the reader sees; texts are by language."""

    key: str
    players: int
    dealer: Seat
    taker: Seat | None
    contract: Contract | None
    hands: Mapping[Seat, tuple[int, ...]]
    chien: tuple[int, ...]
    tricks: tuple[ShownTrick, ...]
    titles: Mapping[str, str]
    texts: Mapping[str, str]

    def find_trick(self, number: int) -> ShownTrick:
        """Return the trick with this number. Raise HandbookError if the deal has none."""
        for trick in self.tricks:
            if trick.number == number:
                return trick
        raise HandbookError(f"{self.key} has no trick {number}.")


def read_shown_deal(key: str, text: str) -> ShownDeal:
    """Return the deal of a TOML text. Raise HandbookError if it breaks the format, or a card is there twice."""
    values = tomllib.loads(text)
    players = values["players"]
    dealer = Seat(values["dealer"])
    held = {place: load_hand(cards, place) for place, cards in values.get("hands", {}).items()}
    order = tuple(to_the_right(dealer, step, players) for step in range(1, players + 1))
    tricks = tuple(read_tricks(values.get("tricks", ()), order, leader(dealer, players)))
    taker = values.get("taker")
    contract = values.get("contract")
    deal = ShownDeal(
        key=key,
        players=players,
        dealer=dealer,
        taker=taker and Seat(taker),
        contract=contract and Contract(contract),
        hands={seat: held[seat] for seat in seats(players) if seat in held},
        chien=held.get(CHIEN_NAME, ()),
        tricks=tricks,
        titles={language: values[language]["title"] for language in LANGUAGES},
        texts={language: values[language].get("text", "") for language in LANGUAGES},
    )
    if unknown := held.keys() - {*seats(players), CHIEN_NAME}:
        raise HandbookError(f"{key}: {', '.join(unknown)} is not a place of a table of {players}.")
    check_cards(deal)
    return deal


def read_tricks(values: Any, order: tuple[Seat, ...], first: Seat) -> Iterator[ShownTrick]:
    """Yield the tricks. `order` has the seats in the direction of play; `first` leads if nobody is named."""
    number = 0
    for trick in values:
        number = trick.get("number", number + 1)
        start = order.index(Seat(trick.get("leader", first)))
        turns = order[start:] + order[:start]
        plays = tuple((turns[place], find_card(name)) for place, name in enumerate(trick["cards"]))
        yield ShownTrick(number, plays, {language: trick.get(language, "") for language in LANGUAGES})


def find_card(name: str) -> int:
    """Return the card with this name, such as `♠R`, `17` or `*`. Raise HandbookError if there is none."""
    if name not in CARD_OF:
        raise HandbookError(f"“{name}” is not a card.")
    return CARD_OF[name]


def check_cards(deal: ShownDeal) -> None:
    """Raise HandbookError if a card is there twice, a whole deal lacks cards, or a seat plays what it cannot hold."""
    piles = (*deal.hands.values(), deal.chien)
    dealt = [card for pile in piles for card in pile]
    played = [card for trick in deal.tricks for _seat, card in trick.plays]
    for name, cards in (("hands", dealt), ("tricks", played)):
        if len(set(cards)) != len(cards):
            raise HandbookError(f"{deal.key}: a card is twice in the {name}.")
    owners = {card: seat for seat, hand in deal.hands.items() for card in hand}
    for trick in deal.tricks:
        for seat, card in trick.plays:
            taken = seat == deal.taker and card in deal.chien
            if (seat in deal.hands or card in owners) and owners.get(card) != seat and not taken:
                raise HandbookError(f"{deal.key}, trick {trick.number}: {seat} does not hold {show_card(card)}.")
    whole = all(len(deal.hands.get(seat, ())) == HAND[deal.players] for seat in seats(deal.players))
    if whole and deal.chien and len(deal.chien) != CHIEN[deal.players]:
        raise HandbookError(f"{deal.key}: the chien has {len(deal.chien)} cards.")

"""A deal as it was played, trick by trick, as `components/cards/replay.html` draws it: one table, or two side by side.

The page of an étui and the handbook use the same values. This module does not decide who may see a record.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from deals.domain.cards import order_for_display, show_card
from pages.parts.cards import CardFace, face
from referee.cards import TAKES_CHIEN, cards_of
from referee.counting import WonCards
from referee.errors import show_cards
from referee.records.steps import CardStep, Hands, RecordSteps, TrickSteps
from referee.rules import order_of_play, seat_of
from tournaments.words.messages import label, say

SMALL = 6  # a hand with at most this number of cards is shown whole beside the others, also on a phone


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card that was played.

    `legal` has the cards that the player could play, as text; None if they are not known or not shown. `fault` is the
    reason why the card was not legal, or "".
    """

    seat: str
    name: str
    face: CardFace
    legal: str | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class DrawnTrick:
    """A trick at one table. `winner` is "" while the trick is under way. `won` is None if the points are not known.

    `play_on`: the address at which a reader plays the deal on from this trick, or "".
    """

    number: int
    cards: list[DrawnCard]
    winner: str = ""
    won: WonCards | None = None
    comment: SafeString | str = ""
    play_on: str = ""

    @property
    def leader(self) -> str:
        return self.cards[0].seat

    @property
    def shows_legal(self) -> bool:
        return any(card.legal is not None for card in self.cards)


@dataclass(frozen=True, slots=True)
class DrawnHand:
    """The cards that a seat held before the first trick shown, each with its name as text."""

    seat: str
    cards: list[tuple[str, CardFace]]


@dataclass(frozen=True, slots=True)
class ReplaySeat:
    """A seat of a table, with the name of its player."""

    line: str
    name: str
    takes: bool


@dataclass(frozen=True, slots=True)
class ReplayTable:
    """One table of a replay. `start`: the points before the first trick. `notes`: sentences about the record."""

    tricks: list[DrawnTrick]
    hands: list[DrawnHand] = field(default_factory=list)
    title: str = ""
    seats: list[ReplaySeat] = field(default_factory=list)
    start: WonCards | None = None
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReplayRow:
    """The tricks of one number, table by table. A table whose record has ended has None."""

    number: int
    anchor: str
    tricks: Sequence[DrawnTrick | None]
    parts: bool = False


@dataclass(frozen=True, slots=True)
class DrawnReplay:
    """A replay of one or two tables.

    `moves`: whether a script may show it card by card. `query`: the query string of the links to its tricks. `parting`:
    a sentence about the first difference between two tables.
    """

    tables: list[ReplayTable]
    rows: list[ReplayRow]
    moves: bool = True
    query: str = ""
    parting: str = ""

    @property
    def is_pair(self) -> bool:
        return len(self.tables) > 1

    @property
    def has_small_hands(self) -> bool:
        """True if all hands fit beside each other, as in an end position."""
        return all(len(hand.cards) <= SMALL for table in self.tables for hand in table.hands)


def make_replay(
    tables: Sequence[ReplayTable],
    *,
    prefix: str = "",
    moves: bool = True,
    query: str = "",
    parting: tuple[int, str] = (0, ""),
) -> DrawnReplay:
    """Return the replay of one or two tables.

    The anchor of trick 3 is `trick-3`, after a `prefix` if the page has several replays. `parting`: the number of the
    trick in which two tables first play different cards, and a sentence about it.
    """
    number, sentence = parting
    rows = [
        ReplayRow(given.number, f"{prefix}trick-{given.number}", tricks, parts=given.number == number)
        for tricks in zip_longest(*(table.tricks for table in tables))
        if (given := next(trick for trick in tricks if trick is not None))
    ]
    return DrawnReplay(list(tables), rows, moves, query, sentence)


def draw_tricks(
    tricks: Sequence[TrickSteps], players: int, *, shows_winner: bool = True, shows_legal: bool = True
) -> list[DrawnTrick]:
    """Return tricks with everything that is known. An exercise may hide the winner or the legal cards."""
    return [
        DrawnTrick(
            trick.number,
            [draw_card(step, players, shows_legal) for step in trick.steps],
            str(seat_of(trick.winner, players)) if trick.winner is not None and shows_winner else "",
            trick.won,
        )
        for trick in tricks
    ]


def draw_card(step: CardStep, players: int, shows_legal: bool) -> DrawnCard:
    """Return the card of one step."""
    return DrawnCard(
        str(seat_of(step.player, players)),
        show_card(step.card),
        face(step.card),
        show_cards(cards_of(step.legal)) if shows_legal and step.legal is not None else None,
        "" if step.fault is None else say(step.fault),
    )


def draw_hands(hands: Hands) -> list[DrawnHand]:
    """Return the known hands, in the direction of play."""
    return [
        DrawnHand(str(seat), [(show_card(card), face(card)) for card in order_for_display(cards_of(hand))])
        for seat, hand in zip(order_of_play(len(hands)), hands, strict=True)
        if hand is not None
    ]


def list_notes(steps: RecordSteps) -> list[str]:
    """Return sentences about other parts of the record, and about what it lacks."""
    record = steps.record
    notes = []
    if record.ecart is not None:
        notes.append(_("Écart: %(cards)s") % {"cards": show_cards(record.ecart)})
    elif record.contract in TAKES_CHIEN:
        notes.append(_("The écart was not recorded: the points are those of the tricks alone."))
    for seat, cards in record.poignees:
        told = {"seat": label("hand", seat), "cards": show_cards(cards)}
        notes.append(_("%(seat)s showed a poignée: %(cards)s") % told)
    if record.chelem is not None:
        notes.append(_("%(seat)s announced a chelem, and led.") % {"seat": label("hand", record.chelem)})
    if record.claim is not None:
        notes.append(_("Claimed the rest: %(side)s.") % {"side": label("side", record.claim)})
    elif len(record.cards) == 1:
        notes.append(_("Only the opening lead was recorded."))
    elif not record.is_complete:
        notes.append(_("The record ends in trick %(number)s.") % {"number": len(record.tricks)})
    return [*notes, *map(say, steps.faults)]

"""A table as the page draws it: its seats, cards and questions, in the reader's language, from a `ShownTable`."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext, override
from django.utils.translation import gettext as _

from bots.sampling.comparing import CardReview
from deals.domain.cards import LINES, PETIT, Seat, order_for_display
from handbook.answers import find_page_of_rule
from pages.parts.cards import face
from pages.parts.replay import DrawnCard, DrawnTrick
from rooms.models import Game
from rooms.opening import SOLO
from rooms.record.shown import PASSED, OfferedPoignee, ShownSeat, ShownTable, TableResult, TableTrick
from rooms.record.tables import find_taker_in_record
from scoring.contract import ScoreLine
from tournaments.words.figures import name_card, show_points
from tournaments.words.messages import label, say_line, show_signed

ROUND = ("W", "N", "E", "S")  # the places of the page, in the order in which the page has them
SIDES = ("S", "E", "N", "W")  # the place of the viewer, and of the others in the direction of play


@dataclass(frozen=True, slots=True)
class CardButton:
    """A card of the viewer's hand. `is_legal`: whether it may be played or discarded now."""

    card: int
    drawing: SafeString
    is_legal: bool
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class SeatPlate:
    """A seat with its bid and its card in the trick.

    `place`: the turn of the seat in the trick, from 0. `side`: its place on the page. The viewer is always at the
    bottom, as if in South.
    """

    shown: ShownSeat
    side: str
    bid: str
    contract: str
    place: int
    card: SafeString | str


@dataclass(frozen=True, slots=True)
class BidButton:
    """A bid that the viewer may make, with its move."""

    move: str
    name: str
    is_pass: bool


@dataclass(frozen=True, slots=True)
class PoigneeForm:
    """A poignée that the viewer may show. `is_choice`: whether the player chooses among more trumps than it has."""

    size: str
    name: str
    count: int
    cards: list[CardButton]

    @property
    def is_choice(self) -> bool:
        return len(self.cards) > self.count


@dataclass(frozen=True, slots=True)
class ResultDrawing:
    """The end of a deal in words. `score`: what the viewer wins or loses."""

    title: str
    score: str
    is_good: bool
    points: str
    lines: list[tuple[str, str]]
    marks: list[tuple[ShownSeat, str]]


@dataclass(frozen=True, slots=True)
class TableDrawing:
    """The whole drawing of a table. `rows`: the hand, in one list, or in one for each suit while the écart is made."""

    shown: ShownTable
    asked: str
    plates: list[SeatPlate]
    rows: list[list[CardButton]]
    bids: list[BidButton]
    poignees: list[PoigneeForm]
    chien: list[SafeString]
    last_trick: DrawnTrick | None
    notes: list[str]
    result: ResultDrawing | None
    news: list[str] = field(default_factory=list)

    @property
    def is_ecart(self) -> bool:
        return self.shown["asks"]["kind"] == "ecart"

    @property
    def is_hand_live(self) -> bool:
        return self.shown["asks"]["kind"] == "card"


def draw_table(shown: ShownTable, chosen: Collection[int] = ()) -> TableDrawing:
    """Return the drawing of a table. `chosen` are the cards that were ticked in a form that was refused."""
    asks = shown["asks"]
    return TableDrawing(
        shown=shown,
        asked=say_asked(shown),
        plates=draw_plates(shown),
        rows=draw_hand(shown, chosen),
        bids=[BidButton(bid["move"], name_bid(bid["bid"]), bid["bid"] == PASSED) for bid in asks["bids"]],
        poignees=[draw_poignee(offer, chosen) for offer in asks["poignees"]],
        chien=draw_chien(shown),
        last_trick=draw_last_trick(shown["last_trick"]),
        notes=say_notes(shown),
        result=draw_result(shown, shown["result"]) if shown["result"] else None,
        news=say_news(shown),
    )


@lru_cache(maxsize=256)
def render_card(card: int, language: str) -> SafeString:
    """Return the drawing of a card, whose name is in a language."""
    with override(language):
        return SafeString(render_to_string("components/cards/card.html", {"card": face(card)}).strip())


def draw_card(card: int) -> SafeString:
    """Return the drawing of a card in the reader's language."""
    return render_card(card, get_language() or "")


def draw_chien(shown: ShownTable) -> list[SafeString]:
    """Return the chien as long as it lies open: until the first trick is complete."""
    is_open = shown["phase"] == "ecart" or (shown["phase"] == "play" and shown["last_trick"] is None)
    return [draw_card(card) for card in order_for_display(shown["chien"])] if is_open else []


def name_bid(bid: str) -> str:
    """Return a bid in words."""
    return _("Pass") if bid == PASSED else label("contract", bid)


def draw_plates(shown: ShownTable) -> list[SeatPlate]:
    """Return the seats in the order of the page, each with its bid and its card in the trick."""
    bids = {bid["seat"]: name_bid(bid["bid"]) for bid in shown["bids"]}
    played = {card["seat"]: draw_card(card["card"]) for card in shown["trick"]["cards"]}
    seats = dict(zip(SIDES, shown["seats"], strict=True))
    return [
        SeatPlate(
            shown=seat,
            side=side,
            bid=bids.get(letter, "") if shown["phase"] == "auction" else "",
            contract=label("contract", shown["contract"]) if seat["takes"] else "",
            place=list(played).index(letter) if letter in played else 0,
            card=played.get(letter, ""),
        )
        for side, seat, letter in ((side, seats[side], seats[side]["seat"]) for side in ROUND)
    ]


def draw_hand(shown: ShownTable, chosen: Collection[int]) -> list[list[CardButton]]:
    """Return the viewer's hand: in one list, or in one for each suit while the écart is made."""
    legal = set(shown["asks"]["cards"])
    cards = [CardButton(card, draw_card(card), card in legal, card in chosen) for card in shown["hand"]]
    if shown["asks"]["kind"] != "ecart":
        return [cards] if cards else []
    suits: dict[int, list[CardButton]] = {}
    for button in cards:
        suits.setdefault(min(button.card, PETIT) // 14, []).append(button)
    return list(suits.values())


def draw_poignee(offer: OfferedPoignee, chosen: Collection[int]) -> PoigneeForm:
    """Return a poignée that the viewer may show; the proposed cards are ticked, or those chosen before a refusal."""
    ticked = chosen or offer["proposed"]
    cards = [CardButton(card, draw_card(card), True, card in ticked) for card in offer["cards"]]
    return PoigneeForm(offer["size"], label("poignee", offer["size"]), offer["count"], cards)


def draw_last_trick(trick: TableTrick | None) -> DrawnTrick | None:
    """Return the last complete trick as `components/replay/trick.html` draws it."""
    if trick is None:
        return None
    cards = [DrawnCard(played["seat"], str(played["card"]), face(played["card"])) for played in trick["cards"]]
    return DrawnTrick(trick["number"], cards, trick["winner"])


def name_seat(letter: str) -> str:
    """Return the seat in words, or "" if there is none."""
    return label("line", letter) if letter else ""


def say_asked(shown: ShownTable) -> str:
    """Return what happens now: what the viewer is asked, or who is to play."""
    asks = shown["asks"]
    seat = {"seat": name_seat(shown["turn"])}
    if asks["kind"] == "bid":
        return _("Your bid?")
    if asks["kind"] == "ecart":
        forced = asks["trumps"]
        text = _("Choose %(count)s cards for your écart.") % {"count": asks["count"]}
        if not forced:
            return text
        must = ngettext("%(count)s of them is a trump.", "%(count)s of them are trumps.", forced) % {"count": forced}
        return f"{text} {must}"
    if asks["kind"] == "card":
        return _("Your card?") if shown["trick"]["cards"] else _("You lead.")
    if asks["kind"] == "chelem":
        return _("Do you announce a chelem?")
    if asks["kind"] == "over":
        return _("The étui is over.")
    if shown["phase"] == "auction":
        return _("%(seat)s is to bid…") % seat
    if shown["phase"] == "ecart":
        return _("%(seat)s makes the écart…") % seat
    return _("%(seat)s is to play…") % seat


def say_notes(shown: ShownTable) -> list[str]:
    """Return sentences about the poignées, the chelem and the trumps of the écart that everybody has seen."""
    notes = [
        _("%(seat)s shows a %(poignee)s: %(cards)s")
        % {
            "seat": name_seat(poignee["seat"]),
            "poignee": label("poignee", poignee["size"]),
            "cards": show_trumps(poignee["cards"]),
        }
        for poignee in shown["poignees"]
    ]
    if shown["chelem"]:
        notes.insert(0, _("%(seat)s announces a chelem.") % {"seat": name_seat(shown["chelem"])})
    if shown["ecart_trumps"]:
        notes.append(_("Trumps in the écart: %(cards)s") % {"cards": show_trumps(shown["ecart_trumps"])})
    return notes


def show_trumps(cards: Iterable[int]) -> str:
    """Return trumps, with the Excuse, in one short text."""
    return ", ".join(str(face(card).index) or _("Excuse") for card in cards)


def say_news(shown: ShownTable) -> list[str]:
    """Return one sentence for each bid and each announcement. The page tells those that it has not told yet."""
    bids = [
        _("%(seat)s: %(bid)s.") % {"seat": name_seat(bid["seat"]), "bid": name_bid(bid["bid"])} for bid in shown["bids"]
    ]
    if shown["taker"]:
        bid_words = {"seat": name_seat(shown["taker"]), "contract": label("contract", shown["contract"])}
        bids.append(_("%(seat)s takes: %(contract)s.") % bid_words)
    if shown["chien"]:
        names = ", ".join(map(name_card, order_for_display(shown["chien"])))
        bids.append(_("Chien: %(cards)s.") % {"cards": names})
    return bids + say_notes(shown)


def draw_result(shown: ShownTable, result: TableResult) -> ResultDrawing:
    """Return the end of a deal in words, with the lines that explain its score."""
    mine = result["marks"][shown["viewer"]]
    marks = [(seat, show_signed(result["marks"][seat["seat"]])) for seat in shown["seats"]]
    if result["kind"] != "played":
        passed = _("The four players passed: the étui counts 0 for all of them.")
        void = _("A hand has the Petit as its only trump: the deal is void, and counts 0 for all.")
        return ResultDrawing(passed if result["kind"] == "passed" else void, "0", True, "", [], marks)
    values = {"contract": label("contract", shown["contract"]), "seat": name_seat(shown["taker"])}
    title = _("%(seat)s: %(contract)s made") if result["made"] else _("%(seat)s: %(contract)s failed")
    points = ngettext(
        "%(points)s points with %(bouts)s bout, %(target)s were needed.",
        "%(points)s points with %(bouts)s bouts, %(target)s were needed.",
        result["bouts"],
    ) % {"points": show_points(result["half_points"]), "bouts": result["bouts"], "target": result["target"]}
    lines = [ScoreLine(line["kind"], line["amount"], line["params"]) for line in result["lines"]]
    return ResultDrawing(
        title=title % values,
        score=show_signed(mine),
        is_good=mine >= 0,
        points=points,
        lines=[(say_line(line), show_signed(line.amount)) for line in lines],
        marks=marks,
    )


@dataclass(frozen=True, slots=True)
class DearCard:
    """A card that cost much, as pages say it. `play_on`: the address of its trial, "" while the room is open."""

    game: Game
    trick: int
    card: str
    other: str
    review: CardReview
    page: str
    play_on: str

    @property
    def loss(self) -> Fraction:
        """The points that the card has cost."""
        return Fraction(self.review.loss)

    @property
    def error(self) -> Fraction:
        """The error of these points."""
        return Fraction(self.review.error)


def describe_card(game: Game, at: int, review: CardReview) -> DearCard:
    """Return a card of a review as pages say it."""
    room, number = game.table.room, game.etui.number
    query = f"?table={game.table.number}&card={at}"
    play_on = reverse("room_trial", args=[room.pk, number]) + query if room.closed_at is not None else ""
    attacks = find_taker_in_record(Seat(game.etui.dealer), game.record) == SOLO
    page = reverse("rules_page", args=[find_page_of_rule(review.rule, attacks=attacks)])
    return DearCard(game, at // len(LINES) + 1, name_card(review.card), name_card(review.other), review, page, play_on)

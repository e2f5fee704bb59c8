"""The étuis of closed rooms: every table with its score and its record, and those that bots play by night."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from django.conf import settings
from django.db.models import Exists, OuterRef

from deals.domain.cards import Seat
from deals.domain.deal import Deal, loads
from deals.models import Etui
from evenings.spreads import SpreadCandidate, register_source
from referee.cards import cards_of
from referee.records.values import DealRecord
from referee.rules import seat_of
from referee.state import GameState
from rooms.models import Game, Room, RoomKind, RoomSeat, Visitor
from rooms.opening import SOLO
from rooms.record.replaying import replay
from rooms.record.tables import find_mark, find_taker_in_record
from rooms.results.ranking import A_PAGE, NumberedPage
from rooms.visitors.names import ShownName, show_visitor_names
from tournaments.models import BotSpread


class RoomPlay(NamedTuple):
    """The étui at one table. `shown` is None for a table of bots. `mark`: what South won or lost.

    `taker` is None if everybody passed.
    """

    game: Game
    table: int
    shown: ShownName | None
    taker: Seat | None
    note: Fraction | None
    is_own: bool

    @property
    def mark(self) -> int | None:
        return None if self.game.score is None else find_mark(SOLO, self.taker, self.game.score)

    def is_bot(self, seat: Seat) -> bool:
        """Return whether a bot has moved for a seat. In a solo room bots have all seats but the visitor's."""
        if self.game.table.room.kind == RoomKind.CLASSIC:
            return str(seat) in self.game.bot_seats
        return seat != SOLO or self.shown is None

    @property
    def is_finished_by_bot(self) -> bool:
        return self.shown is not None and self.game.finished_by == "bot"


@dataclass(frozen=True, kw_only=True)
class EtuiPage(NumberedPage):
    """A page of the tables of an étui. `total` is the number of all tables."""

    size: ClassVar[int] = A_PAGE
    etui: Etui
    plays: list[RoomPlay]


def find_room_etui(room: Room, number: int, visitor: Visitor | None = None) -> Etui | None:
    """Return an étui of a closed room, or None if the room has no such étui or is not closed.

    With the setting ROOM_TOPAGE = "played", a visitor who has finished the étui in a room sees it before the room is
    closed, too.
    """
    etui = Etui.objects.filter(deal_set=room.deal_set_id, number=number).first()
    if etui is None or room.closed_at is not None or has_finished(room, etui, visitor):
        return etui
    return None


def has_finished(room: Room, etui: Etui, visitor: Visitor | None) -> bool:
    """Return whether the site shows an étui to visitors who have played it, and this visitor has, by hand.

    At a table for four, others or bots may have played it before the visitor sat down: it stays closed there.
    """
    if settings.ROOM_TOPAGE != "played" or visitor is None or room.kind == RoomKind.CLASSIC:
        return False
    own = Game.objects.filter(etui=etui, table__room=room, table__seats__visitor=visitor, table__seats__left_at=None)
    return own.filter(finished_at__isnull=False).exists()


def read_etui_page(room: Room, etui: Etui, *, number: int, visitor: Visitor | None) -> EtuiPage:
    """Return a page of the tables of an étui of a closed room, the best note first."""
    games = Game.objects.filter(table__room=room, etui=etui, finished_at__isnull=False).order_by("table__number")
    notes = list(games.values_list("pk", "note"))
    notes.sort(key=lambda told: -read_note(told[1], Fraction(-1)))
    number = min(number, max(1, -(-len(notes) // A_PAGE)))
    ids = [pk for pk, _note in notes[(number - 1) * A_PAGE : number * A_PAGE]]
    return EtuiPage(etui=etui, plays=read_plays(etui, ids, visitor), total=len(notes), number=number)


def read_note(text: str, none: Fraction) -> Fraction:
    """Return a stored note as a number, or `none` if there is none."""
    return Fraction(text) if text else none


def read_plays(etui: Etui, ids: list[int], visitor: Visitor | None) -> list[RoomPlay]:
    """Return these plays (ids of games) of an étui, in this order. Three queries."""
    games = {game.pk: game for game in Game.objects.filter(pk__in=ids, etui=etui).select_related("table__room")}
    seats = find_own_seats(games.values())
    shown = show_visitor_names(seats.values())
    dealer, own = Seat(etui.dealer), visitor and visitor.pk
    plays = []
    for game in (games[pk] for pk in ids if pk in games):
        who = seats.get(game.table_id)
        plays.append(
            RoomPlay(
                game,
                game.table.number,
                shown[who.pk] if who else None,
                find_taker_in_record(dealer, game.record),
                Fraction(game.note) if game.note else None,
                who is not None and who.pk == own,
            )
        )
    return plays


def find_own_seats(games: Iterable[Game]) -> dict[int, Visitor]:
    """Return the visitor who played South in each of these games of one étui, by table. One query."""
    played = {game.table_id: game for game in games}
    seats = RoomSeat.objects.filter(table__in=played, visitor__isnull=False, letter=str(SOLO))
    return {
        seat.table_id: seat.visitor
        for seat in seats.select_related("visitor")
        if seat.visitor and has_played(seat, played[seat.table_id])
    }


def has_played(seat: RoomSeat, game: Game) -> bool:
    """Return whether the visitor of a seat played a game. At a table for four, visitors come and go."""
    if seat.is_solo:
        return seat.left_at is None
    has_stayed = seat.left_at is None or game.finished_at is None or game.finished_at <= seat.left_at
    return seat.joined_at <= game.begun_at and has_stayed and seat.letter not in game.bot_seats


def read_deal_record(game: Game, etui: Etui) -> DealRecord:
    """Return a finished game as a record of its cards."""
    deal, dealer = loads(etui.cards), Seat(etui.dealer)
    return make_deal_record(deal, dealer, replay(deal, dealer, game.record))


def make_deal_record(deal: Deal, dealer: Seat, state: GameState) -> DealRecord:
    """Return the record of a deal that was played up to this state."""
    terms = state.terms
    return DealRecord(
        players=terms.players,
        dealer=dealer,
        taker=None if terms.taker is None else seat_of(terms.taker, terms.players),
        contract=terms.contract,
        deal=deal,
        bids=terms.bids,
        ecart=None if terms.ecart is None else tuple(cards_of(terms.ecart)),
        chelem=None if terms.chelem is None else seat_of(terms.chelem, terms.players),
        poignees=tuple((seat_of(player, terms.players), tuple(cards_of(shown))) for player, shown in terms.poignees),
        cards=(*(card for trick in state.tricks for card in trick.cards), *state.cards),
    )


def find_etui_of_rooms() -> SpreadCandidate | None:
    """Return the first étui without a spread of the newest closed room, or None. In rooms there is an auction."""
    played = Game.objects.filter(table__is_filler=False, table__room__closed_at__isnull=False)
    new = played.filter(~Exists(BotSpread.objects.filter(etui=OuterRef("etui"), taker="")))
    first = new.select_related("table__room").order_by("-table__room__closed_at", "etui__number").first()
    if first is None or first.table.room.closed_at is None:
        return None
    return SpreadCandidate(first.table.room.closed_at, first.etui_id, "")


def register_etuis() -> None:
    """Let the bots of the night play étuis of rooms. The app calls it once when the site starts."""
    register_source(find_etui_of_rooms)

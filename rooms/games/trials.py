"""The lessons of a deal that is over: a trial, and the review of the own cards. The pages call the trial *Et si…*.

In a trial, a reader plays a deal on, alone, from one of the cards of a game.

The page sends the record of the moves with each move, so the site stores nothing. The cards of the deal are public
already, and the bots answer by the étui's secret. So such a record can hide nothing, and its answers can be checked.

The review tells the own cards that cost most, by what their player could know, and only to this player. It is made when
the player asks, also while the room is open, because it knows no hidden card.
"""

import datetime as dt
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from time import monotonic

from django.db.models import QuerySet

from bots.levels import VERSION
from bots.sampling.comparing import CardReview, choose_dearest
from bots.secrets import bot_secret
from deals.domain.cards import Seat
from deals.domain.deal import Deal
from deals.models import Etui
from referee.errors import PlayRefused
from referee.rules import seat_of
from referee.views import SeatView, view
from rooms.games.moving import answer_moves
from rooms.games.setting import load_deal
from rooms.models import Game, Visitor
from rooms.opening import SOLO
from rooms.record.moves import MoveError, read_moves
from rooms.record.replaying import GamePosition, replay_record
from rooms.record.tables import RoomBot, share_secret
from rooms.thinker import thinker

MOST_LETTERS, MOST_TOKENS = 600, 100  # of a record that a page sends
THINKING, CHECKING = 2.0, 10.0  # seconds for an answer, and for the check of a whole trial
KEPT_DAYS = dt.timedelta(days=90)  # for which the page of own errors lists a card


@dataclass(frozen=True, slots=True)
class TrialStart:
    """The start of a trial: what is played, and from where.

    `record`: the moves before the reader's first one. `seat`: the reader's.
    """

    deal: Deal
    dealer: Seat
    record: str
    seat: Seat
    secret: bytes
    level: int

    @property
    def bots(self) -> dict[Seat, RoomBot]:
        return share_secret(self.secret, self.level, but=self.seat)


def cut_record(position: GamePosition, card: int) -> str:
    """Return the record up to card number `card`, counted from 0: without that card and all moves after it.

    A poignée that was shown before this card is left out, too. Raise IndexError if there is no such card.
    """
    played = [place for place, token in enumerate(position.tokens) if token.startswith("k:")]
    end = played[card]
    while position.tokens[end - 1].startswith("p:") and position.seats[end - 1] == position.seats[end]:
        end -= 1
    return " ".join(position.tokens[:end])


def play_trial(start: TrialStart, record: str, move: str = "") -> GamePosition:
    """Return the position after a record, this move of the reader, and the answers of the bots.

    Raise PlayRefused if the record does not begin as the start does. Raise PlayRefused or MoveError if a move is
    illegal, or none.
    """
    if len(record) > MOST_LETTERS or record.count(" ") > MOST_TOKENS:
        raise MoveError("move_shape", found=record[:40])
    if not f"{record} ".startswith(f"{start.record} ".lstrip()):
        raise PlayRefused("phase", seat=start.seat, phase="")
    position = replay_record(start.deal, start.dealer, record)
    if move:
        position = position.make_all(start.seat, read_moves(move))
    return answer_moves(position, start.bots, seconds=THINKING).position


def are_answers_true(start: TrialStart, tokens: Sequence[str]) -> bool:
    """Return whether every bot has answered in a finished trial as the étui's secret says.

    False also if the bots cannot say so in CHECKING seconds.
    """
    position, until = replay_record(start.deal, start.dealer, start.record), monotonic() + CHECKING
    while True:
        position = answer_moves(position, start.bots, seconds=until - monotonic()).position
        made = len(position.tokens)
        if position.tokens != tuple(tokens[:made]) or made == len(tokens):
            return position.tokens == tuple(tokens)
        if not position.awaits_chelem and seat_of(position.state.turn, position.state.terms.players) != start.seat:
            return False  # the bots gave no answer
        position = position.make_all(start.seat, read_moves(tokens[made]))


def find_own_games(visitor: Visitor | None) -> QuerySet[Game]:
    """Return the games against three bots that a visitor has played to the end by hand: none without a visitor."""
    if visitor is None:
        return Game.objects.none()
    own = Game.objects.filter(table__seats__visitor=visitor, table__seats__is_solo=True)
    return own.filter(finished_by=Game.Finisher.HAND).select_related("etui", "table__room__deal_set")


def list_decisions(etui: Etui, record: str) -> Iterator[tuple[int, SeatView, int]]:
    """Yield each card of South: its number in the deal, from 0, what South saw before it, and the card."""
    deal, dealer, tokens, number = load_deal(etui.cards), Seat(etui.dealer), record.split(), 0
    seats = replay_record(deal, dealer, record).seats
    for place, (token, seat) in enumerate(zip(tokens, seats, strict=True)):
        if token.startswith("k:"):
            if seat == SOLO:
                yield number, view(replay_record(deal, dealer, " ".join(tokens[:place])).state, seat), int(token[2:])
            number += 1


def review_game(game: Game) -> list[tuple[int, CardReview]]:
    """Return the costliest cards of a game, each with its number in the deal. The first call stores them.

    The bots' own process looks at one card after the other, so that other tables wait for one card at most. Raise
    NoAnswer if it gives no answer.
    """
    if not game.review:
        secret = bot_secret(bytes.fromhex(game.table.room.deal_set.seed), game.etui.number)
        answers = ((at, thinker.ask(seen, card, secret)) for at, seen, card in list_decisions(game.etui, game.record))
        dearest = choose_dearest((at, CardReview(**json.loads(answer))) for at, answer in answers if answer)
        game.review = {"bots": VERSION, "cards": [{"at": at, **asdict(review)} for at, review in dearest]}
        Game.objects.filter(pk=game.pk).update(review=game.review)
    return read_review(game)


def read_review(game: Game) -> list[tuple[int, CardReview]]:
    """Return the stored review of a game, empty if there is none."""
    stored = [dict(card) for card in game.review.get("cards", [])]
    return [(card.pop("at"), CardReview(**card)) for card in stored]


def list_own_errors(visitor: Visitor | None, now: dt.datetime) -> list[Game]:
    """Return the reviewed games of a visitor in closed rooms, of the last 90 days, the newest first."""
    reviewed = find_own_games(visitor).filter(table__room__closed_at__isnull=False).exclude(review={})
    return list(reviewed.filter(finished_at__gte=now - KEPT_DAYS).order_by("-finished_at")[:100])

"""The reader of whole games, one or in lines of JSON. It plays a game by the rules and returns its result.

A game has the keys `id`, `players`, `dealer`, `taker`, `contract`, `chelem_announced`, `hands`, `dog`, `discard` (null
without an écart), `poignees`, `tricks`, and `called` for five players. Other keys are ignored. Players are numbers in
the direction of play; 0 is North. A card is written like `07-D`: a rank from 01 to 14, then S, H, D, C for the suit or
T for trumps. `00-T` is the Excuse.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from deals.domain.cards import CARDS, HAND, rank, seats
from deals.domain.deal import Deal, DealError
from deals.domain.reading import shorten
from referee.errors import GameError, PlayRefused
from referee.records.judging import judge_record
from referee.records.reading import read_record
from referee.records.values import RecordError
from referee.rules import ORDER, STANDARD, PlayRules, order_of_play, seat_of
from referee.state import GameState, start_imposed
from referee.terms import DealPhase
from scoring.contract import score_deal
from scoring.values import Contract, Poignee

LETTERS = "SHDCT"
NAMES = tuple(f"{rank(card):02}-{LETTERS[min(card // 14, 4)]}" for card in range(CARDS))
CARDS_BY_NAME = {name: card for card, name in enumerate(NAMES)}
SIZES = tuple(Poignee)
KEYS = ("players", "dealer", "taker", "contract", "chelem_announced", "hands", "dog", "discard", "poignees", "tricks")
Value = TypeVar("Value")


class _Reader:
    """The values of a game by their keys. Each method raises GameError if its value has the wrong type."""

    def __init__(self, game: object, place: str = "") -> None:
        if not isinstance(game, Mapping):
            raise GameError("shape", keys=", ".join(KEYS))
        self.game, self.place = game, place

    def read(self, key: str, kind: type[Value] | tuple[type[Value], ...]) -> Value:
        """Return the value of a key, which must be of type `kind`. A bool does not count as an int."""
        if key not in self.game:
            raise GameError("missing", key=self.place + key)
        value = self.game[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise GameError("type", key=self.place + key)
        return value

    def read_player(self, key: str, players: int) -> int:
        number = self.read(key, int)
        if not 0 <= number < players:
            raise GameError("player", key=self.place + key, found=shorten(str(number)), most=players - 1)
        return number

    def read_card(self, key: str) -> int:
        return find_card(self.read(key, str), self.place + key)

    def read_cards(self, key: str) -> list[int]:
        return [find_card(card, self.place + key) for card in self.read(key, list)]

    def read_items(self, key: str) -> Iterator["_Reader"]:
        """Yield a reader of each object in a list."""
        for number, item in enumerate(self.read(key, list)):
            if not isinstance(item, Mapping):
                raise GameError("type", key=f"{self.place}{key}[{number}]")
            yield _Reader(item, f"{self.place}{key}[{number}].")


def find_card(name: object, key: str) -> int:
    """Return the card with this name. `key` is its place, for the error."""
    if not isinstance(name, str) or name not in CARDS_BY_NAME:
        raise GameError("card", key=key, found=shorten(str(name)))
    return CARDS_BY_NAME[name]


def start_game(game: object, rules: PlayRules = STANDARD) -> GameState:
    """Return the state of a game before its first card, with its call, écart, chelem and poignées.

    Raise GameError, DealError or PlayRefused.
    """
    values = _Reader(game)
    players = values.read("players", int)
    if players not in HAND:
        raise GameError("players", found=shorten(str(players)))
    dealer, taker = (seat_of(values.read_player(key, players), players) for key in ("dealer", "taker"))
    state = start_imposed(_read_deal(values, players), dealer, taker, _read_contract(values), rules)
    if state.terms.is_void:
        raise GameError("petit_sec")
    if state.phase == DealPhase.CALL:
        state = state.call(taker, values.read_card("called"))
    if state.phase == DealPhase.ECART:
        state = state.discard(taker, values.read_cards("discard"))
    elif state.phase == DealPhase.PLAY and values.read("discard", (list, type(None))) is not None:
        raise GameError("discard", contract=str(state.terms.contract))
    if values.read("chelem_announced", bool):
        state = state.announce_chelem(taker)
    for shown in values.read_items("poignees"):
        seat = seat_of(shown.read_player("player", players), players)
        state = state.show_poignee(seat, shown.read_cards("cards"))
    return state


def _read_deal(values: _Reader, players: int) -> Deal:
    hands = values.read("hands", list)
    if len(hands) != players or not all(isinstance(hand, list) for hand in hands):
        raise GameError("type", key="hands")
    by_seat = {
        seat: [find_card(card, f"hands[{number}]") for card in hand]
        for number, (seat, hand) in enumerate(zip(order_of_play(players), hands, strict=True))
    }
    return Deal([by_seat[seat] for seat in seats(players)], values.read_cards("dog"))


def _read_contract(values: _Reader) -> Contract:
    name = values.read("contract", str)
    if name not in ORDER:
        raise GameError("contract", found=shorten(name), contracts=", ".join(ORDER))
    return Contract(name)


def play_out(game: object, rules: PlayRules = STANDARD) -> dict[str, Any]:
    """Return the result of a whole game, with the legal cards and the winners, as values of JSON.

    `legal` has the legal cards before each card, by trick; `winners` the player who won each trick. `points` and
    `bouts` are those of the attack. `poignee_attack` is 0 to 3, or a list if the taker and the partner showed one each;
    `poignee_defence` is a list. `scores` has the mark of each player. Raise GameError, DealError or PlayRefused.
    """
    state = start_game(game, rules)
    tricks = list(_Reader(game).read_items("tricks"))
    expected = state.hands[0].bit_count()
    legal = []
    for number, trick in enumerate(tricks[:expected], 1):
        state, choices = _play_trick(state, trick, number)
        legal.append(choices)
    if len(tricks) != expected:
        raise GameError("tricks", found=len(tricks), expected=expected)
    return {"legal": legal, "winners": [trick.winner for trick in state.tricks], **_describe_result(state)}


def _play_trick(state: GameState, trick: _Reader, number: int) -> tuple[GameState, list[list[str]]]:
    """Return the state after a trick, and the names of the legal cards before each of its cards."""
    players = state.terms.players
    plays, leader, legal = list(trick.read_items("plays")), trick.read_player("leader", players), []
    if leader != state.leader:
        seat, led_by = seat_of(leader, players), seat_of(state.leader, players)
        raise GameError("leader", trick=number, seat=str(seat), other=str(led_by))
    for play in plays[:players]:
        legal.append([NAMES[card] for card in state.legal_cards])
        state = state.play_from(seat_of(play.read_player("player", players), players), play.read_card("card"))
    if len(plays) != players:
        raise GameError("plays", trick=number, found=len(plays), expected=players)
    return state, legal


def _describe_result(state: GameState) -> dict[str, Any]:
    """Return the figures of a game after its last card."""
    result = state.result
    assert result is not None
    score = score_deal(result, state.terms.rules.scoring)
    marks = {True: score.partner, False: score.defender}
    attack, defence = (
        [1 + SIZES.index(each) for each in shown] for shown in (result.poignees_attack, result.poignees_defence)
    )
    return {
        "points": result.half_points // 2 if result.half_points % 2 == 0 else result.half_points / 2,
        "bouts": result.bouts,
        "petit_au_bout": str(result.petit_au_bout),
        "chelem": str(result.chelem),
        "poignee_attack": attack if len(attack) > 1 else sum(attack),
        "poignee_defence": defence,
        "base_score": score.base_score,
        "scores": [
            score.taker if player == state.terms.taker else marks[attacker]
            for player, attacker in enumerate(state.terms.attackers)
        ],
    }


LONGEST = 1_000_000  # bytes of one line; a game with its legal cards has about 10 000


def judge_line(line: bytes, rules: PlayRules = STANDARD, *, check: bool = False) -> dict[str, Any]:
    """Return the result of the game on a line: `id`, and the keys of `games.play_out`, or `error`.

    With `check`, the line may have `legal`, `winner` and `expected`. `differences` then lists each of these values that
    the referee does not confirm.
    """
    game: Any = None
    try:
        game = read_line(line)
        verdict = play_out(game, rules)
    except (DealError, GameError, PlayRefused) as error:
        return find_id(game) | {"error": describe_error(error)}
    if check:
        verdict["differences"] = list(find_differences(game, verdict))
    return find_id(game) | verdict


def judge_text(text: bytes, rules: PlayRules = STANDARD) -> dict[str, Any]:
    """Return the result of a record, or `error`. The record may be typed by people (`records.reading`).

    `faults` lists the breaches of the rules. `points` and `bouts` are those of the attack so far, None if the sides are
    not known. `base_score` is None unless the record is complete.
    """
    try:
        judged = judge_record(read_record(text.decode("utf-8", "replace")), rules)
    except (RecordError, DealError, PlayRefused) as error:
        return {"error": describe_error(error)}
    result, points = judged.result, judged.half_points
    return {
        "winners": [trick.winner for trick in judged.tricks],
        "points": None if points is None else points // 2 if points % 2 == 0 else points / 2,
        "bouts": judged.bouts,
        "base_score": None if result is None else score_deal(result, rules.scoring).base_score,
        "faults": [describe_error(fault) for fault in judged.faults],
    }


def read_line(line: bytes) -> object:
    """Return the value of a line of JSON. Raise GameError if the line is no JSON, or too long."""
    if len(line) > LONGEST:
        raise GameError("too_long", most=LONGEST)
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise GameError("json") from None


def find_id(game: object) -> dict[str, Any]:
    """Return the game's own id, if it has one."""
    return {"id": game["id"]} if isinstance(game, dict) and "id" in game else {}


def describe_error(error: DealError | GameError | PlayRefused | RecordError) -> dict[str, Any]:
    """Return an error as values of JSON.

    A refusal also has the fields of `PlayRefused`: the source, the seat, the trick and the cards.
    """
    data: dict[str, Any] = {"code": error.code, "message": str(error)}
    if isinstance(error, PlayRefused):
        data |= {
            "seat": str(error.seat),
            "card": None if error.card is None else NAMES[error.card],
            "trick": error.trick,
            "legal": [NAMES[card] for card in error.legal],
            "source": error.source,
        }
    return data


def find_differences(game: dict[str, Any], told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield each value of the game that differs from what the referee found, with its place."""
    expected = game.get("expected")
    if expected is not None and not isinstance(expected, dict):
        yield {"place": "expected", "expected": expected, "found": None}
        expected = None
    for key, value in (expected or {}).items():
        if told.get(key) != value:
            yield {"place": f"expected.{key}", "expected": value, "found": told.get(key)}
    for number, (trick, winner, legal) in enumerate(zip(game["tricks"], told["winners"], told["legal"], strict=True)):
        if trick.get("winner", winner) != winner:
            yield {"place": f"tricks[{number}].winner", "expected": trick["winner"], "found": winner}
        for step, (play, cards) in enumerate(zip(trick["plays"], legal, strict=True)):
            if "legal" in play and not is_same_set(play["legal"], cards):
                yield {"place": f"tricks[{number}].plays[{step}].legal", "expected": play["legal"], "found": cards}


def is_same_set(one: object, cards: list[str]) -> bool:
    """Return whether a value of JSON is a list of these cards, in any order."""
    return isinstance(one, list) and sorted(map(str, one)) == sorted(cards)

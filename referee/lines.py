"""The judging of games in lines of JSON: each line has a whole game. The answer is its result, or the error."""

import json
from collections.abc import Iterator
from typing import Any

from deals.domain.deal import DealError
from referee.errors import GameError, PlayRefused
from referee.games import NAMES, play_out
from referee.records.judging import judge_record
from referee.records.reading import read_record
from referee.records.values import RecordError
from referee.rules import STANDARD, PlayRules
from scoring.contract import score_deal

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

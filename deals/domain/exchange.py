"""Sets of boards as text, CSV and JSON: `write_*` and `read_*` are inverses, reading forgives what `reading.py` says.

A reader gives a whole `BoardSet` or raises one `ExchangeError` with a line and a column; it never gives half a set.
Text and CSV hold the boards; JSON also holds what identifies the set. Whether a seed may be written is the caller's
decision: for who may not see it the set is written without. `docs/dealing.md` shows the three formats.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from deals.domain.board import name_seats
from deals.domain.boards import DEFAULT_PLAYERS, MAX_NUMBER, OUEST, BoardRow, BoardSet, TextCell, collect, players_of
from deals.domain.cards import HAND
from deals.domain.deal import places
from deals.domain.dealing import DealingError, commitment, seed_commitment, seed_from_hex
from deals.domain.located import Located, LocatedDict, load_located
from deals.domain.notation import dumps, hand_text
from deals.domain.profile import PROFILES
from deals.domain.reading import ExchangeError
from texts.delimiter import find_delimiter

# Text: one board a line, `number [taker=N] [dealer=E] hands`

PLAYERS_LINE = re.compile(r"\s*players\s*[=:\s]\s*(\S+)\s*", re.I)
NUMBER = re.compile(r"\s*([^\s.:)|]+)[.:)]?(?=\s|$)")
SEATS = re.compile(r"\s+(?:(?P<taker>taker|preneur)|dealer|donneur)\s*[=:]\s*(?P<seat>\S+)(?=\s|$)", re.I)


def write_text(boards: BoardSet) -> str:
    """The boards alone; taker and dealer are written where the board's number does not already name them."""
    lines = [f"players {boards.players}"] if boards.players != DEFAULT_PLAYERS else []
    for board in boards.boards:
        named = name_seats(board.number, boards.players)
        said = [
            f"{word}={seat or '-'}"
            for word, seat, usual in zip(("taker", "dealer"), (board.taker, board.dealer), named, strict=True)
            if seat != usual
        ]
        lines.append(" ".join([str(board.number), *said, dumps(board.deal) if board.deal else "-"]))
    return "".join(line + "\n" for line in lines)


def read_text(text: str) -> BoardSet:
    """The set of a text: blank lines and what follows a `#` are passed over, `-` or nothing means no cards.

    Hands are parted by spaces; where `|` parts them, spaces inside a hand are forgiven too.
    """
    rows: list[BoardRow] = []
    players = None
    for line, whole in enumerate(_lines(text), 1):
        content = re.split(r"(?:^|(?<=\s))#", whole, maxsplit=1)[0].rstrip()
        if said := PLAYERS_LINE.fullmatch(content):
            found = players_of(said[1], line, said.start(1) + 1)
            if players not in (None, found):
                raise ExchangeError("other_players", line=line, column=said.start(1) + 1, found=found, expected=players)
            players = found
        elif content:
            rows.append(_text_row(content, line))
    return collect(rows, players)


def _text_row(content: str, line: int) -> BoardRow:
    number = NUMBER.match(content)
    if not number:
        raise ExchangeError("number", line=line, column=1, found=content.strip(), most=MAX_NUMBER)
    at, taker, dealer = number.end(), None, None
    while said := SEATS.match(content, at):
        cell = TextCell(line, said.start("seat") + 1, said["seat"])
        taker, dealer = (cell, dealer) if said["taker"] else (taker, cell)
        at = said.end()
    parted = r"[^|]+" if "|" in content[at:] else r"\S+"
    hands = [TextCell(line, hand.start() + 1, hand[0]) for hand in re.compile(parted).finditer(content, at)]
    return BoardRow(TextCell(line, number.start(1) + 1, number[1]), taker, dealer, hands)


# CSV: a first line that names the columns, `,` `;` or tabs between cells

COLUMNS = {"board": "number", "etui": "number", "étui": "number", "preneur": "taker", "donneur": "dealer"}
COLUMNS |= {name: name for name in ("number", "taker", "dealer", *places(5))} | OUEST
BY_NAME = {name.casefold(): column for name, column in COLUMNS.items()}
CELL = r' *"(?P<quoted>(?:[^"]|"")*)" *|(?P<plain>[^{0}"]*)'


def write_csv(boards: BoardSet) -> str:
    """The boards alone: number, taker, dealer, a column for each hand, the chien."""
    names = places(boards.players)
    lines = [",".join(["number", "taker", "dealer", *names])]
    for board in boards.boards:
        hands = map(hand_text, board.deal.piles) if board.deal else [""] * len(names)
        lines.append(",".join([str(board.number), board.taker or "-", board.dealer, *hands]))
    return "".join(line + "\n" for line in lines)


def read_csv(text: str) -> BoardSet:
    """The set of a CSV whose first line names its columns, in any order; blank lines are passed over."""
    rows: list[BoardRow] = []
    names: list[str] = []
    players = None
    delimiter = ","
    for line, content in enumerate(_lines(text), 1):
        if not content.strip():
            continue
        if not names:
            delimiter = find_delimiter(content) or delimiter
            names = _header(_cells(content, delimiter, line))
            players = _players_of_columns(names, line)
            continue
        cells = _cells(content, delimiter, line)
        if len(cells) != len(names):
            raise ExchangeError("cells", line=line, column=1, found=len(cells), expected=len(names))
        by_name = dict(zip(names, cells, strict=True))
        hands = [by_name[name] for name in places(players)] if players else []
        rows.append(_csv_row(by_name, hands))
    return collect(rows, players)


def _csv_row(cells: dict[str, TextCell], hands: Sequence[TextCell]) -> BoardRow:
    missing = [place for place, cell in zip(places(len(hands) - 1), hands, strict=True) if cell.empty] if hands else []
    if missing and len(missing) < len(hands):
        line, column, _ = cells[missing[0]]
        raise ExchangeError("hand_missing", line=line, column=column, hand=missing[0])
    said = {name: cell for name in ("taker", "dealer") if (cell := cells.get(name)) and cell.text.strip()}
    return BoardRow(cells["number"], said.get("taker"), said.get("dealer"), hands)


def _cells(content: str, delimiter: str, line: int) -> list[TextCell]:
    cell = re.compile(CELL.format(delimiter))
    cells, at = [], 0
    while True:
        found = cell.match(content, at)
        if not found or (found.end() < len(content) and content[found.end()] != delimiter):
            raise ExchangeError("quote", line=line, column=at + 1)
        group = "plain" if found["quoted"] is None else "quoted"
        cells.append(TextCell(line, found.start(group) + 1, found[group].replace('""', '"')))
        at = found.end() + 1
        if at > len(content):
            return cells


def _header(cells: Sequence[TextCell]) -> list[str]:
    names: list[str] = []
    for line, column, text in cells:
        name = BY_NAME.get(text.strip().casefold())
        if name is None:
            known = "number, taker, dealer, N, E, S, W, F, chien"
            raise ExchangeError("column", line=line, column=column, found=text.strip(), known=known)
        if name in names:
            raise ExchangeError("column_repeated", line=line, column=column, found=name)
        names.append(name)
    if "number" not in names:
        raise ExchangeError("column_missing", line=cells[0].line, column=1, found="number")
    return names


def _players_of_columns(names: Sequence[str], line: int) -> int | None:
    """For how many the hand columns are; None where there are none, for boards without cards."""
    hands = [name for name in names if name in (*"NESWF", "chien")]
    if not hands:
        return None
    players = next(players for players in HAND if players == 5 or set(hands) <= set(places(players)))
    for place in places(players):
        if place not in hands:
            raise ExchangeError("column_missing", line=line, column=1, found=place)
    return players


# JSON: everything that identifies the set, then its boards

TEXTS = ("name", "seed", "commitment", "profile", "value_name", "value")
LONGEST = {"value_name": 200, "value": 200}
SET_FIELDS = ("players", *TEXTS, "boards")
BOARD_FIELDS = ("number", "taker", "dealer", "deal")


def write_json(boards: BoardSet) -> str:
    """The whole set, one board a line; `taker` and `deal` are null where there is none."""
    fields = {"players": boards.players, **{name: getattr(boards, name) for name in TEXTS}}
    head = "".join(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)},\n" for key, value in fields.items())
    rows = (
        {
            "number": board.number,
            "taker": board.taker,
            "dealer": board.dealer,
            "deal": dumps(board.deal) if board.deal else None,
        }
        for board in boards.boards
    )
    return f'{{\n{head} "boards": [\n  ' + ",\n  ".join(map(json.dumps, rows)) + "\n ]\n}\n"


def read_json(text: str) -> BoardSet:
    """The set of a JSON object; only `boards` and each board's `number` must be there, unknown fields are errors.

    A seed must be one, a commitment its own (unless it comes without the seed), a profile known. That the deals follow
    from the seed is not checked here: `dealing.deal_board` tells.
    """
    whole = load_located(text)
    fields = _fields(whole, SET_FIELDS, "the set")
    rows = fields.get("boards")
    if rows is None:
        raise ExchangeError("field_missing", line=whole.line, column=whole.column, found="boards")
    if not isinstance(rows, list):
        raise _wrong_type(whole, "boards", "a list")
    texts = {name: _text(whole, name) for name in TEXTS}
    players = None
    if "players" in fields:
        players = players_of(str(fields["players"]), *_spot(fields["players"], whole))
    boards = collect((_json_row(row, whole) for row in rows), players)
    _check_identity(whole, texts, boards.players)
    return BoardSet(boards.players, boards.boards, **texts)


def _json_row(row: Any, whole: LocatedDict) -> BoardRow:
    if not isinstance(row, LocatedDict):
        raise _wrong_type(whole, "boards", "a list of objects")
    _fields(row, BOARD_FIELDS, "a board")
    number = row.get("number")
    if number is None:
        raise ExchangeError("field_missing", line=row.line, column=row.column, found="number")
    taker, dealer, deal = (row.get(name) for name in ("taker", "dealer", "deal"))
    for name, value in (("taker", taker), ("dealer", dealer), ("deal", deal)):
        if not (value is None or isinstance(value, Located)):
            raise _wrong_type(row, name, "a text or null")
    bids = "taker" in row and taker is None
    return BoardRow(
        TextCell(row.line, row.column, str(number)),
        TextCell(row.line, row.column, "-") if bids else _cell(taker),
        _cell(dealer),
        _words(deal) if deal else [],
    )


def _words(deal: Located) -> list[TextCell]:
    return [TextCell(deal.line, deal.column + hand.start() + 1, hand[0]) for hand in re.finditer(r"\S+", deal)]


def _cell(value: Located | None) -> TextCell | None:
    return None if value is None else TextCell(value.line, value.column + 1, value)


def _fields(value: Any, known: Sequence[str], what: str) -> LocatedDict:
    if not isinstance(value, LocatedDict):
        raise ExchangeError("type", line=1, column=1, field=what, expected="an object")
    for key in value:
        if key not in known:
            line, column = _spot(key, value)
            raise ExchangeError("field", line=line, column=column, found=str(key), known=", ".join(known))
    return value


def _text(whole: LocatedDict, name: str) -> str:
    value = whole.get(name) or ""
    if not isinstance(value, str):
        raise _wrong_type(whole, name, "a text")
    return str(value)


def _check_identity(whole: LocatedDict, texts: dict[str, str], players: int) -> None:
    spot = {name: dict(zip(("line", "column"), _spot(whole.get(name), whole), strict=True)) for name in texts}
    for name, most in LONGEST.items():
        if len(texts[name]) > most:
            raise ExchangeError("length", **spot[name], field=name, most=most)
    if texts["seed"]:
        try:
            seed = seed_from_hex(texts["seed"])
        except DealingError as error:
            raise ExchangeError("seed", **spot["seed"]) from error
        binding = commitment(seed, players, texts["profile"], texts["value_name"])
        if texts["commitment"] not in ("", binding, seed_commitment(seed)):
            raise ExchangeError("commitment", **spot["commitment"])
    if texts["profile"] and texts["profile"] not in PROFILES:
        known = ", ".join(PROFILES)
        raise ExchangeError("profile", **spot["profile"], found=texts["profile"], known=known)


def _wrong_type(where: LocatedDict, field: str, expected: str) -> ExchangeError:
    line, column = _spot(where.get(field), where)
    return ExchangeError("type", line=line, column=column, field=field, expected=expected)


def _spot(value: object, otherwise: LocatedDict) -> tuple[int, int]:
    """Where a value stands; where its object begins for the values that cannot tell, numbers and lists."""
    place = value if isinstance(value, Located | LocatedDict) else otherwise
    return place.line, place.column


def _lines(text: str) -> list[str]:
    return re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))

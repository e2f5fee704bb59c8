"""A set of étuis as a value, and its files: text, CSV and JSON.

What `write_*` writes, `read_*` reads again. The readers also accept what `reading.py` allows. A reader returns a whole
`EtuiSet`, or raises one `ExchangeError` with the place of the fault. Text and CSV have only the étuis; JSON also has
the name, seed, commitment and profile of the set. If a user may not see the seed, the caller gives a set without it.
`docs/dealing.md` shows the three formats.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from deals.domain.cards import HAND, Seat, seats
from deals.domain.deal import Deal, dumps, hand_text, places
from deals.domain.dealing import DealingError, commitment, seed_commitment, seed_from_hex
from deals.domain.etui import name_seats
from deals.domain.profile import PROFILES, name_profile_seats
from deals.domain.reading import DASHES, ExchangeError, JsonPlace, Place, TextPlace, read_deal
from wording.table import find_delimiter

MAX_NUMBER = 10_000  # the largest number of an étui, and so the largest number of étuis in a set
DEFAULT_PLAYERS = 4
OUEST = {"O": "W"}


@dataclass(frozen=True, slots=True)
class NumberedEtui:
    """One étui: its number, its taker (None if the players bid), its dealer, and its deal if the cards are known."""

    number: int
    taker: Seat | None
    dealer: Seat
    deal: Deal | None = None


@dataclass(frozen=True, slots=True)
class EtuiSet:
    """A set of étuis, sorted by number, all for the same number of players. A text that the set does not have is ""."""

    players: int
    etuis: tuple[NumberedEtui, ...]
    name: str = ""
    seed: str = ""
    commitment: str = ""
    profile: str = ""
    value_name: str = ""
    value: str = ""


class TextCell(NamedTuple):
    """A piece of text, and the place in the file where it begins."""

    place: Place
    text: str

    @property
    def empty(self) -> bool:
        return self.text.strip() in ("", *DASHES)


class WrittenEtui(NamedTuple):
    """An étui as a file has it, not yet read.

    `taker` or `dealer` is None if the file does not name one. `hands` is () if there are no cards.
    """

    number: TextCell
    taker: TextCell | None
    dealer: TextCell | None
    hands: Sequence[TextCell]


def collect(rows: Iterable[WrittenEtui], players: int | None = None, profile: str = "") -> EtuiSet:
    """Return the set of étuis that the rows describe, sorted by number. Raise ExchangeError on a wrong row.

    If `players` is None, the first deal shows the number of players; without any deal it is 4. If a row does not name
    the taker or the dealer, the number of the étui decides. The named `profile`, if it is known, may name the taker of
    all étuis.
    """
    places: dict[int, Place] = {}
    read: list[tuple[int, WrittenEtui, Deal | None]] = []
    for row in rows:
        number = _number(row.number, places)
        places[number] = row.number.place
        deal = _deal(row)
        if deal is not None:
            if players not in (None, deal.players):
                place = row.hands[0].place
                raise ExchangeError("other_players", place=place, found=deal.players, expected=players)
            players = deal.players
        read.append((number, row, deal))
    if not read:
        raise ExchangeError("no_boards")
    players = players or DEFAULT_PLAYERS
    etuis = []
    for number, row, deal in sorted(read, key=lambda etui: etui[0]):
        taker, dealer = name_profile_seats(profile if profile in PROFILES else "", number, players)
        if row.taker is not None:
            taker = None if row.taker.empty else _seat(row.taker, players)
        if row.dealer is not None:
            dealer = _seat(row.dealer, players)
        etuis.append(NumberedEtui(number, taker, dealer, deal))
    return EtuiSet(players, tuple(etuis))


def players_of(text: str, place: Place) -> int:
    """Return the number of players in a text. Raise ExchangeError at `place` if it is not 3, 4 or 5."""
    if text not in map(str, HAND):
        raise ExchangeError("players", place=place, found=text)
    return int(text)


def _number(cell: TextCell, known: dict[int, Place]) -> int:
    text = cell.text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= MAX_NUMBER):
        raise ExchangeError("number", place=cell.place, found=text, most=MAX_NUMBER)
    if int(text) in known:
        raise ExchangeError("repeated", place=cell.place, found=text, first=known[int(text)])
    return int(text)


def _deal(row: WrittenEtui) -> Deal | None:
    if all(cell.empty for cell in row.hands):
        return None
    return read_deal(row.hands, row.hands[0].place)


def _seat(cell: TextCell, players: int) -> Seat:
    letter = cell.text.strip().upper()
    letter = OUEST.get(letter, letter)
    if letter not in seats(players):
        expected = ", ".join(seats(players))
        raise ExchangeError("seat", place=cell.place, found=cell.text.strip(), seats=expected)
    return Seat(letter)


# Text: one étui on each line, as `number [taker=N] [dealer=E] hands`.

PLAYERS_LINE = re.compile(r"\s*players\s*[=:\s]\s*(\S+)\s*", re.I)
NUMBER = re.compile(r"\s*([^\s.:)|]+)[.:)]?(?=\s|$)")
SEATS = re.compile(r"\s+(?:(?P<taker>taker|preneur)|dealer|donneur)\s*[=:]\s*(?P<seat>\S+)(?=\s|$)", re.I)


def write_text(etui_set: EtuiSet) -> str:
    """Return the étuis as text. Taker and dealer are written only if they are not those of the étui's number."""
    lines = [f"players {etui_set.players}"] if etui_set.players != DEFAULT_PLAYERS else []
    for etui in etui_set.etuis:
        named = name_seats(etui.number, etui_set.players)
        said = [
            f"{word}={seat or '-'}"
            for word, seat, usual in zip(("taker", "dealer"), (etui.taker, etui.dealer), named, strict=True)
            if seat != usual
        ]
        lines.append(" ".join([str(etui.number), *said, dumps(etui.deal) if etui.deal else "-"]))
    return "".join(line + "\n" for line in lines)


def read_etui_text(text: str) -> EtuiSet:
    """Return the set of étuis from a text. Blank lines, and comments after a `#`, are skipped.

    `-` or nothing means that the cards are unknown. Hands are separated by spaces, or by `|`, and then may contain
    spaces.
    """
    rows: list[WrittenEtui] = []
    players = None
    for line, whole in enumerate(_lines(text), 1):
        content = re.split(r"(?:^|(?<=\s))#", whole, maxsplit=1)[0].rstrip()
        if said := PLAYERS_LINE.fullmatch(content):
            place = TextPlace(line, said.start(1) + 1)
            said_players = players_of(said[1], place)
            if players not in (None, said_players):
                raise ExchangeError("other_players", place=place, found=said_players, expected=players)
            players = said_players
        elif content:
            rows.append(_text_row(content, line))
    return collect(rows, players)


def _text_row(content: str, line: int) -> WrittenEtui:
    number = NUMBER.match(content)
    if not number:
        raise ExchangeError("number", place=TextPlace(line, 1), found=content.strip(), most=MAX_NUMBER)
    at, taker, dealer = number.end(), None, None
    while said := SEATS.match(content, at):
        cell = TextCell(TextPlace(line, said.start("seat") + 1), said["seat"])
        taker, dealer = (cell, dealer) if said["taker"] else (taker, cell)
        at = said.end()
    parted = r"[^|]+" if "|" in content[at:] else r"\S+"
    hands = [TextCell(TextPlace(line, hand.start() + 1), hand[0]) for hand in re.compile(parted).finditer(content, at)]
    return WrittenEtui(TextCell(TextPlace(line, number.start(1) + 1), number[1]), taker, dealer, hands)


# CSV: the first line names the columns; `,` `;` or tabs separate the cells.

COLUMNS = {"board": "number", "etui": "number", "étui": "number", "preneur": "taker", "donneur": "dealer"}
COLUMNS |= {name: name for name in ("number", "taker", "dealer", *places(5))} | OUEST
BY_NAME = {name.casefold(): column for name, column in COLUMNS.items()}
CELL = r' *"(?P<quoted>(?:[^"]|"")*)" *|(?P<plain>[^{0}"]*)'


def write_csv(etui_set: EtuiSet) -> str:
    """Return the étuis as CSV: number, taker, dealer, then a column for each hand and for the chien."""
    names = places(etui_set.players)
    lines = [",".join(["number", "taker", "dealer", *names])]
    for etui in etui_set.etuis:
        hands = map(hand_text, etui.deal.piles) if etui.deal else [""] * len(names)
        lines.append(",".join([str(etui.number), etui.taker or "-", etui.dealer, *hands]))
    return "".join(line + "\n" for line in lines)


def read_etui_csv(text: str) -> EtuiSet:
    """Return the set of étuis from a CSV. Its first line names the columns, in any order. Blank lines are skipped."""
    rows: list[WrittenEtui] = []
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
            raise ExchangeError("cells", place=TextPlace(line, 1), found=len(cells), expected=len(names))
        by_name = dict(zip(names, cells, strict=True))
        hands = [by_name[name] for name in places(players)] if players else []
        rows.append(_csv_row(by_name, hands))
    return collect(rows, players)


def _csv_row(cells: dict[str, TextCell], hands: Sequence[TextCell]) -> WrittenEtui:
    missing = [place for place, cell in zip(places(len(hands) - 1), hands, strict=True) if cell.empty] if hands else []
    if missing and len(missing) < len(hands):
        raise ExchangeError("hand_missing", place=cells[missing[0]].place, hand=missing[0])
    said = {name: cell for name in ("taker", "dealer") if (cell := cells.get(name)) and cell.text.strip()}
    return WrittenEtui(cells["number"], said.get("taker"), said.get("dealer"), hands)


def _cells(content: str, delimiter: str, line: int) -> list[TextCell]:
    cell = re.compile(CELL.format(delimiter))
    cells, at = [], 0
    while True:
        match = cell.match(content, at)
        if not match or (match.end() < len(content) and content[match.end()] != delimiter):
            raise ExchangeError("quote", place=TextPlace(line, at + 1))
        group = "plain" if match["quoted"] is None else "quoted"
        cells.append(TextCell(TextPlace(line, match.start(group) + 1), match[group].replace('""', '"')))
        at = match.end() + 1
        if at > len(content):
            return cells


def _header(cells: Sequence[TextCell]) -> list[str]:
    names: list[str] = []
    for place, text in cells:
        name = BY_NAME.get(text.strip().casefold())
        if name is None:
            columns = "number, taker, dealer, N, E, S, W, F, chien"
            raise ExchangeError("column", place=place, found=text.strip(), known=columns)
        if name in names:
            raise ExchangeError("column_repeated", place=place, found=name)
        names.append(name)
    if "number" not in names:
        raise ExchangeError("column_missing", place=cells[0].place, found="number")
    return names


def _players_of_columns(names: Sequence[str], line: int) -> int | None:
    """Return the number of players for which there are columns of hands; None if there are no such columns."""
    hands = [name for name in names if name in (*"NESWF", "chien")]
    if not hands:
        return None
    players = next(players for players in HAND if players == 5 or set(hands) <= set(places(players)))
    for place in places(players):
        if place not in hands:
            raise ExchangeError("column_missing", place=TextPlace(line, 1), found=place)
    return players


# JSON: the name, seed, commitment and so on of the set, then its étuis.

TEXTS = ("name", "seed", "commitment", "profile", "value_name", "value")
LONGEST = {"value_name": 200, "value": 200}
SET_FIELDS = ("players", *TEXTS, "boards")
ETUI_FIELDS = ("number", "taker", "dealer", "deal")


def write_json(etui_set: EtuiSet) -> str:
    """Return the whole set as JSON, one étui on each line. `taker` or `deal` is null if the étui has none."""
    fields = {"players": etui_set.players, **{name: getattr(etui_set, name) for name in TEXTS}}
    head = "".join(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)},\n" for key, value in fields.items())
    rows = (
        {
            "number": etui.number,
            "taker": etui.taker,
            "dealer": etui.dealer,
            "deal": dumps(etui.deal) if etui.deal else None,
        }
        for etui in etui_set.etuis
    )
    return f'{{\n{head} "boards": [\n  ' + ",\n  ".join(map(json.dumps, rows)) + "\n ]\n}\n"


def read_json(text: str) -> EtuiSet:
    """Return the set from a JSON object. Only `boards` and the `number` of each étui are required.

    Unknown fields are errors. The seed must be valid, the commitment must be that of the seed if both are there, and
    the profile must be known. This function does not check that the cards are those that the seed deals.
    """
    root = JsonPlace()
    fields = _fields(_load(text), SET_FIELDS, root)
    texts = {name: _text(fields.get(name) or "", JsonPlace(name), "a text") for name in TEXTS}
    rows = fields.get("boards")
    if rows is None:
        raise ExchangeError("field_missing", place=root, found="boards")
    if not isinstance(rows, list):
        raise ExchangeError("type", place=JsonPlace("boards"), expected="a list")
    players = None
    if "players" in fields:
        players = players_of(str(fields["players"]), JsonPlace("players"))
    read = (_json_row(row, f"boards[{index}]") for index, row in enumerate(rows))
    etui_set = collect(read, players, texts["profile"])
    _check_identity(texts, etui_set.players)
    return EtuiSet(etui_set.players, etui_set.etuis, **texts)


class _Fields(dict[str, Any]):
    """A JSON object. `twice`: the name of a field that the file has twice, because a dict keeps only one of the two."""

    twice: str | None = None


def _load(text: str) -> Any:
    def keep(pairs: list[tuple[str, Any]]) -> _Fields:
        fields = _Fields()
        for name, value in pairs:
            if name in fields:
                fields.twice = name
            fields[name] = value
        return fields

    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=keep)
    except json.JSONDecodeError as error:
        raise ExchangeError("json", place=TextPlace(error.lineno, error.colno)) from error
    except (RecursionError, ValueError) as error:  # the cause is deep nesting, or a number with thousands of digits
        raise ExchangeError("json", place=JsonPlace()) from error


def _json_row(row: Any, path: str) -> WrittenEtui:
    etui = _fields(row, ETUI_FIELDS, JsonPlace(path))
    if etui.get("number") is None:
        raise ExchangeError("field_missing", place=JsonPlace(path), found="number")
    number = TextCell(JsonPlace(f"{path}.number"), str(etui["number"]))
    taker, dealer, deal = (_cell(etui.get(name), f"{path}.{name}") for name in ("taker", "dealer", "deal"))
    if "taker" in etui and taker is None:
        taker = TextCell(JsonPlace(f"{path}.taker"), "-")  # null in the file means that the players bid
    hands = [TextCell(deal.place, hand) for hand in deal.text.split()] if deal else []
    return WrittenEtui(number, taker, dealer, hands)


def _cell(value: Any, path: str) -> TextCell | None:
    place = JsonPlace(path)
    return None if value is None else TextCell(place, _text(value, place, "a text or null"))


def _fields(value: Any, known: Sequence[str], place: JsonPlace) -> _Fields:
    if not isinstance(value, _Fields):
        raise ExchangeError("type", place=place, expected="an object")
    if value.twice is not None:
        raise ExchangeError("field_repeated", place=place, found=value.twice)
    for key in value:
        if key not in known:
            raise ExchangeError("field", place=place, found=key, known=", ".join(known))
    return value


def _text(value: Any, place: JsonPlace, expected: str) -> str:
    if not isinstance(value, str):
        raise ExchangeError("type", place=place, expected=expected)
    return value


def _check_identity(texts: dict[str, str], players: int) -> None:
    for name, most in LONGEST.items():
        if len(texts[name]) > most:
            raise ExchangeError("length", place=JsonPlace(name), field=name, most=most)
    if texts["seed"]:
        try:
            seed = seed_from_hex(texts["seed"])
        except DealingError as error:
            raise ExchangeError("seed", place=JsonPlace("seed")) from error
        binding = commitment(seed, players, texts["profile"], texts["value_name"])
        if texts["commitment"] not in ("", binding, seed_commitment(seed)):
            raise ExchangeError("commitment", place=JsonPlace("commitment"))
    if texts["profile"] and texts["profile"] not in PROFILES:
        raise ExchangeError("profile", place=JsonPlace("profile"), found=texts["profile"], known=", ".join(PROFILES))


def _lines(text: str) -> list[str]:
    return re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))

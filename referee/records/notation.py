"""The text of a record, and its values of JSON. Each record has exactly one text (docs/records.md)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from deals.domain import deal as deal_text
from deals.domain.cards import HAND, Seat, show_card
from deals.domain.deal import Deal, DealError
from deals.domain.reading import shorten
from referee.records.cards import read_exact_card
from referee.records.values import DealRecord, RecordError, find_taker
from referee.rules import Bid
from scoring.values import Contract, Side

KEYS = ("dealer", "deal", "bids", "taker", "called", "ecart", "chelem", "poignee", "trick", "claim")
PASS = "pass"
LONGEST = 20_000  # characters; a whole record has about 600


def dumps(record: DealRecord) -> str:
    """Return the record as text, with a newline at the end."""
    return "".join(f"{line}\n" for line in _lines(record))


def _lines(record: DealRecord) -> Iterator[str]:
    yield f"record {record.players}"
    yield f"dealer {record.dealer}"
    if record.deal is not None:
        yield f"deal {deal_text.dumps(record.deal)}"
    if record.bids is not None:
        yield "bids " + " ".join(PASS if bid is None else str(bid) for bid in record.bids)
    elif record.taker is not None:
        yield f"taker {record.taker} {record.contract}"
    if record.called is not None:
        yield f"called {show_card(record.called)}"
    if record.ecart is not None:
        yield f"ecart {show(record.ecart)}"
    if record.chelem is not None:
        yield f"chelem {record.chelem}"
    for seat, cards in record.poignees:
        yield f"poignee {seat} {show(cards)}"
    for trick in record.tricks:
        yield f"trick {show(trick)}"
    if record.claim is not None:
        yield f"claim {record.claim}"


def show(cards: Iterable[int]) -> str:
    """Return cards as the site shows them, in the given order, separated by spaces."""
    return " ".join(map(show_card, cards))


def loads(text: str) -> DealRecord:
    """Return the record of a text that `dumps` wrote. Raise RecordError on any other text."""
    record = parse(text)
    if dumps(record) != text:
        raise RecordError("canonical")
    return record


def parse(text: str) -> DealRecord:
    """Return the record of a text whose lines may have any order. Raise RecordError if any word is not exact."""
    if len(text) > LONGEST:
        raise RecordError("long", most=LONGEST)
    head, *lines = text.split("\n")
    if head not in {f"record {players}" for players in HAND}:
        raise RecordError("first")
    fields = _RecordLines(int(head[-1]))
    for number, line in enumerate(lines, 2):
        if line:
            key, _, rest = line.partition(" ")
            fields.add(number, key, rest.split(" "))
    return fields.make()


class _RecordLines:
    """The lines of a record by their key, as they are read."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.words: dict[str, tuple[int, list[str]]] = {}
        self.poignees: list[tuple[Seat, tuple[int, ...]]] = []
        self.cards: list[int] = []

    def add(self, line: int, key: str, words: list[str]) -> None:
        if key not in KEYS:
            raise RecordError("key", line=line, found=shorten(key), keys=", ".join(KEYS))
        if key == "poignee":
            self.poignees.append((read_seat(words[0], line, key), read_cards(words[1:], line)))
        elif key == "trick":
            self.cards += read_cards(words, line)
        elif key in self.words:
            raise RecordError("again", line=line, key=key)
        else:
            self.words[key] = line, words

    def make(self) -> DealRecord:
        if (dealer := self.seat("dealer")) is None:
            raise RecordError("dealer")
        bids = self.bids()
        taker, contract = self.taker() if bids is None else find_taker(dealer, bids)
        called, ecart, claim = self.cards_of("called"), self.cards_of("ecart"), self.one("claim", list(Side))
        return DealRecord(
            players=self.players,
            dealer=dealer,
            taker=taker,
            contract=contract,
            deal=self.deal(),
            bids=bids,
            called=called[0] if called else None,
            ecart=ecart,
            chelem=self.seat("chelem"),
            poignees=tuple(self.poignees),
            cards=tuple(self.cards),
            claim=None if claim is None else Side(claim),
        )

    def seat(self, key: str) -> Seat | None:
        chosen = self.one(key, list(Seat))
        return None if chosen is None else Seat(chosen)

    def one(self, key: str, choices: list[str]) -> str | None:
        """Return the only word of a line, which must be one of the choices, or None without the line."""
        if key not in self.words:
            return None
        line, words = self.words[key]
        if len(words) != 1 or words[0] not in choices:
            raise RecordError("value", line=line, key=key, found=shorten(" ".join(words)))
        return words[0]

    def cards_of(self, key: str) -> tuple[int, ...] | None:
        if key not in self.words:
            return None
        line, words = self.words[key]
        return read_cards(words, line)

    def bids(self) -> tuple[Bid, ...] | None:
        if "bids" not in self.words:
            return None
        line, words = self.words["bids"]
        wrong = next((word for word in words if word != PASS and word not in list(Contract)), None)
        if wrong is not None or len(words) != self.players:
            raise RecordError("value", line=line, key="bids", found=shorten(wrong or " ".join(words)))
        return tuple(None if word == PASS else Contract(word) for word in words)

    def taker(self) -> tuple[Seat | None, Contract | None]:
        if "taker" not in self.words:
            return None, None
        line, words = self.words["taker"]
        if len(words) != 2 or words[1] not in list(Contract):
            raise RecordError("value", line=line, key="taker", found=shorten(" ".join(words)))
        return read_seat(words[0], line, "taker"), Contract(words[1])

    def deal(self) -> Deal | None:
        if "deal" not in self.words:
            return None
        line, words = self.words["deal"]
        try:
            return deal_text.loads(" ".join(words))
        except DealError as error:
            raise RecordError("hands", line=line, fault=error) from error


def read_seat(word: str, line: int, key: str) -> Seat:
    """Return the seat with this letter."""
    if word not in list(Seat):
        raise RecordError("value", line=line, key=key, found=shorten(word))
    return Seat(word)


def read_cards(words: Iterable[str], line: int) -> tuple[int, ...]:
    """Return the cards of a line."""
    return tuple(read_exact_card(word, line) for word in words)


LISTS = ("bids", "ecart")


def record_to_data(record: DealRecord) -> dict[str, Any]:
    """Return the record as values of JSON. Unknown values are left out.

    `bids`, `ecart` and each of `tricks` are lists of texts; `poignees` is a list of objects with `seat` and `cards`.
    """
    data: dict[str, Any] = {"players": record.players}
    for line in dumps(record).splitlines()[1:]:
        key, _, rest = line.partition(" ")
        if key == "poignee":
            seat, *cards = rest.split(" ")
            data.setdefault("poignees", []).append({"seat": seat, "cards": cards})
        elif key == "trick":
            data.setdefault("tricks", []).append(rest.split(" "))
        else:
            data[key] = rest.split(" ") if key in LISTS else rest
    return data


def record_from_data(data: object) -> DealRecord:
    """Return the record that these values of JSON describe. Raise RecordError if they describe none."""
    names = ("players", *(f"{key}s" if key in ("poignee", "trick") else key for key in KEYS))
    if not isinstance(data, Mapping) or not set(data) <= set(names):
        raise RecordError("json", keys=", ".join(names))
    if type(data.get("players")) is not int:
        raise RecordError("json_value", key="players")
    lines = [f"record {data['players']}"]
    for key in KEYS:
        if key == "poignee":
            lines += [f"poignee {_poignee(each)}" for each in _list(data, "poignees")]
        elif key == "trick":
            lines += [f"trick {_join(each, 'tricks')}" for each in _list(data, "tricks")]
        elif key in data:
            lines.append(f"{key} {_join(data[key], key) if key in LISTS else _text(data[key], key)}")
    return parse("\n".join(lines))


def _list(data: Mapping[str, Any], key: str) -> list[Any]:
    value = data.get(key, [])
    if not isinstance(value, list):
        raise RecordError("json_value", key=key)
    return value


def _poignee(value: object) -> str:
    if not isinstance(value, Mapping) or set(value) != {"seat", "cards"}:
        raise RecordError("json_value", key="poignees")
    return f"{_text(value['seat'], 'poignees')} {_join(value['cards'], 'poignees')}"


def _join(value: object, key: str) -> str:
    if not isinstance(value, list) or not value:
        raise RecordError("json_value", key=key)
    return " ".join(_text(each, key) for each in value)


def _text(value: object, key: str) -> str:
    if not isinstance(value, str) or not value or "\n" in value:
        raise RecordError("json_value", key=key)
    return value

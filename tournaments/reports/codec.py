"""The codec between the stored data of a report and its frozen, typed values.

Data that is decoded and encoded again is exactly the same, even if another release of the site wrote it. For this, each
value remembers its stored keys in their order. It also keeps, in `as_stored`, all data that this release would write
differently. If a key is missing, its field has its default value, and the key is not written.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Annotated, Any, Generic, NamedTuple, Self, TypeVar, get_type_hints, overload

Data = dict[str, Any]
# The errors that a codec raises for data that it cannot read.
UNREADABLE = (TypeError, ValueError, AttributeError, ZeroDivisionError)
NOTHING: Mapping[str, Any] = MappingProxyType({})
AnyStored = TypeVar("AnyStored", bound="StoredValue", covariant=True)


class ReadData(NamedTuple):
    """A value that was read. `is_faithful` is True if writing the value gives back exactly the data that was read."""

    value: Any
    is_faithful: bool


class ValueCodec(NamedTuple):
    """A pair of functions: `read` turns stored data into a value, `write` turns the value back into data."""

    read: Callable[[Any], ReadData]
    write: Callable[[Any], Any]


class Key(NamedTuple):
    """An annotation of a field whose key in the stored data differs from the field's name."""

    key: str


class StoredField(NamedTuple):
    """The name of a field and its codec. The codec is None if the field is stored without change."""

    name: str
    codec: ValueCodec | None


@lru_cache(maxsize=65_536)
def read_exact(text: str | None) -> ReadData:
    """Return the fraction that is stored as text, such as "175/2". None stays None.

    The results are cached, because thousands of plays have few different notes.
    """
    value = None if text is None else Fraction(text)
    return ReadData(value, write_exact(value) == text)


def write_exact(value: Fraction | None) -> str | None:
    """Return a fraction as text, such as "175/2". None stays None."""
    return None if value is None else str(value)


def read_notes(notes: Mapping[str, str | None] | None) -> ReadData:
    """Return the notes of a play by line, as fractions, or None if the play has no notes."""
    if notes is None:
        return ReadData(None, True)
    exact = {line: read_exact(note) for line, note in notes.items()}
    return ReadData({line: each.value for line, each in exact.items()}, all(each[1] for each in exact.values()))


def write_notes(notes: Mapping[str, Fraction | None] | None) -> Data | None:
    """Return the notes of a play by line, as the texts that are stored."""
    return None if notes is None else {line: write_exact(note) for line, note in notes.items()}


def read_fixed_notes(fixed: Mapping[str, str] | Sequence[str]) -> ReadData:
    """Return the notes that the arbiter fixed, by line.

    Old reports have only the lines: the text of each note is then "".
    """
    is_mapping = isinstance(fixed, Mapping)
    return ReadData(fixed if is_mapping else dict.fromkeys(fixed, ""), is_mapping)


EXACT = ValueCodec(read_exact, write_exact)
NOTES = ValueCodec(read_notes, write_notes)
FIXED_NOTES = ValueCodec(read_fixed_notes, dict)
TUPLE = ValueCodec(lambda values: ReadData(tuple(values), True), list)
Exact = Annotated[Fraction | None, EXACT]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredValue:
    """The base class of the values in a report.

    `keys` are the keys of the stored data, in their order. `as_stored` has the stored data of each key that this
    release does not know, or that it would write differently.
    """

    keys: tuple[str, ...] = ()
    as_stored: Mapping[str, Any] = field(default_factory=lambda: NOTHING)

    def change(self, **values: Any) -> Self:
        """Return a copy with other values for some fields. These fields are then written as this release writes them.

        The other fields are still written as they were stored.
        """
        names = {name: key for key, (name, _) in fields_of(type(self)).items()}
        changed = {names[name] for name in values}
        rest = {key: raw for key, raw in self.as_stored.items() if key not in changed}
        keys = dict.fromkeys((*self.keys, *(names[name] for name in values)))
        return replace(self, **values, keys=tuple(keys), as_stored=rest)


class StoredRows(Sequence[AnyStored], Generic[AnyStored]):
    """A list of values that is decoded as a whole when the first value is read.

    Plays are the largest part of a report, and most pages do not read them.
    """

    def __init__(self, kind: type[AnyStored], stored: Sequence[Any]) -> None:
        self.kind, self.stored = kind, stored

    @cached_property
    def values(self) -> tuple[AnyStored, ...]:
        """The decoded values. Empty if a row cannot be read."""
        try:
            return tuple(row if row is None else decode(self.kind, row) for row in self.stored)  # type: ignore[misc]
        except UNREADABLE:
            return ()

    def select(self, test: Callable[[Mapping[str, Any]], bool]) -> list[AnyStored]:
        """Return the values whose stored row passes the test. Only these rows are decoded.

        Return [] if one of them cannot be read.
        """
        if "values" in self.__dict__ and len(self.values) == len(self.stored):
            return [value for value, row in zip(self.values, self.stored, strict=True) if test(row)]
        try:
            return [decode(self.kind, row) for row in self.stored if test(row)]
        except UNREADABLE:
            return []

    @overload
    def __getitem__(self, index: int) -> AnyStored: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[AnyStored]: ...
    def __getitem__(self, index: int | slice) -> AnyStored | Sequence[AnyStored]:
        return self.values[index]

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[AnyStored]:
        return iter(self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.values == tuple(other)

    __hash__ = None  # type: ignore[assignment]


def read_rows(kind: type[StoredValue], rows: Any) -> ReadData:
    """Return the values of a stored list, which are decoded later. Raise `TypeError` if `rows` is not a list."""
    if not isinstance(rows, list):
        raise TypeError
    return ReadData(StoredRows(kind, rows), True)


def encode_rows(values: Sequence[StoredValue | None]) -> list[Any]:
    """Return the values as a list to store. A list that could not be decoded is returned unchanged."""
    if isinstance(values, StoredRows) and len(values) != len(values.stored):
        return list(values.stored)
    return [value if value is None else encode(value) for value in values]


def each_of(kind: type[StoredValue]) -> ValueCodec:
    """Return the codec of a list of values of this class. A list may have None in place of a value."""
    return ValueCodec(lambda rows: read_rows(kind, rows), encode_rows)


def extend(kind: type[AnyStored], value: StoredValue, **values: Any) -> AnyStored:
    """Return a value of a class derived from the value's own: with the same fields, and with those in `values`."""
    return kind(**({name: getattr(value, name) for name in list_field_names(type(value))} | values))


NAMES: dict[Any, tuple[str, ...]] = {}  # cached by the class of the value


def list_field_names(kind: Any) -> tuple[str, ...]:
    """Return the names of all fields of a class."""
    if kind not in NAMES:
        NAMES[kind] = tuple(each.name for each in fields(kind))
    return NAMES[kind]


OWN = {each.name for each in fields(StoredValue)}


FIELDS: dict[Any, Mapping[str, StoredField]] = {}  # cached by the class of the value


def fields_of(kind: Any) -> Mapping[str, StoredField]:
    """Return the fields of a class derived from `StoredValue`, by the keys under which they are stored."""
    if kind not in FIELDS:
        fields = {}
        for name, hint in get_type_hints(kind, include_extras=True).items():
            metadata = getattr(hint, "__metadata__", ())
            key = next((each.key for each in metadata if isinstance(each, Key)), name)
            if name not in OWN:
                fields[key] = StoredField(name, next((each for each in metadata if isinstance(each, ValueCodec)), None))
        FIELDS[kind] = fields
    return FIELDS[kind]


class Layout(NamedTuple):
    """The way to read values that are stored with the same keys, worked out once for all of them.

    `plain` has (key, field name) pairs that need no codec. `coded` has (key, field name, read function). `unknown` has
    the keys that belong to no field.
    """

    keys: tuple[str, ...]
    plain: tuple[tuple[str, str], ...]
    coded: tuple[tuple[str, str, Callable[[Any], ReadData]], ...]
    unknown: tuple[str, ...]


LAYOUTS: dict[Any, Layout] = {}  # a cache by class and keys; a report has few different ones


def find_layout(kind: Any, keys: tuple[str, ...]) -> Layout:
    """Return the layout for values of this class that are stored with these keys."""
    if (kind, keys) not in LAYOUTS:
        fields = [(key, *fields_of(kind)[key]) for key in keys if key in fields_of(kind)]
        LAYOUTS[kind, keys] = Layout(
            keys,
            tuple((key, name) for key, name, codec in fields if codec is None),
            tuple((key, name, codec.read) for key, name, codec in fields if codec is not None),
            tuple(key for key in keys if key not in fields_of(kind)),
        )
    return LAYOUTS[kind, keys]


def decode(kind: type[AnyStored], data: Mapping[str, Any]) -> AnyStored:
    """Return the value of this class from its stored data. A field that cannot be read has its default value."""
    keys, plain, coded, unknown = find_layout(kind, tuple(data))
    values: Data = {name: data[key] for key, name in plain}
    as_stored: Data = {key: data[key] for key in unknown} if unknown else {}
    for key, name, read in coded:
        try:
            values[name], is_faithful = read(data[key])
        except UNREADABLE:
            is_faithful = False
        if not is_faithful:
            as_stored[key] = data[key]
    return kind(**values, keys=keys, as_stored=as_stored or NOTHING)


def encode(value: StoredValue) -> Data:
    """Return the value as a dict to store, with its keys in their stored order."""
    fields, as_stored = fields_of(type(value)), value.as_stored
    data: Data = {}
    for key in value.keys:
        if key in as_stored:
            data[key] = as_stored[key]
        else:
            name, codec = fields[key]
            field_value = getattr(value, name)
            data[key] = field_value if codec is None else codec.write(field_value)
    return data

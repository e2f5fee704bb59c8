"""The sealed file of a simultaneous: a ZIP with its hours, its étuis without cards, and the cards encrypted by age.

Any program of age decrypts the cards, if it has the key. They are then a set of étuis in JSON, as the site exports it.
"""

import datetime as dt
import io
import lzma
import zipfile
import zlib
from dataclasses import replace
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
import pyrage

from archives.errors import SealedFileError
from clubs.names import drop_hidden
from clubs.uploads.child import open_packed
from deals.domain.exchange import EtuiSet, read_json, write_json
from deals.domain.reading import ExchangeError

FORMAT: Final = "topage-simultaneous"
VERSION: Final = 1
ABOUT, ETUIS, CARDS = "simultaneous.json", "etuis.json", "etuis.json.age"
FOUR = 4
MOST_BYTES = 5_000_000
YEARS = range(2000, 2100)
NO_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest moment that ZIP knows


class AboutSimultaneous(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The facts about a simultaneous that other sites need. `address`: its page on the organiser's site."""

    key: UUID
    title: str
    organiser: str
    address: str
    opens_at: dt.datetime
    closes_at: dt.datetime
    public_at: dt.datetime
    format: str = FORMAT
    version: int = VERSION


class SealedFile(NamedTuple):
    """A sealed file that was read: the facts, the étuis without cards, and the encrypted cards."""

    about: AboutSimultaneous
    etuis: EtuiSet
    cards: bytes


def draw_key() -> str:
    """Return a new key that opens sealed cards, as text in the format of age."""
    return str(pyrage.x25519.Identity.generate())


def write_sealed_file(about: AboutSimultaneous, etui_set: EtuiSet, key: str) -> bytes:
    """Return the bytes of the file. `etui_set` has the cards and the seed: they are only in the encrypted part."""
    recipient = pyrage.x25519.Identity.from_str(key).to_public()
    files = {
        ABOUT: msgspec.json.format(msgspec.json.encode(about), indent=1),
        ETUIS: write_json(without_cards(etui_set)).encode(),
        CARDS: pyrage.encrypt(write_json(etui_set).encode(), [recipient]),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(zipfile.ZipInfo(name, NO_TIME), content)
    return out.getvalue()


def without_cards(etui_set: EtuiSet) -> EtuiSet:
    """Return the set without its seed and without the cards of its étuis. It keeps the commitment."""
    return replace(etui_set, seed="", etuis=tuple(replace(each, deal=None) for each in etui_set.etuis))


def read_sealed_file(content: bytes) -> SealedFile:
    """Return the parts of a sealed file. Its cards stay encrypted.

    Raise `SealedFileError` if it is another file, is damaged or too large, comes from a newer release, or has étuis for
    three or five players.
    """
    files = unpack_files(content)
    try:
        about = msgspec.json.decode(files[ABOUT], type=dict)
        if about.get("format") != FORMAT:
            raise SealedFileError("sealed_other")
        if about.get("version") != VERSION:
            raise SealedFileError("sealed_newer", version=str(about.get("version"))[:20], ours=VERSION)
        about_simultaneous = msgspec.convert(about, AboutSimultaneous)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SealedFileError("sealed_damaged") from error
    about_simultaneous = in_utc(about_simultaneous)
    if not about_simultaneous.opens_at < about_simultaneous.closes_at <= about_simultaneous.public_at:
        raise SealedFileError("sealed_hours")
    etuis = read_etuis(files[ETUIS])
    if not etuis.commitment or etuis.seed or any(each.deal for each in etuis.etuis):
        raise SealedFileError("sealed_damaged")
    if etuis.players != FOUR:
        raise SealedFileError("sealed_players", players=etuis.players)
    return SealedFile(about_simultaneous, etuis, files[CARDS])


def examine_sealed_file(content: bytes) -> bytes:
    """Read a sealed file in a child process. Return nothing: the site reads it again when it knows what this takes."""
    read_sealed_file(content)
    return b""


def in_utc(about: AboutSimultaneous) -> AboutSimultaneous:
    """Return the facts with their hours in UTC and without control characters.

    Raise `SealedFileError` for an hour without time zone, or of another century.
    """
    hours = {}
    for name in ("opens_at", "closes_at", "public_at"):
        hour = getattr(about, name)
        if hour.tzinfo is None or hour.year not in YEARS:
            raise SealedFileError("sealed_damaged")
        hours[name] = hour.astimezone(dt.UTC)
    texts = {
        name: drop_hidden("".join(letter for letter in getattr(about, name) if letter.isprintable()))
        for name in ("title", "organiser", "address")
    }
    if not texts["address"].startswith(("https://", "http://")):  # a page links to it
        texts["address"] = ""
    return msgspec.structs.replace(about, **hours, **texts)


def unpack_files(content: bytes) -> dict[str, bytes]:
    """Return the three files of the ZIP by name. Sizes are measured while unpacking."""
    files: dict[str, bytes] = {}
    left = MOST_BYTES
    try:
        with open_packed(content, SealedFileError) as packed:
            if sorted(packed.namelist()) != sorted((ABOUT, ETUIS, CARDS)):
                raise SealedFileError("sealed_other")
            for name in packed.namelist():
                with packed.open(name) as file:
                    files[name] = file.read(left + 1)
                left -= len(files[name])
                if left < 0:
                    raise SealedFileError("sealed_large", most=MOST_BYTES // 10**6)
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        OSError,
        EOFError,
        NotImplementedError,
        RuntimeError,
    ) as error:
        raise SealedFileError("sealed_no_zip") from error
    return files


def read_etuis(text: bytes) -> EtuiSet:
    try:
        return read_json(text.decode())
    except UnicodeDecodeError as error:
        raise SealedFileError("sealed_damaged") from error
    except ExchangeError as error:
        raise SealedFileError("sealed_set", error=str(error)) from error


def open_cards(sealed: SealedFile, key: str) -> EtuiSet:
    """Return the étuis with their cards and their seed.

    Raise `SealedFileError` if the key does not open the cards, or if an étui is not the one that was announced.
    """
    try:
        identity = pyrage.x25519.Identity.from_str(key.strip())
    except pyrage.IdentityError as error:
        raise SealedFileError("no_sealed_key") from error
    try:
        text = pyrage.decrypt(sealed.cards, [identity])
    except pyrage.DecryptError as error:
        if "No matching keys" in str(error):
            raise SealedFileError("other_sealed_key") from error
        raise SealedFileError("sealed_damaged") from error
    opened = read_etuis(bytes(text))
    check_announced(sealed.etuis, opened)
    return opened


def check_announced(announced: EtuiSet, opened: EtuiSet) -> None:
    """Raise `SealedFileError` unless the opened set is the announced one, with a seed and cards besides."""
    if not opened.seed or describe_set(announced) != describe_set(opened):
        raise SealedFileError("sealed_commitment_differs")
    for before, after in zip(announced.etuis, opened.etuis, strict=True):
        if (before.number, before.taker, before.dealer) != (after.number, after.taker, after.dealer) or not after.deal:
            raise SealedFileError("sealed_cards_differ", number=after.number)


def describe_set(etui_set: EtuiSet) -> tuple[object, ...]:
    facts = (etui_set.players, etui_set.commitment, etui_set.profile, etui_set.value_name, etui_set.value)
    return (*facts, len(etui_set.etuis))

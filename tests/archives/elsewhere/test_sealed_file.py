"""The sealed file: no card is outside its encrypted part, and only the announced étuis come out."""

import datetime as dt
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

import pyrage
import pytest

from archives.elsewhere import sealed_file
from archives.elsewhere.sealed_file import AboutSimultaneous, draw_key, open_cards, read_sealed_file
from archives.errors import SealedFileError
from deals.domain.deal import dumps
from deals.domain.dealing import commitment, deal_etui
from deals.domain.exchange import EtuiSet, NumberedEtui, read_json, write_json
from deals.domain.profile import name_profile_seats

SEED = bytes(range(32))
HOUR = dt.datetime(2026, 12, 5, 19, 30, tzinfo=dt.UTC)
ABOUT = AboutSimultaneous(
    key=UUID(int=7),
    title="Simultané de décembre — Étoile",
    organiser="Tarot Club de Besançon",
    address="https://tarot.example/besancon/simultaneous/decembre/",
    opens_at=HOUR,
    closes_at=HOUR + dt.timedelta(hours=5),
    public_at=HOUR + dt.timedelta(hours=6),
)


def make_set(count: int = 4) -> EtuiSet:
    etuis = tuple(
        NumberedEtui(number, *name_profile_seats("", number, 4), deal_etui(SEED, number, 4).deal)
        for number in range(1, count + 1)
    )
    return EtuiSet(4, etuis, name="Décembre", seed=SEED.hex(), commitment=commitment(SEED, 4, "", ""))


@pytest.fixture(scope="module")
def key() -> str:
    return draw_key()


@pytest.fixture(scope="module")
def content(key: str) -> bytes:
    return sealed_file.write_sealed_file(ABOUT, make_set(), key)


def test_the_key_opens_the_étuis_that_were_sealed(content: bytes, key: str) -> None:
    sealed = read_sealed_file(content)
    assert sealed.about == ABOUT
    assert open_cards(sealed, f" {key}\n") == make_set()


def test_nothing_of_the_cards_is_outside_the_encrypted_part(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        seen = b"".join(packed.read(name) for name in packed.namelist()).decode(errors="replace")
    assert SEED.hex() not in seen
    for etui in make_set().etuis:
        assert etui.deal is not None
        assert all(hand not in seen for hand in dumps(etui.deal).split())
    assert make_set().commitment in seen


def test_any_program_of_age_opens_the_cards(content: bytes, key: str) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        text = pyrage.decrypt(packed.read("etuis.json.age"), [pyrage.x25519.Identity.from_str(key)])
    assert read_json(bytes(text).decode()) == make_set()


def refusal(work: Callable[[], object]) -> str:
    with pytest.raises(SealedFileError) as refused:
        work()
    return refused.value.code


def test_a_key_with_a_mistake_and_the_key_of_another_file_are_told_apart(content: bytes, key: str) -> None:
    sealed = read_sealed_file(content)
    assert refusal(lambda: open_cards(sealed, "AGE-SECRET-KEY-1OH")) == "no_sealed_key"
    assert refusal(lambda: open_cards(sealed, draw_key())) == "other_sealed_key"
    cut = sealed._replace(cards=sealed.cards[:-9] + b"x" * 9)
    assert refusal(lambda: open_cards(cut, key)) == "sealed_damaged"


def seal(cards: EtuiSet, key: str) -> bytes:
    recipient = pyrage.x25519.Identity.from_str(key).to_public()
    return bytes(pyrage.encrypt(write_json(cards).encode(), [recipient]))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda whole: replace(whole, seed=""), "sealed_commitment_differs"),
        (
            lambda whole: replace(whole, seed=bytes(32).hex(), commitment=commitment(bytes(32), 4, "", "")),
            "sealed_commitment_differs",
        ),
        (lambda whole: replace(whole, etuis=whole.etuis[:-1]), "sealed_commitment_differs"),
        (
            lambda whole: replace(whole, etuis=(*whole.etuis[:3], replace(whole.etuis[3], number=5))),
            "sealed_cards_differ",
        ),
        (
            lambda whole: replace(whole, etuis=(*whole.etuis[:3], replace(whole.etuis[3], deal=None))),
            "sealed_cards_differ",
        ),
    ],
    ids=["no secret draw", "another seed", "an étui is missing", "another number", "no cards"],
)
def test_other_étuis_than_those_announced_are_refused(
    change: Callable[[EtuiSet], EtuiSet], code: str, content: bytes, key: str
) -> None:
    sealed = read_sealed_file(content)._replace(cards=seal(change(make_set()), key))
    assert refusal(lambda: open_cards(sealed, key)) == code


def pack(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return out.getvalue()


def unpack(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def with_about(content: bytes, **changed: object) -> bytes:
    files = unpack(content)
    about = json.loads(files["simultaneous.json"]) | changed
    return pack(files | {"simultaneous.json": json.dumps(about).encode()})


def test_files_that_are_no_sealed_file_are_refused(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refusal(lambda: read_sealed_file(b"")) == "sealed_no_zip"
    assert refusal(lambda: read_sealed_file(content[:200])) == "sealed_no_zip"
    assert refusal(lambda: read_sealed_file(pack({"manifest.json": b"{}"}))) == "sealed_other"
    assert refusal(lambda: read_sealed_file(with_about(content, format="other"))) == "sealed_other"
    assert refusal(lambda: read_sealed_file(with_about(content, version=9))) == "sealed_newer"
    assert refusal(lambda: read_sealed_file(with_about(content, key="none"))) == "sealed_damaged"
    assert refusal(lambda: read_sealed_file(with_about(content, opens_at="2026-12-05T19:30:00"))) == "sealed_damaged"
    assert refusal(lambda: read_sealed_file(with_about(content, further=1))) == "sealed_damaged"
    late = (HOUR + dt.timedelta(days=1)).isoformat()
    assert refusal(lambda: read_sealed_file(with_about(content, opens_at=late))) == "sealed_hours"
    for about in (b"[]", b"\xff", b"{"):
        damaged = pack(unpack(content) | {"simultaneous.json": about})
        assert refusal(lambda: read_sealed_file(damaged)) == "sealed_damaged"  # noqa: B023
    monkeypatch.setattr(sealed_file, "MOST_BYTES", 100)
    assert refusal(lambda: read_sealed_file(content)) == "sealed_large"


def test_cards_or_a_seed_in_the_open_part_are_refused(content: bytes) -> None:
    for open_part in (make_set(), replace(make_set(), etuis=sealed_file.without_cards(make_set()).etuis)):
        told = pack(unpack(content) | {"etuis.json": write_json(open_part).encode()})
        assert refusal(lambda: read_sealed_file(told)) == "sealed_damaged"  # noqa: B023


def test_the_announced_étuis_have_no_cards_and_keep_the_commitment() -> None:
    bare = sealed_file.without_cards(make_set())
    assert (bare.seed, bare.commitment) == ("", make_set().commitment)
    assert {each.deal for each in bare.etuis} == {None}

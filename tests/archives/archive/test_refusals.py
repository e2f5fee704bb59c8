"""The archives that are refused, each with a sentence, and nothing of them is written."""

import io
import json
import zipfile
from hashlib import sha256

import pytest

from archives.archive import packing, restoring
from archives.archive.contents import MISSING
from archives.archive.packing import MANIFEST, NEWEST
from archives.archive.restoring import examine_upload
from archives.errors import ArchiveError
from clubs.models import ClubLogEntry, Person, Player, User
from clubs.uploads.child import IN_REQUEST
from tests.archives.archive.packed import bring, change, export, read_texts
from tests.factories import make_club, published_session
from tournaments.models import Session, Tournament


@pytest.fixture(scope="module")
def packed(rows_of_the_file):
    return export(published_session(cards=True).tournament, cards_for=User.objects.first())


@pytest.fixture
def club(packed, db):
    return make_club("ailleurs", "Ailleurs")


def rewrite(packed, **entries):
    """Return the ZIP with some of its entries replaced, and further ones added, whatever the manifest says."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for path in old.namelist():
            if path not in entries:
                new.writestr(path, old.read(path))
        for path, text in entries.items():
            new.writestr(path, text)
    return out.getvalue()


def manifest_of(packed):
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return json.loads(archive.read(MANIFEST))


def refuse(packed, club, words):
    counts = [model.objects.count() for model in (Tournament, Session, Player, Person, User)]
    with pytest.raises(ArchiveError, match=words):
        bring(packed, club)
    assert [model.objects.count() for model in (Tournament, Session, Player, Person, User)] == counts


@pytest.mark.parametrize(
    "path", ["../plays.json", "/etc/plays.json", "a/b/c.json", "plays.py", "..", "C:\\x.json", "a//b.json"]
)
def test_path_that_leaves_the_folder_is_refused(packed, club, path):
    refuse(rewrite(packed, **{path: "[]"}), club, "a file that does not belong there")


def test_archive_that_unpacks_to_too_much_is_refused_while_it_is_read(packed, club, monkeypatch):
    size = sum(len(text) for text in read_texts(packed).values())
    monkeypatch.setattr(packing, "MOST_BYTES", size // 2)
    refuse(packed, club, "too large")


def test_one_file_that_unpacks_to_too_much_is_refused(packed, club, monkeypatch):
    monkeypatch.setattr(packing, "MOST_BYTES", 3_000_000)
    monkeypatch.setattr(packing, "AT_ONCE", 1_000)
    bomb = rewrite(packed, **{"bomb.json": b" " * 3_100_000})
    assert len(bomb) < 1_000_000
    refuse(bomb, club, "too large")


def test_archive_of_a_newer_version_is_refused(packed, club):
    assert max(MISSING) == NEWEST
    newer = manifest_of(packed) | {"version": NEWEST + 1}
    refuse(rewrite(packed, **{MANIFEST: json.dumps(newer)}), club, "upgrade it first")


@pytest.mark.parametrize(
    ("text", "words"), [("[]", "does not say so"), ("{", "not JSON"), ('{"format": "x"}', "does not say so")]
)
def test_file_with_another_manifest_is_refused(packed, club, text, words):
    refuse(rewrite(packed, **{MANIFEST: text}), club, words)


def test_manifest_that_is_too_large_is_refused_before_it_is_parsed(packed, club):
    refuse(rewrite(packed, **{MANIFEST: b"[" + b"[]," * 400_000 + b"[]]"}), club, "at most 1000 kB")


def test_row_that_is_too_large_is_refused(packed, club, monkeypatch):
    monkeypatch.setattr(packing, "MOST_ROW", 5_000)
    monkeypatch.setattr(packing, "AT_ONCE", 1_000)
    refuse(change(packed, "plays.json", lambda rows: rows[0].update(x=[[]] * 4_000)), club, "at most 5000 letters")


def test_figures_that_are_too_large_are_refused(packed, club, monkeypatch):
    monkeypatch.setattr(packing, "MOST_FROZEN", 1_000)
    refuse(packed, club, "publications/1.json of the archive is too large")


def test_too_many_players_are_refused(packed, club, monkeypatch):
    monkeypatch.setattr(restoring, "MOST_PEOPLE", 3)
    refuse(packed, club, "too many rows in players.json: at most 3")


def test_list_is_read_a_part_at_a_time(monkeypatch):
    monkeypatch.setattr(packing, "MOST_ROW", 40)
    monkeypatch.setattr(packing, "AT_ONCE", 7)
    values = [[number, "é" * (number % 20), " "] for number in range(60)]
    text = json.dumps(values, ensure_ascii=False, indent=1).replace("\n  ", "").encode()
    assert list(packing.split_list("x.json", io.BytesIO(text))) == values


def test_child_reads_an_archive_without_the_site(packed):
    examine_upload(packed, IN_REQUEST)
    with pytest.raises(ArchiveError, match="at most 1000 kB"):
        examine_upload(rewrite(packed, **{MANIFEST: b"[" + b"[]," * 400_000 + b"[]]"}), IN_REQUEST)


def test_manifest_without_a_key_is_refused(packed, club):
    without = manifest_of(packed) | {"key": "none"}
    refuse(rewrite(packed, **{MANIFEST: json.dumps(without)}), club, "no key")


def test_changed_file_is_refused_by_its_digest(packed, club):
    refuse(rewrite(packed, **{"plays.json": "[]"}), club, "differ from those in its manifest")


def test_file_that_the_manifest_does_not_name_is_refused(packed, club):
    refuse(rewrite(packed, **{"further.json": "[]"}), club, "differ from those in its manifest")
    named = manifest_of(packed)
    named["files"]["further.json"] = sha256(b"[]").hexdigest()
    refuse(rewrite(packed, **{"further.json": "[]", MANIFEST: json.dumps(named)}), club, "other files")


def test_file_that_is_no_zip_is_refused(club):
    refuse(b"PK no zip", club, "as a ZIP")


def test_figures_that_do_not_have_the_digest_of_their_version_are_refused(packed, club):
    def move(figures):
        figures["positions"] += 1

    refuse(change(packed, "publications/1.json", move), club, "do not fit the digest of the published version")


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("path", "changed", "words"),
    [
        ("plays.json", lambda rows: rows[0].update(north=999), "row 999 of tournaments.Entrant"),
        ("plays.json", lambda rows: rows[0].update(password="x"), "columns"),
        ("plays.json", lambda rows: rows[0].pop("etui"), "columns"),
        ("plays.json", lambda rows: rows[0].update(row=7), "columns"),
        ("plays.json", lambda rows: rows[0].update(position="one"), "refuses"),
        ("sessions.json", lambda rows: rows[0].update(status="over"), "refuses"),
        ("sessions.json", lambda rows: rows[0].update(positions=4_000), "refuses"),
        ("players.json", lambda rows: rows[0].update(last_name="x" * 200), "refuses"),
        ("entries.json", lambda rows: rows[0].update(half_points=999), "refuses"),
        ("tournament.json", lambda rows: rows.append(rows[0] | {"row": 2}), "exactly one"),
        ("publications.json", lambda rows: rows[0].update(numbers={}), "refuses"),
    ],
)
def test_rows_that_do_not_fit_are_refused_and_nothing_is_written(packed, club, path, changed, words):
    refuse(change(packed, path, changed), club, words)


def test_archive_that_was_made_stands_in_the_log_of_the_club(packed):
    (line,) = ClubLogEntry.objects.filter(action="archive_made_with_cards")
    assert (line.author, line.params) == (User.objects.first(), {"tournament": "Duplicate d’été"})


def test_the_archive_itself_is_not_refused(packed, club):
    assert bring(packed, club).sessions.count() == 1


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (b"[]", []),
        (b" [ ] \n", []),
        (b"[1]", [1]),
        (b'[\n{"a":"],"},\n[2]\n]\n', [{"a": "],"}, [2]]),
    ],
)
def test_list_is_read_value_by_value(text, values):
    assert list(packing.split_list("x.json", io.BytesIO(text))) == values == json.loads(text)


@pytest.mark.parametrize("text", [b"", b"[", b"[1", b"[1,", b"[1 2]", b"[1] 2", b"{}", b"[nothing]", b"\xff", b"[1]]"])
def test_text_that_is_no_list_is_refused(text):
    with pytest.raises(ArchiveError, match=r"not JSON|no list of rows"):
        list(packing.split_list("x.json", io.BytesIO(text)))


def test_text_of_a_hundred_thousand_brackets_is_refused():
    with pytest.raises(ArchiveError, match="not JSON"):
        list(packing.split_list("x.json", io.BytesIO(b"[" * 100_000)))
    with pytest.raises(ArchiveError, match="not JSON"):
        packing.read_value(MANIFEST, b"[" * 100_000)


@pytest.mark.parametrize(
    ("path", "column"),
    [("tournament.json", "name"), ("players.json", "first_name"), ("authors.json", "name"), ("deal_sets.json", "name")],
)
def test_name_that_nobody_sees_is_refused(packed, club, path, column):
    refuse(change(packed, path, lambda rows: rows[0].update({column: "\u3164"})), club, r"U\+3164")

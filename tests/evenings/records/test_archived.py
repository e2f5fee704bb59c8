"""The records in archives: with the cards that readers know, and in archives of the version before."""

import json

import pytest
from django.utils import timezone

from archives.archive import packing
from archives.archive.contents import MISSING
from evenings.records import store_record
from tests.archives.archive.packed import bring, export
from tests.evenings.records.played import play_etui
from tests.factories import enter, enter_all, make_club, make_director, publish, started_session
from tournaments.models import PlayRecord, Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    session = started_session(cards=True, positions=1)
    director = make_director(session.tournament.club)
    play = session.plays.select_related("etui").first()
    record, entry = play_etui(play.etui)
    enter(play, entry, by=director)
    store_record(play_id=play.pk, compose=lambda _head: record, by=director, now=timezone.now())
    others = session.plays.select_related("etui").exclude(pk=play.pk)
    enter_all(session, by=director, plays=others)
    return session


@pytest.mark.nightly("story")
def test_records_of_cards_that_readers_do_not_know_stay_at_home(session):
    assert texts(export(session.tournament)) == []
    director = session.tournament.club.memberships.get().user
    assert len(texts(export(session.tournament, cards_for=director))) == 1


@pytest.mark.nightly("story")
def test_records_come_back_as_they_were(session):
    publish(session, by=session.tournament.club.memberships.get().user)
    packed = export(session.tournament)
    assert len(texts(packed)) == 1
    club = make_club("ailleurs", "Ailleurs")
    bring(packed, club)
    rows = PlayRecord.objects.order_by("pk").values_list("text", "version", "current", "recorded_at")
    assert rows[0] == rows[1]
    assert len(rows) == 2


@pytest.mark.nightly("story")
def test_archive_of_version_1_is_still_read(session):
    publish(session, by=session.tournament.club.memberships.get().user)
    club = make_club("ailleurs", "Ailleurs")
    tournament = bring(as_version_1(export(session.tournament)), club)
    assert not PlayRecord.objects.filter(play__session__tournament=tournament).exists()
    assert Session.objects.get(tournament=tournament).whole_records is False


def texts(packed):
    import io

    archive = packing.unpack_archive(io.BytesIO(packed))
    return [row["text"] for row in archive.read_rows("records.json")]


def as_version_1(packed):
    """Return the archive as a release before records wrote it."""
    import io
    from hashlib import sha256

    archive, missing = packing.unpack_archive(io.BytesIO(packed)), MISSING[1]
    gone = {f"{name}.json" for name in missing.files}
    kept = {path: archive.read_text(path) for path in archive.paths if path not in gone}
    for name, columns in missing.columns.items():
        rows = [{key: row[key] for key in row if key not in columns} for row in json.loads(kept[f"{name}.json"])]
        kept[f"{name}.json"] = b"".join(packing.write_lines(rows))
    manifest = {
        "format": "topage-archive",
        "version": 1,
        "key": str(archive.key),
        "files": {path: sha256(text).hexdigest() for path, text in kept.items()},
    }
    return rewrite_whole(kept | {packing.MANIFEST: json.dumps(manifest).encode()})


def rewrite_whole(files):
    import io
    import zipfile

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for path, text in files.items():
            packed.writestr(path, text)
    return out.getvalue()

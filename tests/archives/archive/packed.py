"""The archives of tests: unpacked, changed, and packed again with digests that agree."""

import io
import json

from django.utils import timezone

from archives.archive.packing import dump, pack_archive, unpack_archive, write_lines
from archives.archive.restoring import TournamentImport
from archives.archive.writing import export_tournament


def export(tournament, **how):
    """Return the archive of a tournament."""
    return export_tournament(tournament=tournament, now=timezone.now(), **how)


def bring(packed, club, answers=None, by=None):
    """Import an archive into a club, and return the tournament."""
    return TournamentImport.read(io.BytesIO(packed), club, answers or {}).carry_out(by=by, now=timezone.now())


def preview(packed, club, answers=None):
    """Return what an import would do."""
    return TournamentImport.read(io.BytesIO(packed), club, answers or {}).describe()


def change(packed, path, changed):
    """Return the archive with `changed` called on the value of one file."""
    archive = unpack_archive(io.BytesIO(packed))
    value = json.loads(archive.read_text(path))
    changed(value)
    text = write_lines(value) if isinstance(value, list) else [dump(value).encode()]
    return pack_archive(
        archive.key, ((each, text if each == path else [archive.read_text(each)]) for each in archive.paths)
    )


def read_texts(packed):
    """Return the bytes of each file of an archive by path."""
    archive = unpack_archive(io.BytesIO(packed))
    return {path: archive.read_text(path) for path in archive.paths}

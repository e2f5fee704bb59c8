"""The file of an archive: a ZIP of JSON files with a manifest, the same bytes for the same content.

Nothing of a file is believed before its digest is compared with the manifest.
"""

import io
import json
import re
import zipfile
import zlib
from collections.abc import Mapping
from hashlib import sha256
from typing import IO, Any, NamedTuple
from uuid import UUID

from tournaments.archive.contents import FORMAT, MOST_BYTES, VERSION, ArchiveError

MANIFEST = "manifest.json"
NO_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest moment that ZIP knows
PATH = re.compile(r"([a-z_]+/)?[a-z0-9_-]+\.json")
AT_ONCE = 1_000_000  # bytes


class UnpackedArchive(NamedTuple):
    """The content of an archive whose digests are right: its key, and the value and the bytes of each file by path."""

    key: UUID
    values: Mapping[str, Any]
    texts: Mapping[str, bytes]


def write_values(value: Any) -> bytes:
    """Return a value as JSON: a list has a line for each of its values, and keys are sorted."""
    if isinstance(value, list):
        lines = ",\n".join(dump(each) for each in value)
        return f"[\n{lines}\n]\n".encode() if value else b"[]\n"
    return dump(value).encode() + b"\n"


def dump(value: Any) -> str:
    """Return a value as JSON in one line, as `versions.steps.digest_figures` digests it."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def pack_archive(key: UUID, files: Mapping[str, bytes]) -> bytes:
    """Return the bytes of the ZIP with these files and their manifest."""
    digests = {path: sha256(text).hexdigest() for path, text in files.items()}
    manifest = {"format": FORMAT, "version": VERSION, "key": str(key), "files": digests}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for path, text in [(MANIFEST, json.dumps(manifest, indent=1, sort_keys=True).encode()), *sorted(files.items())]:
            entry = zipfile.ZipInfo(path, NO_TIME)
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            packed.writestr(entry, text)
    return out.getvalue()


def unpack_archive(file: IO[bytes]) -> UnpackedArchive:
    """Return the content of an archive.

    Raise `ArchiveError` for a file that is no archive, is damaged or too large, or comes from a newer release.
    """
    try:
        with zipfile.ZipFile(file) as packed:
            texts = read_texts(packed)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ArchiveError(f"The file cannot be read as a ZIP: {error}.") from error
    manifest = read_value(MANIFEST, texts.pop(MANIFEST, b"null"))
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ArchiveError("The file is not an archive of a tournament: it has no manifest of that kind.")
    if not isinstance(manifest.get("version"), int) or manifest["version"] > VERSION:
        raise ArchiveError(
            f"The archive has version {manifest.get('version')}, this site reads version {VERSION}: upgrade it first."
        )
    if manifest.get("files") != {path: sha256(text).hexdigest() for path, text in texts.items()}:
        raise ArchiveError("The archive is damaged: its files are not those of its manifest, by their digests.")
    try:
        key = UUID(manifest["key"])
    except (KeyError, ValueError, AttributeError, TypeError) as error:
        raise ArchiveError("The manifest of the archive has no key.") from error
    return UnpackedArchive(key, {path: read_value(path, text) for path, text in texts.items()}, texts)


def read_texts(packed: zipfile.ZipFile) -> dict[str, bytes]:
    """Return the bytes of each file. Bytes are counted while they are unpacked, whatever the ZIP says of its sizes."""
    texts: dict[str, bytes] = {}
    left = MOST_BYTES
    for entry in packed.infolist():
        if not PATH.fullmatch(entry.filename) or entry.filename in texts:
            raise ArchiveError(f"The archive has a file that no archive has: {entry.filename[:100]!r}.")
        parts = []
        with packed.open(entry) as text:
            while part := text.read(AT_ONCE):
                left -= len(part)
                if left < 0:
                    raise ArchiveError(f"The archive is too large: it unpacks to more than {MOST_BYTES // 10**6} MB.")
                parts.append(part)
        texts[entry.filename] = b"".join(parts)
    return texts


def read_value(path: str, text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArchiveError(f"The file {path} of the archive is not JSON.") from error

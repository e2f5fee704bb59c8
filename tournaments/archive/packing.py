"""The file of an archive: a ZIP of JSON files with a manifest. The same content always gives the same bytes.

A file of the ZIP is used only after its digest was compared with the manifest.
"""

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import IO, Any
from uuid import UUID

from tournaments.archive.contents import FORMAT, MISSING, MOST_BYTES, VERSION
from tournaments.archive.errors import ArchiveError

MANIFEST = "manifest.json"
NO_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest moment that ZIP knows
PATH = re.compile(r"([a-z_]+/)?[a-z0-9_-]+\.json")
AT_ONCE = 1_000_000  # bytes
SPACE = re.compile(r"[ \t\n\r]*")
DECODER = json.JSONDecoder()


class UnpackedArchive:
    """An archive whose digests are right. A file is unpacked each time it is read, so memory holds at most one."""

    def __init__(self, key: UUID, packed: zipfile.ZipFile, version: int) -> None:
        self.key, self.packed, self.version = key, packed, version
        self.paths = [path for path in packed.namelist() if path != MANIFEST]

    def read_text(self, path: str) -> bytes:
        return self.packed.read(path)

    def read_rows(self, path: str) -> Iterator[Any]:
        """Yield the values of the list in a file. Raise `ArchiveError` if the file is missing or is not a list."""
        if path not in self.paths:
            raise ArchiveError("archive_rows", path=path)
        return split_list(path, self.read_text(path))


def write_lines(values: Iterable[Any]) -> Iterator[bytes]:
    """Yield a list as JSON in pieces, one line for each value. Keys are sorted."""
    before = "[\n"
    for value in values:
        yield f"{before}{dump(value)}".encode()
        before = ",\n"
    yield b"[]\n" if before == "[\n" else b"\n]\n"


def dump(value: Any) -> str:
    """Return a value as JSON in one line, in the form of which `versions.steps.digest_figures` computes the digest."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def pack_archive(key: UUID, files: Iterable[tuple[str, Iterable[bytes]]], version: int | None = None) -> bytes:
    """Return the bytes of the ZIP with these files, each given in pieces. The manifest is the last file.

    `version`: without any, the one of a tournament with étuis.
    """
    digests: dict[str, str] = {}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for path, pieces in files:
            digests[path] = pack_file(packed, path, pieces)
        manifest = {"format": FORMAT, "version": version or VERSION, "key": str(key), "files": digests}
        pack_file(packed, MANIFEST, [json.dumps(manifest, indent=1, sort_keys=True).encode()])
    return out.getvalue()


def pack_file(packed: zipfile.ZipFile, path: str, pieces: Iterable[bytes]) -> str:
    """Add a file to the ZIP, and return its digest."""
    entry, digest = zipfile.ZipInfo(path, NO_TIME), sha256()
    entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
    with packed.open(entry, "w") as file:
        for piece in pieces:
            digest.update(piece)
            file.write(piece)
    return digest.hexdigest()


def unpack_archive(file: IO[bytes]) -> UnpackedArchive:
    """Return the content of an archive.

    Raise `ArchiveError` for a file that is not an archive, is damaged or too large, or comes from a newer release.
    """
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ArchiveError("archive_large", most=MOST_BYTES // 10**6)
    try:
        packed = zipfile.ZipFile(io.BytesIO(content))
        digests = digest_files(packed)
        manifest = read_value(MANIFEST, packed.read(MANIFEST) if MANIFEST in digests else b"null")
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ArchiveError("archive_no_zip") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ArchiveError("archive_other")
    if manifest.get("version") not in MISSING:
        raise ArchiveError("archive_newer", version=str(manifest.get("version"))[:20], ours=max(MISSING))
    if manifest.get("files") != {path: digest for path, digest in digests.items() if path != MANIFEST}:
        raise ArchiveError("archive_changed")
    try:
        return UnpackedArchive(UUID(manifest["key"]), packed, manifest["version"])
    except (KeyError, ValueError, AttributeError, TypeError) as error:
        raise ArchiveError("archive_keyless") from error


def digest_files(packed: zipfile.ZipFile) -> dict[str, str]:
    """Return the digest of each file. Sizes are measured while unpacking, because the sizes in the ZIP may be wrong."""
    digests: dict[str, str] = {}
    left = MOST_BYTES
    for entry in packed.infolist():
        if not PATH.fullmatch(entry.filename) or entry.filename in digests:
            raise ArchiveError("archive_path", path=repr(entry.filename[:100]))
        digest = sha256()
        with packed.open(entry) as text:
            while part := text.read(AT_ONCE):
                left -= len(part)
                if left < 0:
                    raise ArchiveError("archive_large", most=MOST_BYTES // 10**6)
                digest.update(part)
        digests[entry.filename] = digest.hexdigest()
    return digests


def read_value(path: str, text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArchiveError("archive_json", path=path) from error


def split_list(path: str, text: bytes) -> Iterator[Any]:
    """Yield the values of a list in JSON, so that memory does not hold all of them at once."""
    try:
        told = text.decode()
        at = skip_space(told, 0)
        if told[at : at + 1] != "[":
            raise ArchiveError("archive_rows", path=path)
        at = skip_space(told, at + 1)
        while told[at] != "]":
            value, at = DECODER.raw_decode(told, at)
            yield value
            at = skip_space(told, at)
            if told[at] == ",":
                at = skip_space(told, at + 1)
            elif told[at] != "]":
                raise ArchiveError("archive_json", path=path)
        if told[at + 1 :].strip():
            raise ArchiveError("archive_json", path=path)
    except (ValueError, IndexError, RecursionError) as error:
        raise ArchiveError("archive_json", path=path) from error


def skip_space(text: str, at: int) -> int:
    """Return the index of the next character that is not white space."""
    found = SPACE.match(text, at)
    return found.end() if found else at

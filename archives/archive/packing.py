"""The file of an archive: a ZIP of JSON files with a manifest. The same content always gives the same bytes.

A file of the ZIP is used only after its digest was compared with the manifest.
"""

import codecs
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import IO, Any
from uuid import UUID

from archives.errors import ArchiveError
from clubs.uploads.child import open_packed

FORMAT, VERSION = "topage-archive", 6
WITH_FREE_DEALS = 7  # the version of an archive of donnes libres, of doublettes or with a cut; others keep VERSION
NEWEST = WITH_FREE_DEALS
MOST_BYTES = 200_000_000  # of an unpacked archive
MOST_MANIFEST = 1_000_000  # bytes; it has a line for each file
MOST_FROZEN = 20_000_000  # bytes of the figures of a published version
MOST_ROW = 2_000_000  # letters of a row
MOST_PEOPLE = 20_000  # players or authors


MANIFEST = "manifest.json"
NO_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest moment that ZIP knows
PATH = re.compile(r"([a-z_]+/)?[a-z0-9_-]+\.json")
AT_ONCE = 1_000_000  # bytes
SPACE = re.compile(r"[ \t\n\r]*")
DECODER = json.JSONDecoder()


class UnpackedArchive:
    """An archive whose digests are right. A file is unpacked each time it is read, and lists are read row by row."""

    def __init__(self, key: UUID, packed: zipfile.ZipFile, version: int) -> None:
        self.key, self.packed, self.version = key, packed, version
        self.paths = [path for path in packed.namelist() if path != MANIFEST]

    def read_text(self, path: str) -> bytes:
        return self.packed.read(path)

    def read_rows(self, path: str) -> Iterator[Any]:
        """Yield the values of the list in a file. Raise `ArchiveError` if the file is missing or is not a list."""
        if path not in self.paths:
            raise ArchiveError("archive_rows", path=path)
        return split_list(path, self.packed.open(path))


def write_lines(values: Iterable[Any]) -> Iterator[bytes]:
    """Yield a list as JSON in pieces, one line for each value. Keys are sorted."""
    before = "[\n"
    for value in values:
        yield f"{before}{dump(value)}".encode()
        before = ",\n"
    yield b"[]\n" if before == "[\n" else b"\n]\n"


def dump(value: Any) -> str:
    """Return a value as JSON in one line, in the form of which `versions.digest_figures` computes the digest."""
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
        packed = open_packed(content, ArchiveError)
        digests = digest_files(packed)
        manifest = read_value(MANIFEST, packed.read(MANIFEST) if MANIFEST in digests else b"null")
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ArchiveError("archive_no_zip") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ArchiveError("archive_other")
    if manifest.get("version") not in range(1, NEWEST + 1):
        raise ArchiveError("archive_newer", version=str(manifest.get("version"))[:20], ours=NEWEST)
    if manifest.get("files") != {path: digest for path, digest in digests.items() if path != MANIFEST}:
        raise ArchiveError("archive_changed")
    try:
        return UnpackedArchive(UUID(manifest["key"]), packed, manifest["version"])
    except (KeyError, ValueError, AttributeError, TypeError) as error:
        raise ArchiveError("archive_keyless") from error


def examine_archive(content: bytes) -> bytes:
    """Read every file of an archive as an import will, in a child process. Raise `ArchiveError` if it cannot be read.

    Return nothing: the site reads the archive again, once it is known what this takes.
    """
    archive = unpack_archive(io.BytesIO(content))
    for path in archive.paths:
        if "/" in path:
            read_value(path, archive.read_text(path))
        else:
            for _row in archive.read_rows(path):
                pass
    return b""


def digest_files(packed: zipfile.ZipFile) -> dict[str, str]:
    """Return the digest of each file. Sizes are measured while unpacking, because the sizes in the ZIP may be wrong."""
    digests: dict[str, str] = {}
    left = MOST_BYTES
    for entry in packed.infolist():
        path = entry.filename
        if not PATH.fullmatch(path) or path in digests:
            raise ArchiveError("archive_path", path=repr(path[:100]))
        digest, size = sha256(), 0
        with packed.open(entry) as text:
            while part := text.read(AT_ONCE):
                size += len(part)
                if size > left:
                    raise ArchiveError("archive_large", most=MOST_BYTES // 10**6)
                if path == MANIFEST and size > MOST_MANIFEST:
                    raise ArchiveError("archive_manifest", most=MOST_MANIFEST // 1000)
                if "/" in path and size > MOST_FROZEN:
                    raise ArchiveError("archive_frozen", path=path, most=MOST_FROZEN // 10**6)
                digest.update(part)
        left -= size
        digests[path] = digest.hexdigest()
    return digests


def read_value(path: str, text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArchiveError("archive_json", path=path) from error


class ListWindow:
    """A part of a list in JSON that is being read: the next MOST_ROW letters at least, if there are so many."""

    def __init__(self, path: str, file: IO[bytes]) -> None:
        self.path, self.file = path, file
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.text, self.at, self.is_whole = "", 0, False

    def fill(self) -> None:
        """Read on, if fewer letters than a row may have are left."""
        left = [self.text[self.at :]] if len(self.text) - self.at < MOST_ROW and not self.is_whole else []
        size = len(left[0]) if left else MOST_ROW
        while size < MOST_ROW and not self.is_whole:
            part = self.file.read(AT_ONCE)
            self.is_whole = not part
            left.append(self.decoder.decode(part, final=self.is_whole))
            size += len(left[-1])
        if left:
            self.text, self.at = "".join(left), 0

    def find_sign(self) -> str:
        """Return the next sign that is not white space, or "" at the end of the file. The window then begins there."""
        while True:
            self.fill()
            match = SPACE.match(self.text, self.at)
            self.at = match.end() if match else self.at
            if self.at < len(self.text) or self.is_whole:
                return self.text[self.at : self.at + 1]

    def take_value(self) -> Any:
        """Return the value at the beginning of the window, and move the window behind it."""
        self.fill()
        try:
            value, end = DECODER.raw_decode(self.text, self.at)
        except ValueError:
            if self.is_whole:
                raise
            end = self.at + MOST_ROW + 1
        if end - self.at > MOST_ROW:
            raise ArchiveError("archive_row_large", path=self.path, most=MOST_ROW)
        self.at = end
        return value


def split_list(path: str, file: IO[bytes]) -> Iterator[Any]:
    """Yield the values of a list in JSON, so that memory does not hold all of them at once."""
    window = ListWindow(path, file)
    try:
        if window.find_sign() != "[":
            raise ArchiveError("archive_rows", path=path)
        window.at += 1
        while (sign := window.find_sign()) != "]":
            yield window.take_value()
            sign = window.find_sign()
            if sign == ",":
                window.at += 1
            elif sign != "]":
                raise ArchiveError("archive_json", path=path)
        window.at += 1
        if window.find_sign():
            raise ArchiveError("archive_json", path=path)
    except (ValueError, RecursionError) as error:
        raise ArchiveError("archive_json", path=path) from error

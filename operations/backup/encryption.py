"""The encryption of backups in the format of the program age: a public key encrypts, its private key decrypts.

Files are encrypted piece by piece. The private key may itself be encrypted with a passphrase.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Thread
from typing import IO, Any, NamedTuple

import pyrage
from django.conf import settings

from operations.backup.contents import DAMAGED, BackupError

BEGINNING = b"age-encryption.org/v1\n"
ARMOUR = "-----BEGIN AGE ENCRYPTED FILE-----"
PRIVATE = "AGE-SECRET-KEY-1"


class BackupKeys(NamedTuple):
    """A pair of keys, as texts in the format of age. The public key encrypts, the private key decrypts."""

    public: str
    private: str


def make_keys() -> BackupKeys:
    identity = pyrage.x25519.Identity.generate()
    return BackupKeys(str(identity.to_public()), str(identity))


def wrap_private_key(private: str, passphrase: str) -> str:
    """Return the private key encrypted with a passphrase, as lines of text."""
    return bytes(pyrage.passphrase.encrypt(private.encode(), passphrase, armored=True)).decode()


def read_public_key(text: str) -> Any:
    """Return the public key in the form that the library pyrage needs (a recipient).

    Raise BackupError if the text is not a public key.
    """
    try:
        return pyrage.x25519.Recipient.from_str(text)
    except pyrage.RecipientError:
        raise BackupError(
            f"{text} is no public key. It begins with age1 and has no mistake:"
            f" `{settings.COMMAND} backup_key` makes a pair."
        ) from None


def read_private_key(path: Path, ask_passphrase: Callable[[], str]) -> Any:
    """Return the private key of a file in the form that the library pyrage needs (an identity).

    Lines that begin with # are skipped. `ask_passphrase` is called if the key is encrypted. Raise BackupError if the
    file has no key, or if the passphrase is wrong.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BackupError(f"The private key cannot be read: {error}") from None
    text = "\n".join(line.strip() for line in lines if not line.startswith("#")).strip()
    try:
        if text.startswith(ARMOUR):
            text = bytes(pyrage.passphrase.decrypt(text.encode() + b"\n", ask_passphrase())).decode()
        return pyrage.x25519.Identity.from_str(text)
    except pyrage.DecryptError:
        raise BackupError(f"The passphrase does not open the private key in {path}.") from None
    except (pyrage.IdentityError, UnicodeDecodeError):
        raise BackupError(f"{path} holds no private key: a line that begins with {PRIVATE}.") from None


class ChunkReader:
    """A readable file whose content comes in pieces. The library pyrage reads some bytes of it at a time."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self.chunks = iter(chunks)
        self.rest = b""
        self.error: BaseException | None = None

    def read(self, size: int = -1) -> bytes:
        try:
            while not self.rest and (chunk := next(self.chunks, None)) is not None:
                self.rest = chunk
        except BaseException as error:
            self.error = error
            raise
        piece, self.rest = self.rest[:size], self.rest[size:]
        return piece


def encrypt_chunks(chunks: Iterable[bytes], file: IO[bytes], key: str) -> None:
    """Write the pieces to a file, encrypted to a public key.

    If making a piece fails, that error is raised and not the one of the library.
    """
    recipient, reader = read_public_key(key), ChunkReader(chunks)
    try:
        pyrage.encrypt_io(reader, file, [recipient])
    except Exception as error:
        raise reader.error or error from None


def is_encrypted(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(BEGINNING)) == BEGINNING


class DecryptedFile(io.RawIOBase):
    """The decrypted content of an encrypted file. A thread decrypts while the caller reads.

    Reading raises BackupError if the private key does not open the file, or if the file was altered.
    """

    def __init__(self, path: Path, identity: Any) -> None:
        super().__init__()
        self.error: BackupError | None = None
        self.reading, self.writing = os.pipe()
        self.thread = Thread(target=self.decrypt, args=(path, identity), name="decrypt", daemon=True)
        self.thread.start()

    def decrypt(self, path: Path, identity: Any) -> None:
        try:
            with path.open("rb") as file, os.fdopen(self.writing, "wb") as content:
                pyrage.decrypt_io(file, content, [identity])
        except pyrage.DecryptError as error:
            if "No matching keys" in str(error):
                self.error = BackupError("The backup is encrypted to another key: this private key does not open it.")
            else:
                self.error = BackupError(DAMAGED.format(f"it cannot be decrypted ({error})"))
        # this happens too if the reader has closed the file; then nobody looks at the error
        except (OSError, ValueError) as error:
            self.error = BackupError(DAMAGED.format(f"it cannot be decrypted to its end ({error})"))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = os.read(self.reading, len(buffer))
        if not data:
            self.thread.join()
            if self.error is not None:
                raise self.error
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            os.close(self.reading)
            self.thread.join()
        super().close()

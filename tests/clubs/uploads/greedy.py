"""The functions that a test lets the child process call."""

import os

from clubs.uploads.child import UploadRefused


def echo(content: bytes, *arguments: str) -> bytes:
    return content + "".join(arguments).encode()


def take_memory(content: bytes) -> bytes:
    return bytes(400_000_000)[:1]


def abort(content: bytes) -> bytes:
    os.abort()


def take_time(content: bytes) -> bytes:
    while True:
        pass


def refuse(content: bytes) -> bytes:
    raise UploadRefused("upload_parts", "file", most=len(content))


def break_down(content: bytes) -> bytes:
    raise ValueError(content)


def tell_settings(content: bytes) -> bytes:
    return ",".join(sorted(set(os.environ) - {"LC_CTYPE"})).encode()

"""The reading of uploaded files in a child process, with limits of time and memory.

A small file may claim more than there is memory. So a process of its own reads it, at most `MOST_CHILDREN` at once. It
gets none of the site's settings. Run as a program, this module calls the named function with the bytes of its input,
and writes the bytes that the function returns.
"""

import io
import json
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from tempfile import gettempdir
from threading import BoundedSemaphore
from typing import ClassVar, NamedTuple, TypeVar

from clubs.file_locks import FileLocked, take_lock
from wording import Refusal, Texts
from wording import gettext_noop as _

PROJECT = Path(__file__).resolve().parents[2]
KEPT_VARIABLES = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "PYTHONDONTWRITEBYTECODE")
MOST_MEGABYTES = 300  # of memory for a child, where the system can limit it (not on Windows and macOS)
MOST_CHILDREN = 2  # that read at once, of all processes of the site
PATIENCE = 5.0  # seconds that a request waits until fewer children read
REFUSED, NO_MEMORY = 3, 4  # the exit codes of a child beside 0
TOO_MUCH_TIME = -24  # the exit code of a process that the system ends for its processor time: minus SIGXCPU
ABORTED = -6  # the exit code of a library that gets no memory: minus SIGABRT


class UploadRefused(Refusal):
    """A file that was not read: it is damaged, or it needs more than a child may take."""

    messages: ClassVar[Texts] = {
        "upload_time": _("The file takes more than %(most)s seconds to read: choose a smaller one."),
        "upload_memory": _("The file needs more than %(most)s MB of memory to be read: choose a smaller one."),
        "upload_busy": _("The site is reading %(most)s other files: send yours again in a minute."),
        "upload_unreadable": _("The file cannot be read: choose another, or save it again."),
        "upload_parts": _("The file has too many parts: their list may have at most %(most)s kB."),
    }


class ReadingTime(NamedTuple):
    """The most seconds that a child may take: of its processor, and until it has to answer on a busy machine."""

    processor: int
    whole: int


IN_REQUEST, IN_JOB = ReadingTime(3, 10), ReadingTime(60, 180)
Refused = TypeVar("Refused", bound=UploadRefused)
threads = BoundedSemaphore(MOST_CHILDREN)


def read_in_child(
    function: str, content: bytes, *arguments: str, refusal: type[Refused], most: ReadingTime = IN_REQUEST
) -> bytes:
    """Return what a function makes of the content of an uploaded file, in a child process.

    `function` is a module and a name, as in "clubs.uploads.logos.write_picture". It gets the content and the arguments,
    and uses no database. If it raises a `Refusal`, this raises `refusal` with the same code. It also raises `refusal`
    if the child needs too much time or memory, or if others read now.
    """
    command = [sys.executable, "-m", "clubs.uploads.child", str(most.processor), function, *arguments]
    variables = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    with take_turn(refusal):
        try:
            run = subprocess.run(
                command, input=content, cwd=PROJECT, env=variables, capture_output=True, check=False, timeout=most.whole
            )
        except subprocess.TimeoutExpired:
            raise refusal("upload_time", "file", most=most.whole) from None
    if run.returncode == 0:
        return run.stdout
    if run.returncode == REFUSED:
        code, field, params = json.loads(run.stdout)
        raise refusal(code, field, **params)
    if run.returncode == TOO_MUCH_TIME:
        raise refusal("upload_time", "file", most=most.processor)
    if run.returncode in {NO_MEMORY, ABORTED}:
        raise refusal("upload_memory", "file", most=MOST_MEGABYTES)
    raise refusal("upload_unreadable", "file")


@contextmanager
def take_turn(refusal: type[UploadRefused]) -> Iterator[None]:
    """Hold one of the turns of the site's children. Raise `refusal` if none is free for PATIENCE seconds."""
    until = time.monotonic() + PATIENCE
    if not threads.acquire(timeout=PATIENCE):
        raise refusal("upload_busy", "file", most=MOST_CHILDREN)
    try:
        while (lock := find_lock()) is None:
            if time.monotonic() > until:
                raise refusal("upload_busy", "file", most=MOST_CHILDREN)
            time.sleep(0.05)
        try:
            yield
        finally:
            os.close(lock)
    finally:
        threads.release()


def find_lock() -> int | None:
    """Return an open lock file that no process holds, or None if all are held. Closing it gives it back."""
    user = os.getuid() if hasattr(os, "getuid") else ""  # on Windows the folder is the user’s own
    for number in range(MOST_CHILDREN):
        try:
            return take_lock(Path(gettempdir()) / f"topage-reading-{user}-{number}.lock")
        except FileLocked:
            continue
        except OSError:  # no folder for such a file: each process counts its own children
            return os.open(os.devnull, os.O_RDONLY)
    return None


def run_child() -> None:
    """Run the function that the command names, and end with the exit code of its outcome."""
    seconds, function, *arguments = sys.argv[1:]
    limit_process(int(seconds))
    module, _dot, name = function.rpartition(".")
    try:
        result = getattr(import_module(module), name)(sys.stdin.buffer.read(), *arguments)
    except Refusal as refusal:
        result, code = json.dumps([refusal.code, refusal.field, dict(refusal.params)]).encode(), REFUSED
    except MemoryError:
        result, code = b"", NO_MEMORY
    else:
        code = 0
    sys.stdout.buffer.write(result)
    sys.stdout.flush()
    os._exit(code)


def limit_process(seconds: int) -> None:
    """Limit the memory and the processor time of this process, where the system can."""
    try:
        import resource
    except ImportError:  # Windows has no such limits: what a file claims is bounded before it is read
        return
    most = MOST_MEGABYTES * 1_000_000
    with suppress(ValueError):  # macOS limits no memory: what a file claims is bounded there too
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    run_child()


END, END_OF_LARGE = b"PK\x05\x06", b"PK\x06\x07"
MOST_LIST = 500_000  # bytes of the list of entries: each entry needs 46 and its name
TAIL = 22 + 65_535  # the most bytes from the end of the list to the end of the file
LARGE_BEFORE = 20  # bytes of the record of a large ZIP, before the end of the list


def open_packed(content: bytes, refusal: type[UploadRefused]) -> zipfile.ZipFile:
    """Return an open ZIP whose list of entries is short. Raise `refusal` for a longer one.

    Raise `zipfile.BadZipFile` if it is no ZIP.
    """
    tail = content[-TAIL:]
    at = tail.find(END)
    while at >= 0:
        is_large = tail[max(at - LARGE_BEFORE, 0) : at].startswith(END_OF_LARGE)
        if is_large or int.from_bytes(tail[at + 12 : at + 16], "little") > MOST_LIST:
            raise refusal("upload_parts", "file", most=MOST_LIST // 1000)
        at = tail.find(END, at + 1)
    return zipfile.ZipFile(io.BytesIO(content))

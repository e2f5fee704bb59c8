"""The doctor's examination of who may read and write the files of the site (the subject `permissions`)."""

import os
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from operations.doctor.findings import SiteFinding, tell_error, tell_good, tell_warning

WINDOWS = os.name == "nt"  # where files have no such permissions
READ_BY_OTHERS, WRITTEN_BY_OTHERS = 0o044, 0o022


def examine_permissions() -> Iterator[SiteFinding]:
    """Yield the faults in the permissions of VAR_DIR and of the secret files in it."""
    folder = settings.VAR_DIR
    if not folder.is_dir():
        yield tell_good(f"{folder} is not there; a server needs no files.")
        return
    if WINDOWS:
        yield tell_good(f"On Windows the rights of the folder above protect {folder}: keep it in your home.")
        return
    mode = folder.stat().st_mode
    found = [finding for path in list_secret_files(folder) if (finding := examine_file_mode(path, mode))]
    if mode & WRITTEN_BY_OTHERS:
        why = "Another user of this machine can put files of theirs in place of the site's."
        found.append(tell_error(f"Other users may write to {folder}.", why, f"Run `chmod 700 {folder}`."))
    yield from found or [tell_good(f"Only its owner may read the files in {folder}.")]


def list_secret_files(folder: Path) -> list[Path]:
    """Return the files that no other user may read: the secret key, and the files of the database."""
    return [path for path in (folder / "secret_key", *sorted(folder.glob("*.sqlite3*"))) if path.is_file()]


def examine_file_mode(path: Path, folder_mode: int) -> SiteFinding | None:
    mode = path.stat().st_mode
    if mode & WRITTEN_BY_OTHERS:
        why = "Another user of this machine can change it."
        return tell_error(f"Other users may write to {path}.", why, f"Run `chmod 600 {path}`.")
    if mode & READ_BY_OTHERS and folder_mode & 0o011:  # other users may enter the folder and read the file
        why = "Another user of this machine can read the cards of sealed étuis, or log in as anybody."
        return tell_warning(f"Other users may read {path}.", why, f"Run `chmod 600 {path}`.")
    return None

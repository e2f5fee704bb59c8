"""A site without processes, in which commands run, and the lines of its backups."""

import gzip
import json
import os
import subprocess
import sys
from hashlib import sha256

from tests.services.site import PROJECT

KEPT = max((PROJECT / "tests/golden/backups").glob("*.gz"))
# Prints the last id of a club, 0 without any, and the id of a new one.
NEW_CLUB = """
import django; django.setup()
from clubs.models import Club
print(max(Club.objects.values_list("pk", flat=True), default=0), Club.objects.create(name="Neu", slug="neu").pk)
"""


class Place:
    """A site without processes: its environment, in which commands run."""

    def __init__(self, folder, url=""):
        self.folder = folder
        self.environment = {"MODE": "laptop", "VAR_DIR": str(folder), "REDIS_URL": ""}
        self.environment |= {"DATABASE_URL": url} if url else {}

    def run(self, *arguments, given="", limit_of_files=None):
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        environment |= {"DJANGO_SETTINGS_MODULE": "config.settings"} | self.environment
        command = [sys.executable, *arguments]
        if limit_of_files is not None:
            command = ["prlimit", f"--fsize={limit_of_files}", *command]
        # A session of its own has no terminal, so a passphrase is read from what is given.
        return subprocess.run(
            command,
            cwd=PROJECT,
            env=environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,
        )

    def succeed(self, *arguments):
        ended = self.run(*arguments)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def refuse(self, *arguments):
        """Return the error of a command that must fail, which is one sentence and no traceback."""
        ended = self.run(*arguments)
        assert ended.returncode == 1, ended.stdout
        assert "Traceback" not in ended.stderr
        return ended.stderr

    def back_up(self, name="backup.gz"):
        self.succeed("manage.py", "backup", str(self.folder / name))
        return self.folder / name


def lines_of(path):
    return gzip.decompress(path.read_bytes()).splitlines(keepends=True)


def write_backup_of(path, lines, *, end=True):
    """Write a backup of these lines, with a last line that agrees with them."""
    told = b"".join(lines)
    last = json.dumps({"rows": {}, "sha256": sha256(told).hexdigest()}).encode() + b"\n"
    path.write_bytes(gzip.compress(told + (last if end else b"")))
    return path

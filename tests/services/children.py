"""A child process of the tests: started, stopped and killed by its handle, never by a name.

This module knows processes, but not what a server is. A child lives in a process group of its own. So Ctrl-C at the
terminal reaches pytest alone, which then stops the children in order. If pytest itself is killed, the kernel signals
each child (`setpriv --pdeathsig`, if the system has it).
"""

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from pwd import struct_passwd
from typing import Any

STOP_SECONDS = 60


class Child:
    """A running command. Its output goes to `log`, and `owner` is its user (by default the user of the tests)."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        log: Path,
        stop_signal: signal.Signals = signal.SIGTERM,
        environment: Mapping[str, str] | None = None,
        owner: struct_passwd | None = None,
    ) -> None:
        self.log = log
        self._stop_signal = stop_signal
        # A run started by nohup ignores the end of its terminal. Its children do not inherit that.
        guard = ["setpriv", "--pdeathsig", stop_signal.name[3:], "--", "env", "--default-signal=HUP"]
        if not shutil.which("setpriv"):
            guard = []
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [*guard, *command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=os.environ | (environment or {}),
                start_new_session=True,
                **run_as(owner),
            )

    @property
    def pid(self) -> int:
        """The process id, which is also the id of its group."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """True if the command itself still runs."""
        return self._process.poll() is None

    @property
    def code(self) -> int | None:
        """The exit code of the command, negative for a signal, or None while it runs."""
        return self._process.poll()

    @property
    def children(self) -> list[int]:
        """The ids of the processes that the command itself has started."""
        return [int(word) for word in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()]

    def stop(self) -> None:
        """Stop the command, wait until it has ended, and kill the rest of its group."""
        if self.running:
            self._process.send_signal(self._stop_signal)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Kill the whole group at once, whatever it is doing (SIGKILL)."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait(STOP_SECONDS)

    def last_words(self, lines: int = 20) -> str:
        """Return the last lines of the output, for an error message."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])


def run_as(owner: struct_passwd | None) -> dict[str, Any]:
    """Return the arguments of `subprocess` that run a command as `owner`, in a folder that this user may enter."""
    if owner is None:
        return {}
    return {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": [], "cwd": "/"}

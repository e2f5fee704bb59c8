"""One child process of the tests: started, stopped and killed by its handle, never by a name.

It knows processes; it does not know what a server is. A child lives in a process group of its own, so that Ctrl-C at
the terminal reaches pytest alone, which then stops the children in order; should pytest itself be killed, the kernel
signals each child (`setpriv --pdeathsig`, where the system has it).
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
    """A running command; whatever it prints goes to `log`, and `owner` is the user it runs as (by default ours)."""

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
        # A run that is started by nohup ignores the end of its terminal; what it starts does not inherit that.
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
        """Whether the command itself still runs."""
        return self._process.poll() is None

    @property
    def code(self) -> int | None:
        """What it ended with, a signal below 0; None while it runs."""
        return self._process.poll()

    @property
    def children(self) -> list[int]:
        """The ids of the processes that it has started itself."""
        return [int(word) for word in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()]

    def stop(self) -> None:
        """Ask it to end, wait until it has, and kill whatever its group still holds."""
        if self.running:
            self._process.send_signal(self._stop_signal)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the whole group at once, in the middle of whatever it does (SIGKILL)."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait(STOP_SECONDS)

    def last_words(self, lines: int = 20) -> str:
        """The end of what it printed, for an error message."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])


def run_as(owner: struct_passwd | None) -> dict[str, Any]:
    """The arguments of `subprocess` that run a command as `owner`, from a folder that this user may enter."""
    if owner is None:
        return {}
    return {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": [], "cwd": "/"}

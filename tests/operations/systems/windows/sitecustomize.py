"""A Python that lacks what Windows lacks. Python imports this file at its start.

Libraries that ask `sys.platform` have their own branch for Windows, so they are imported before anything is taken away.
Child processes are started with this file too, whatever environment they are given.
"""

import os
import select
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

KNOW_WINDOWS = """asyncio billiard.heap billiard.pool billiard.popen_fork concurrent.futures django.core.files.locks
    getpass http.server logging.handlers multiprocessing.pool multiprocessing.popen_spawn_posix pathlib random
    selectors shutil socketserver tarfile tempfile uuid zipfile"""
MISSING_MODULES = {"fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
MISSING_NAMES = {
    os: """O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK chown fchmod fchown fork forkpty getegid geteuid getgid
        getloadavg getpgid getuid killpg lchown mkfifo nice sched_getaffinity setgid setsid setuid statvfs sysconf
        wait3""",
    select: "epoll poll",
    signal: """SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGQUIT SIGUSR1 SIGUSR2 alarm pthread_sigmask setitimer
        sigwait""",
    socket: "AF_UNIX SO_REUSEPORT",
}
REAL_STATVFS = os.statvfs


class Missing:
    """A finder of modules that knows which ones Windows lacks."""

    def find_spec(self, name, path=None, target=None):
        """Raise the error of a missing module."""
        if name in MISSING_MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def measure_disk(path):
    """Return what `shutil.disk_usage` does."""
    found = REAL_STATVFS(path)
    total, free = found.f_blocks * found.f_frsize, found.f_bavail * found.f_frsize
    return shutil._ntuple_diskusage(total, total - free, free)


class Child(subprocess.Popen):
    """A child process, which lacks the same."""

    def __init__(self, *arguments, env=None, **options):
        env = dict(os.environ if env is None else env)
        super().__init__(*arguments, env=env | {"PYTHONPATH": str(Path(__file__).parent)}, **options)


for known in KNOW_WINDOWS.split():
    with suppress(ImportError):
        import_module(known)
signal.SIGBREAK = signal.SIGTTIN  # the number of both is 21
subprocess.Popen, shutil.disk_usage = Child, measure_disk
sys.meta_path.insert(0, Missing())
for name in MISSING_MODULES:
    sys.modules.pop(name, None)
for module, names in MISSING_NAMES.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)

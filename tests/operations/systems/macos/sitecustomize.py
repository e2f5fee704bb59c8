"""A Python whose `setrlimit` limits no memory, as on macOS (issues 78783 and 84698 of CPython). So do its children."""

import os
import resource
import subprocess
from pathlib import Path

limit = resource.setrlimit


def refuse_memory(kind, limits):
    """Raise the error of macOS for a limit of memory, and set another limit."""
    if kind == resource.RLIMIT_AS:
        raise ValueError("current limit exceeds maximum limit")
    limit(kind, limits)


class Child(subprocess.Popen):
    """A child process whose limits of memory fail too."""

    def __init__(self, *arguments, env=None, **options):
        env = dict(os.environ if env is None else env)
        super().__init__(*arguments, env=env | {"PYTHONPATH": str(Path(__file__).parent)}, **options)


resource.setrlimit = refuse_memory
subprocess.Popen = Child

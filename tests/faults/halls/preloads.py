"""The small libraries in C that tests load into the processes of the site, and the clock that one of them moves."""

import shutil
import subprocess
from pathlib import Path

import pytest

HOUR = 3600


def build_library(name: str, folder: Path) -> Path:
    """Compile the source `name` of this folder into `folder`, and return the path of the library."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.fail("this test needs a C compiler: `make nightly` as root installs it (apt-get install gcc libc6-dev)")
    library = folder / f"{name}.so"
    source = Path(__file__).with_name(f"{name}.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


class Clock:
    """The wall clock of the processes that have its `environment`. Their monotonic clock is the machine's."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self.move(0)
        self.environment = {"LD_PRELOAD": str(build_library("clock", folder)), "CLOCK": str(self._file)}

    def move(self, seconds: int) -> None:
        """Set the clock so many seconds ahead of the machine's, or behind it if negative."""
        whole = self._file.with_suffix(".whole")
        whole.write_text(f"{seconds:+d}\n")
        whole.rename(self._file)

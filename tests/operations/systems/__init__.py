"""The Pythons that lack what other systems lack: the folder of each is put before all others on the path of Python."""

import os
import subprocess
import sys
from pathlib import Path

from tests.services.site import PROJECT

HERE = Path(__file__).parent


def name_environment(system: str, **environment: str) -> dict[str, str]:
    """Return the environment of a Python of this system, without the settings of a site but those given."""
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(HERE / system)} | environment


def run_on(system: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the project as on this system."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=PROJECT,
        env=name_environment(system, **environment),
        capture_output=True,
        text=True,
        check=False,
    )

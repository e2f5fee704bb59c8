"""The choice of the Python that makes .venv: the quicker one, or the first if there is no clear difference."""

import subprocess

import pytest

from tests.services.site import PROJECT


@pytest.mark.parametrize(
    ("times", "chosen"),
    [
        ((1000, 1000), 0),
        ((1000, 950), 0),
        ((1000, 800), 1),
        ((800, 1000), 0),
        ((None, 1000), 1),
        ((1000, None), 0),
        ((None, None), 0),
    ],
)
def test_quicker_python_is_chosen(tmp_path, times, chosen):
    pythons = []
    for number, time in enumerate(times):
        pythons.append(tmp_path / f"python{number}")
        pythons[-1].write_text("#!/bin/sh\n" + ("exit 1" if time is None else f"echo {time}"))
        pythons[-1].chmod(0o755)
    told = subprocess.run([PROJECT / ".ci/python", *pythons], capture_output=True, text=True, check=True, timeout=60)
    assert told.stdout == f"{pythons[chosen]}\n"


@pytest.mark.nightly("process")
def test_python_of_this_machine_can_make_an_environment(tmp_path):
    found = subprocess.run([PROJECT / ".ci/python"], capture_output=True, text=True, check=True, timeout=60)
    asked = [found.stdout.strip(), "-c", "import sys, pip, venv; print(sys.version_info >= (3, 11))"]
    assert subprocess.run(asked, capture_output=True, text=True, check=True, timeout=60).stdout == "True\n"

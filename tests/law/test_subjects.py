"""The check of commit subjects: more than 72 letters are refused when committing and by `.ci/run`."""

import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]


@pytest.mark.parametrize(("letters", "refused"), [(72, False), (73, True)])
def test_message_is_refused_by_its_subject_alone(tmp_path, letters, refused):
    message = tmp_path / "message"
    message.write_text(f"{'é' * letters}\n\n{'A line of the body may be as long as it likes. ' * 3}\n")
    checked = subprocess.run([PROJECT / ".ci/subjects", "--message", message], capture_output=True, text=True)
    assert bool(checked.returncode) is refused
    assert (f"commit subject of {letters} letters, at most 72: é" in checked.stderr) is refused


def test_every_change_has_its_subjects_looked_at():
    assert "\n.ci/subjects\n" in (PROJECT / ".ci/run").read_text()

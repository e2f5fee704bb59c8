"""A release: the version, the changelog and the tag agree, and the forge's workflows name commands that exist."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from operations.management.commands.upgrade import read_release_name
from tests.config.test_settings import PROJECT

WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
VERSION = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["version"]
TARGETS = set(re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
HEADING = re.compile(r"^## (\S+) \((unreleased|\d{4}-\d{2}-\d{2})\)$", re.MULTILINE)


def release(folder: Path, tag: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([folder / ".ci" / "release", tag], capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path):
    """Return a function that copies what a release looks at, with this first heading in the changelog."""

    def make(heading: str) -> Path:
        (tmp_path / ".ci").mkdir()
        for name in (".ci/release", "pyproject.toml"):
            shutil.copy(PROJECT / name, tmp_path / name)
        older = "## 0.0.1 (2020-01-01)\n\n- Something old.\n"
        (tmp_path / "CHANGELOG.md").write_text(f"# Changes\n\n{heading}\n\n- Something new.\n- More.\n\n{older}")
        return tmp_path

    return make


def test_version_is_that_of_the_newest_heading_of_the_changelog():
    headings = HEADING.findall((PROJECT / "CHANGELOG.md").read_text())
    assert headings[0][0] == VERSION == read_release_name()
    assert "unreleased" not in dict(headings[1:]).values()


def test_release_prints_its_notes(copy):
    run = release(copy(f"## {VERSION} (2027-01-31)"), f"v{VERSION}")
    assert (run.returncode, run.stdout) == (0, "- Something new.\n- More.\n\n")


@pytest.mark.parametrize(
    ("heading", "tag", "said"),
    [
        (f"## {VERSION} (2027-01-31)", "v99.0.0", f"pyproject.toml has version {VERSION}"),
        (f"## {VERSION} (2027-01-31)", VERSION, f"tag v{VERSION}"),
        (f"## {VERSION} (unreleased)", f"v{VERSION}", "write the day of the release"),
        ("## 99.0.0 (2027-01-31)", f"v{VERSION}", "the first heading of CHANGELOG.md is"),
    ],
    ids=["other version", "no v", "unreleased", "other heading"],
)
def test_release_is_refused_unless_tag_version_and_changelog_agree(copy, heading, tag, said):
    run = release(copy(heading), tag)
    assert (run.returncode, run.stdout) == (1, "")
    assert said in run.stderr


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_names_commands_that_exist(path):
    workflow = yaml.safe_load(path.read_text())
    assert all((PROJECT / job["uses"]).is_file() for job in workflow["jobs"].values() if "uses" in job)
    steps = [step for job in workflow["jobs"].values() for step in job.get("steps", [])]
    commands = "\n".join(step.get("run", "") for step in steps)
    assert set(re.findall(r"^make (\w+)", commands, re.MULTILINE)) <= TARGETS
    scripts = set(re.findall(r"^(?:python )?(\.ci/\w+)", commands, re.MULTILINE))
    assert {script for script in scripts if not (PROJECT / script).is_file()} == set()
    assert all(("run" in step) != ("uses" in step) for step in steps)
    assert workflow["permissions"] == {"contents": "read"}


def test_workflow_of_a_release_checks_before_it_builds_and_names_no_registry():
    workflow = yaml.safe_load((PROJECT / ".github" / "workflows" / "release.yml").read_text())
    assert workflow[True] == {"push": {"tags": ["v*"]}}  # YAML reads `on` as true
    check, image = (workflow["jobs"][name] for name in ("check", "image"))
    checked = [step.get("run") for step in check["steps"]][-3:]
    assert checked == ['.ci/release "$GITHUB_REF_NAME"', ".ci/run", "make nightly"]
    assert workflow["jobs"]["systems"]["needs"] == "check"
    assert {workflow["jobs"][name]["needs"] for name in ("publish", "page", "image")} == {"systems"}
    assert workflow["jobs"]["publish"]["if"] == "${{ vars.PYPI == 'yes' }}"
    push = next(step for step in image["steps"] if step.get("name") == "push")
    assert push["if"] == "${{ vars.REGISTRY != '' }}"
    assert re.findall(r"docker push (\S+)", push["run"]) == ['"$name"']
    assert "$REGISTRY/" in push["run"]

"""The packages that offer names of their modules: the imports of their `__init__` are the one list of these names."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from tests.law.packages import MODULES, PROJECT

CONFIGURATION = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]
OFFERING = sorted(
    name for each in CONFIGURATION["mypy"]["overrides"] if each.get("implicit_reexport") for name in each["module"]
)
BY_TOOLS = {"config": "celery_app"}  # Celery looks for it by this name
IMPORT = re.compile(r"^ *from ([\w.]+) import (\([^)]*\)|[^(\n]*)", re.MULTILINE)


def list_offered(package: str, source: str) -> set[str]:
    """Return the names that a package has from its modules, and does not use itself."""
    own = [names for module, names in IMPORT.findall(source) if module.startswith(package)]
    names = {part.split()[-1] for each in own for part in each.strip("()").split(",") if part.strip()}
    return names - set(re.findall(r"\w+", IMPORT.sub("", source)))


def list_unwanted(offering: Mapping[str, Path], sources: Mapping[Path, str]) -> set[str]:
    """Return the names that packages offer and that nobody takes: neither by an import nor as an attribute."""
    offered = {package: list_offered(package, sources[path]) for package, path in offering.items()}
    for path, source in sources.items():
        for module, names in IMPORT.findall(source):
            if module in offering and offering[module].parent not in path.parents:
                offered[module].difference_update(re.findall(r"\w+", names))
    return {
        f"{package}.{name}"
        for package, names in offered.items()
        for name in names
        if not any(f"{package.rpartition('.')[2]}.{name}" in source for source in sources.values())
    }


def test_each_offered_name_is_taken_by_somebody():
    paths = [*MODULES.values(), *(path for root in ("tests", "bench") for path in (PROJECT / root).rglob("*.py"))]
    offering = {package: MODULES[package] for package in OFFERING}
    assert {path.name for path in offering.values()} == {"__init__.py"}
    assert list_unwanted(offering, {path: path.read_text() for path in paths}) == {
        ".".join(each) for each in BY_TOOLS.items()
    }


def test_ruff_and_mypy_know_the_same_packages():
    (pattern,) = [name for name, codes in CONFIGURATION["ruff"]["lint"]["per-file-ignores"].items() if "F401" in codes]
    folders = pattern.removeprefix("{").removesuffix("}/__init__.py").split(",")
    assert sorted(folder.replace("/", ".") for folder in folders) == OFFERING


def test_offered_name_that_nobody_takes_is_found():
    own, other = Path("one/__init__.py"), Path("two.py")
    offered = "from one.two import (\n    three,\n    four,\n)\nfrom one.six import seven as five\n"
    taken = "from one import (\n    three,\n)\nimport one\nprint(one.four)\nfrom two import five\n"
    assert list_unwanted({"one": own}, {own: offered, other: taken}) == {"one.five"}

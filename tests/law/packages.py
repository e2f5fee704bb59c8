"""The packages of the project, as docs/architecture.md lists them, and which modules each one holds."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
ROOTS = (
    "api",
    "archives",
    "bots",
    "clubs",
    "config",
    "deals",
    "evenings",
    "handbook",
    "jobs",
    "movements",
    "operations",
    "outgoing",
    "pages",
    "rankings",
    "referee",
    "registration",
    "rooms",
    "scoring",
    "tournaments",
    "wording",
)
ARCHITECTURE = (PROJECT / "docs" / "architecture.md").read_text()
LAW = re.search(r"```law\n(.*?)```", ARCHITECTURE, re.DOTALL)
assert LAW, "docs/architecture.md has the list of packages"
LEVELS = {
    package: level for level, line in enumerate(LAW.group(1).strip().splitlines()) for package in line.split(" | ")
}
NAMES = ("clubs.names", "clubs.roster", "clubs.lists", "clubs.matching", "clubs.answers", "clubs.teams")
PURE = (
    "wording",
    "scoring",
    "deals.domain",
    "referee",
    "bots",
    "movements",
    "rooms.record",
    "tournaments.rules",
    "tournaments.reports",
    "handbook",
    "clubs.session_settings",
    *NAMES,
)
SUBJECTS = ("tournaments", "evenings", "rankings", "registration", "archives", "outgoing")
READERS = (
    "outgoing.paper",
    *(f"tournaments.{name}" for name in ("addresses", "apps", "numbers", "page_cache")),
)
PAGES, SHARED, PROGRAMS = "pages", "pages.parts", "api"


def find_modules() -> dict[str, Path]:
    """Return the path of every module of the project by its dotted name, without migrations, which Django writes."""
    found = {}
    for path in sorted(path for root in ROOTS for path in (PROJECT / root).rglob("*.py")):
        parts = path.relative_to(PROJECT).with_suffix("").parts
        if "migrations" not in parts:
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


MODULES = find_modules()
# The folders of pages. Code that pages share lies beside them, or in `parts`.
PAGE_FOLDERS = {name.split(".")[1] for name in MODULES if name.startswith(f"{PAGES}.") and name.count(".") > 1}
PAGE_FOLDERS -= {"parts", "templatetags"}


def within(module: str, packages: tuple[str, ...]) -> bool:
    """Return True if `module` is one of the packages or lies in one."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def package_of(module: str) -> str:
    """Return the innermost package of the list that holds the module, or ""."""
    return max((package for package in LEVELS if within(module, (package,))), key=len, default="")


def page_of(module: str) -> str:
    """Return the page's folder that holds the module, or "" if the module is shared or not a page."""
    folder = module.split(".")[1] if module.startswith(f"{PAGES}.") else ""
    return folder if folder in PAGE_FOLDERS else ""


def is_pure(module: str) -> bool:
    return within(module, PURE) and not within(module, ("handbook.words",))


def is_subject(module: str) -> bool:
    """Return True if the module stores and computes, and shows nothing."""
    return within(module, SUBJECTS) and not is_pure(module) and not within(module, READERS)


@cache
def list_imports(module: str) -> frozenset[str]:
    """Return the full names of the modules that a module imports today, which two laws ask for."""
    return frozenset(find_imports(module, ast.parse(MODULES[module].read_text())))


def find_imports(module: str, tree: ast.Module) -> Iterator[str]:
    """Yield the full names of the imported modules. A name taken from a package counts if it is a module itself."""
    for base, names in find_imported_names(module, tree):
        submodules = [name for each in names if (name := f"{base}.{each}") in MODULES]
        yield from submodules or [base]


def find_imported_names(module: str, tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    """Yield each imported module, with the names imported from it."""
    package = module if module in MODULES and MODULES[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, base] if base else parents)
            yield base, [alias.name for alias in node.names]

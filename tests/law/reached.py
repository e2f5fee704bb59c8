"""The definitions that a page, a job or a command reaches, found by following the names in the sources.

A definition is a function, a class or a constant of a module. It reaches each definition whose full name its source
reads, also in a text such as a dotted path of the settings. Whoever reaches a definition also runs the statements of
its module. A class is reached as a whole. A variable that is named as a function of its module counts as this function.
So a few dead functions are not found, but none is found that lives.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from tests.law.packages import MODULES, PROJECT, ROOTS, find_imports
from tests.law.uses import full_name, read_aliases

# Django and Celery find these modules by their names.
DOORS = {"urls", "tasks", "apps", "admin", "models", "templatetags", "config", "manage", "migrations"}
FOLDERS = ("management.commands",)
PATH = re.compile(r"[a-z_]+(\.\w+)+(:\w+)?|:\w+")  # also "clubs.uploads.logos:read", f"{__name__}:read"
# Decorators and base classes that tell somebody of what they are used for.
REGISTERING = {"OpenApiAuthenticationExtension", "register", "shared_task", "connect", "receiver"}


class Source:
    """A module with its definitions. `parts` has the statements of each, and under "" those that define nothing."""

    def __init__(self, name: str, tree: ast.Module) -> None:
        self.name, self.aliases = name, read_aliases(ast.Module(list_imports(tree.body), []))
        self.parts: dict[str, list[ast.stmt]] = {"": []}
        for statement in tree.body:
            self.parts.setdefault(defined_name(statement), []).append(statement)

    def list_uses(self, part: str) -> Iterator[str]:
        """Yield the full names that a definition reads, the modules that it imports, and the paths in its texts."""
        nodes = [node for statement in self.parts[part] for node in ast.walk(statement)]
        imports = ast.Module(list_imports(nodes), [])
        aliases = self.aliases if part == "" else self.aliases | read_aliases(imports)
        yield from (f"{module}." for module in find_imports(self.name, imports))
        for node in nodes:
            if isinstance(node, ast.Name):
                yield f"{self.name}.{node.id}" if node.id in self.parts else aliases.get(node.id, "")
            elif isinstance(node, ast.Attribute):
                yield full_name(node, aliases) or find_in_call(node)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and PATH.fullmatch(node.value):
                told = node.value.replace(":", ".")
                yield self.name + told if told[0] == "." else told

    @property
    def is_door(self) -> bool:
        return not DOORS.isdisjoint(self.name.split(".")) or any(f".{folder}." in self.name for folder in FOLDERS)


def find_in_call(node: ast.Attribute) -> str:
    """Return the full name of `import_module("rooms.results.rating").register_rooms`, "" for what is no such chain."""
    match node.value:
        case ast.Call(func=ast.Name(id="import_module"), args=[ast.Constant(value=str() as module)]):
            return f"{module}.{node.attr}"
    return ""


def list_imports(nodes: Iterable[ast.AST]) -> list[ast.stmt]:
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def defined_name(statement: ast.stmt) -> str:
    """Return the name that a statement of a module defines, "" if it defines none or registers what it defines."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            by = [*statement.decorator_list, *getattr(statement, "bases", [])]
            words = [word for each in by for word in ast.walk(each)]
            told = {word.id if isinstance(word, ast.Name) else getattr(word, "attr", "") for word in words}
            return "" if told & REGISTERING else name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return ""


def read_sources(paths: Mapping[str, Path]) -> dict[str, Source]:
    return {name: Source(name, ast.parse(path.read_text())) for name, path in paths.items()}


class Reach:
    """The definitions of the sources that the doors of the site reach, as full names in `found`."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self.sources, self.found = sources, set[str]()
        waiting = [name for source in sources.values() if source.is_door for name in find_doors(source)]
        while waiting:
            name = waiting.pop()
            if name in self.found:
                continue
            self.found.add(name)
            module, _, part = name.rpartition(".")
            source = sources[module]
            waiting += [f"{module}.", *(told for used in {*source.list_uses(part)} if (told := self.resolve(used)))]

    def resolve(self, name: str) -> str | None:
        """Return the definition behind a full name, or None. A package may import what it names from a module."""
        module, rest = name, ""
        while module not in self.sources:
            module, _, last = module.rpartition(".")
            if not module:
                return None
            rest = f"{last}.{rest}"
        first = rest.partition(".")[0]
        source = self.sources[module]
        if first not in source.parts and first in source.aliases and source.aliases[first] != name:
            return self.resolve(source.aliases[first])
        return f"{module}.{first}" if first in source.parts else f"{module}."

    @property
    def dead(self) -> list[str]:
        """The functions and classes that nothing reaches."""
        every = ((source, name) for source in self.sources.values() for name in source.parts if name)
        return sorted(
            f"{source.name}.{name}"
            for source, name in every
            if f"{source.name}.{name}" not in self.found and is_code(source.parts[name][0])
        )


def is_code(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.FunctionDef | ast.ClassDef)


def find_doors(source: Source) -> Iterator[str]:
    """Yield what others find in a door by its name: classes and constants, and all of the settings and of manage.py."""
    everything = source.name.startswith(("config", "manage"))
    for name, statements in source.parts.items():
        if everything or not any(isinstance(statement, ast.FunctionDef) for statement in statements) or not name:
            yield f"{source.name}.{name}"


@cache
def read_project() -> Reach:
    """Read the project. Migrations run on every site too. The programs that the site offers stand alone."""
    migrations = {
        ".".join(path.relative_to(PROJECT).with_suffix("").parts): path
        for root in ROOTS
        for path in (PROJECT / root).rglob("migrations/*.py")
    }
    offered = {name for name in MODULES if ".static." in name}
    started = {"manage": PROJECT / "manage.py"}
    read = {name: path for name, path in {**MODULES, **migrations, **started}.items() if name not in offered}
    return Reach(read_sources(read))

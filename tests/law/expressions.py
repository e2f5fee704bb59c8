"""The regular expressions of the project, found in its sources, and the ways in which each one meets a text."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import product
from types import ModuleType
from typing import Any, NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver

from pages.templatetags.accounts import BROWSERS, SYSTEMS
from tests.law.growing import WAYS
from tests.law.packages import MODULES
from tests.law.uses import full_name, read_aliases
from wording.table import DELIMITERS

METHODS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
FLAGS_AT = {"compile": 1, "split": 3, "sub": 4, "subn": 4}  # the place of the flags; in other functions of `re` it is 2
TAKERS = {"RegexValidator", "RegexField", "re_path"}  # other functions whose first argument is an expression
NAMED = ("regex", "__regex", "__iregex")  # arguments and names of classes that are expressions
# All values of local names from which an expression is made. `find_built` finds what a module makes while it is loaded.
LOCAL_VALUES: dict[str, dict[str, Sequence[str]]] = {
    "deals.domain.exchange": {"delimiter": DELIMITERS[:3], "parted": (r"[^|]+", r"\S+")},
    "pages.templatetags.accounts": {"word": (*BROWSERS, *SYSTEMS)},
    "clubs.lists": {"words": (r"noms?|rembours\w+|licencie(?:es?|s)?",)},
    "config.logs": {"kinds": ("rooms/account|simultaneous",)},
}
MOST_DEEP = 4  # a pattern may stand in a dict of tuples of a class of a module


class Expression(NamedTuple):
    """An expression, where it stands, and how the project matches it."""

    place: str
    pattern: re.Pattern[str]
    ways: frozenset[str]


class Written(NamedTuple):
    """An expression as a source writes it, with its flags, the name that it gets, and the function that takes it."""

    node: ast.expr
    flags: ast.expr | None = None
    name: str = ""
    taker: str = "search"


def find_expressions(name: str) -> Iterator[Expression]:
    """Yield the expressions of a module. A NameError says that `LOCAL_VALUES` needs another name."""
    source = MODULES[name].read_text()
    if ".static." in name or not re.search(r"\bre\.|[Rr]egex|re_path", source):
        return
    yield from read_expressions(name, source, vars(import_module(name)))


def read_expressions(name: str, source: str, names: Mapping[str, Any]) -> Iterator[Expression]:
    """Yield the expressions that a source writes. `names` has the values of the module's own names."""
    local = LOCAL_VALUES.get(name, {})
    for written in find_written(ast.parse(source)):
        for values in product(*local.values()):
            known = {**names, **dict(zip(local, values, strict=True))}
            value, flags = read_value(written.node, known), read_value(written.flags, known)
            pattern = re.compile(value, flags or 0) if isinstance(value, str) else value
            if isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
                yield Expression(f"{name}: {ast.unparse(written.node)[:60]}", pattern, find_ways(written))


def find_built(module: ModuleType) -> Iterator[Expression]:
    """Yield the expressions that a module has built when it was loaded: in its names, its classes and their tables."""
    for name, value in vars(module).items():
        for pattern in find_patterns(value, module.__name__):
            yield Expression(
                f"{module.__name__}.{name}", pattern, find_ways(Written(NOTHING, name=name, taker="compile"))
            )


def find_patterns(value: Any, module: str, deep: int = 0) -> Iterator[re.Pattern[str]]:
    """Yield the expressions in a value: itself, those of a table, or those of a class or an instance of the module."""
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
        return
    if deep == MOST_DEEP:
        return
    inner: Iterable[Any] = ()
    if isinstance(value, Mapping):
        inner = value.values()
    elif isinstance(value, list | tuple | set | frozenset):
        inner = value
    elif getattr(value, "__module__", None) == module and (isinstance(value, type) or hasattr(value, "__dict__")):
        inner = list(vars(value).values())
    for each in inner:
        yield from find_patterns(each, module, deep + 1)


def read_value(node: ast.expr | None, names: Mapping[str, Any]) -> Any:
    """Return the value of a node of a module, or None if there is no node."""
    return node and eval(compile(ast.Expression(node), "expression", "eval"), dict(names))


def find_written(tree: ast.Module) -> Iterator[Written]:
    """Yield every expression that a source writes."""
    aliases = read_aliases(tree)
    assigned = [pair for node in ast.walk(tree) if isinstance(node, ast.Assign) for pair in list_assigned(node)]
    names = {id(value): name for name, value in assigned}
    yield from (Written(value) for name, value in assigned if name in NAMED)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        yield from (Written(each.value) for each in node.keywords if each.arg and each.arg.endswith(NAMED))
        module, _dot, taker = full_name(node.func, aliases).rpartition(".")
        if module == "re" and taker in {"compile", *METHODS} and node.args:
            at = FLAGS_AT.get(taker, 2)
            named = next((each.value for each in node.keywords if each.arg == "flags"), None)
            flags = node.args[at] if len(node.args) > at else named
            yield Written(node.args[0], flags, names.get(id(node), ""), taker)
        elif taker in TAKERS and node.args:
            yield Written(node.args[0])


def list_assigned(node: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names of an assignment with their values."""
    for target in node.targets:
        if isinstance(target, ast.Name):
            yield target.id, node.value
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            for each, value in zip(target.elts, node.value.elts, strict=True):
                if isinstance(each, ast.Name):
                    yield each.id, value


def find_ways(written: Written) -> frozenset[str]:
    """Return how an expression is matched: as its call says, or as all methods do that are called on its name."""
    called = METHODS_OF.get(written.name, set()) if written.taker == "compile" else {written.taker}
    return frozenset(way if way in WAYS else "search" for way in called) or frozenset(WAYS)


def find_methods() -> dict[str, set[str]]:
    """Return the methods of expressions that any module calls on a name, by the name."""
    found: dict[str, set[str]] = {}
    for path in MODULES.values():
        for name, method in re.findall(rf"\b(\w+)\.({'|'.join(METHODS)})\(", path.read_text()):
            found.setdefault(name, set()).add(method)
    return found


METHODS_OF = find_methods()
NOTHING = ast.Constant("")


def find_addresses(resolver: URLResolver | None = None) -> Iterator[Expression]:
    """Yield the expressions of all addresses of the site, which anybody may type."""
    for each in (resolver or get_resolver()).url_patterns:
        assert isinstance(each, URLPattern | URLResolver)
        yield Expression(f"address {each.pattern}", re.compile(each.pattern.regex.pattern), frozenset({"search"}))
        if isinstance(each, URLResolver):
            yield from find_addresses(each)

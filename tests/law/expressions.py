"""The regular expressions of the project, found in its sources, and the ways in which each one meets a text."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver

from tests.law.growing import WAYS
from tests.law.packages import MODULES
from tests.law.uses import full_name, read_aliases

METHODS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
FLAGS_AT = {"compile": 1, "split": 3, "sub": 4, "subn": 4}  # the place of the flags; in other functions of `re` it is 2
TAKERS = {"RegexValidator", "RegexField", "re_path"}  # other functions whose first argument is an expression
NAMED = ("regex", "__regex", "__iregex")  # arguments and names of classes that are expressions
# Values of local names from which an expression is made.
LOCAL_VALUES = {
    "deals.domain.exchange": {"delimiter": ",", "parted": r"\S+"},
    "pages.templatetags.accounts": {"word": "Firefox"},
    "clubs.lists": {"words": r"noms?|rembours\w+|licencie(?:es?|s)?"},
    "config.logs": {"kinds": "rooms/account|simultaneous"},
}


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
    names = vars(import_module(name)) | LOCAL_VALUES.get(name, {})
    for written in find_written(ast.parse(source)):
        value, flags = read_value(written.node, names), read_value(written.flags, names)
        pattern = re.compile(value, flags or 0) if isinstance(value, str) else value
        if isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
            yield Expression(f"{name}: {ast.unparse(written.node)[:60]}", pattern, find_ways(written))


def read_value(node: ast.expr | None, names: dict[str, Any]) -> Any:
    """Return the value of a node of a module, or None if there is no node."""
    return node and eval(compile(ast.Expression(node), "expression", "eval"), names)


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


def find_addresses(resolver: URLResolver | None = None) -> Iterator[Expression]:
    """Yield the expressions of all addresses of the site, which anybody may type."""
    for each in (resolver or get_resolver()).url_patterns:
        assert isinstance(each, URLPattern | URLResolver)
        yield Expression(f"address {each.pattern}", re.compile(each.pattern.regex.pattern), frozenset({"search"}))
        if isinstance(each, URLResolver):
            yield from find_addresses(each)

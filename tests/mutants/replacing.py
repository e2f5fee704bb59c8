"""The functions of this process that can run the code of a broken source, and the answers that they remember."""

import ast
import gc
import sys
from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import _lru_cache_wrapper
from inspect import CO_OPTIMIZED
from types import CodeType, FunctionType
from typing import Any

NOTE = "note_line_of_tests"  # the name, among the builtins, of the function that marked code calls


def list_codes(code: CodeType) -> list[CodeType]:
    """Return a piece of compiled code and all pieces inside it, in the order of the source."""
    return [code, *(inner for one in code.co_consts if isinstance(one, CodeType) for inner in list_codes(one))]


def runs_at_import(code: CodeType) -> bool:
    """Return whether a piece of code is that of a module, or of a class outside functions."""
    return not code.co_flags & CO_OPTIMIZED and "<locals>" not in code.co_qualname


class LiveFile:
    """A file as this process imported it: its source, its compiled code, and the functions that were made of it."""

    def __init__(self, path: str, source: str) -> None:
        self.path, self.source = path, source
        self.codes = self.compile(source)
        self.functions: list[FunctionType] = []

    def compile(self, source: str | ast.Module) -> list[CodeType]:
        return list_codes(compile(source, self.path, "exec", dont_inherit=True))

    def mark(self) -> list[tuple[FunctionType, CodeType]]:
        """Return the functions, each with code that calls NOTE before each statement that it runs."""
        return self.replace(ast.fix_missing_locations(Marker(self.path).visit(ast.parse(self.source)))) or []

    def replace(self, source: str | ast.Module) -> list[tuple[FunctionType, CodeType]] | None:
        """Return the functions with another code in a broken source, each with that code. Nothing is changed yet.

        None means that functions cannot be broken that way, because what runs at the import differs.
        """
        broken = self.compile(source)
        if at_import(broken) != at_import(self.codes):
            return None
        old, new = by_name(self.codes), by_name(broken)
        replaced = []
        for function in self.functions:
            name = function.__code__.co_qualname
            if len(old[name]) != len(new[name]):
                return None
            code = new[name][old[name].index(function.__code__)]
            if code.co_freevars != function.__code__.co_freevars:
                return None
            replaced.append((function, code))
        return [(function, code) for function, code in replaced if code != function.__code__]


class Marker(ast.NodeTransformer):
    """A change of a syntax tree that puts a call of NOTE before each statement inside a function."""

    def __init__(self, path: str) -> None:
        self.path, self.depth = path, 0  # of functions around the node

    def visit(self, node: ast.AST) -> ast.AST:
        """Mark the statements below a node, and a lambda before its value."""
        within = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        self.depth += within
        self.generic_visit(node)
        if isinstance(node, ast.Lambda):
            node.body = ast.BoolOp(ast.Or(), [self.call(node.body.lineno), node.body])
        elif self.depth:
            for name in ("body", "orelse", "finalbody"):
                statements = getattr(node, name, None)
                if isinstance(statements, list):
                    setattr(node, name, [one for each in statements for one in self.mark(each)])
        self.depth -= within
        return node

    def mark(self, statement: ast.stmt) -> list[ast.stmt]:
        """Return a statement behind the call that notes its line. For `match`, the lines of all cases are noted."""
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            return [statement]  # a docstring
        lines = [statement.lineno]
        if isinstance(statement, ast.Match):
            lines += [case.pattern.lineno for case in statement.cases]
        return [*(ast.Expr(self.call(line)) for line in lines), statement]

    def call(self, line: int) -> ast.Call:
        return ast.Call(ast.Name(NOTE, ast.Load()), [ast.Constant(self.path), ast.Constant(line)], [])


def at_import(codes: Sequence[CodeType]) -> list[tuple[Any, ...]]:
    """Return what runs at the import of a file, without the functions, so that it can be compared."""
    return [
        (
            code.co_qualname,
            code.co_code,
            code.co_names,
            *(one for one in code.co_consts if not isinstance(one, CodeType)),
        )
        for code in codes
        if runs_at_import(code)
    ]


def by_name(codes: Sequence[CodeType]) -> dict[str, list[CodeType]]:
    """Return pieces of code by their qualified names. Several may share one, as the two functions of a property do."""
    found = defaultdict(list)
    for code in codes:
        found[code.co_qualname].append(code)
    return found


def find_functions(files: Collection[LiveFile]) -> None:
    """Give each file its living functions, whatever decorator, class or closure holds them."""
    of_path = {file.path: file for file in files}
    for one in gc.get_objects():
        if type(one) is FunctionType and (file := of_path.get(one.__code__.co_filename)):
            file.functions.append(one)


class Remembered:
    """The values that the project's cached functions and cached properties remember of earlier calls."""

    def __init__(self, folder: str) -> None:
        """Find them in the modules below `folder`."""
        ours = {name for name, one in sys.modules.items() if str(getattr(one, "__file__", "")).startswith(folder)}
        everything = gc.get_objects()
        self.caches = [one for one in everything if type(one) is _lru_cache_wrapper and one.__module__ in ours]
        kinds = [kind for kind in set(map(type, everything)) if kind.__module__ in ours]
        self.properties = {kind: find_cached_properties(kind, ours) for kind in kinds}
        self.objects = [one for one in everything if self.properties.get(type(one))]

    def forget(self) -> None:
        for cache in self.caches:
            cache.cache_clear()
        for one in self.objects:
            for name in self.properties[type(one)]:
                vars(one).pop(name, None)


def find_cached_properties(kind: type, ours: Collection[str]) -> list[str]:
    """Return the names of the cached properties of a class, Python's or Django's, that are defined in our modules."""
    members = [member for base in kind.__mro__ if base.__module__ in ours for member in vars(base).items()]
    return [name for name, one in members if type(one).__name__ == "cached_property"]

"""The full names in a source: `jetzt()` means `django.utils.timezone.now` if that was imported under this name."""

import ast
from collections.abc import Iterator


def read_aliases(tree: ast.Module) -> dict[str, str]:
    """Return the full name behind each name that the source imports."""
    known = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            known |= {
                each.asname or each.name.split(".")[0]: each.name if each.asname else each.name.split(".")[0]
                for each in node.names
            }
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            known |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    return known


def full_name(node: ast.AST, aliases: dict[str, str]) -> str:
    """Return the full name of a chain such as `dt.datetime.now`, or "" for anything else."""
    if isinstance(node, ast.Name):
        return aliases.get(node.id, node.id)
    if isinstance(node, ast.Attribute) and (base := full_name(node.value, aliases)):
        return f"{base}.{node.attr}"
    return ""


def find_uses(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the full name and the line of each name and attribute that is read."""
    aliases = read_aliases(tree)
    for node in ast.walk(tree):
        is_read = isinstance(node, ast.Attribute | ast.Name) and not isinstance(node.ctx, ast.Store)
        if is_read and (name := full_name(node, aliases)):
            yield name, node.lineno


def find_calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call with the full name of its function, or `.name` for the method of any other value."""
    aliases = read_aliases(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = full_name(node.func, aliases)
            yield name or (f".{node.func.attr}" if isinstance(node.func, ast.Attribute) else ""), node


def find_texts(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield each text of the source with its line, without docstrings."""
    told = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value, node.lineno

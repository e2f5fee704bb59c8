"""The rules for names: one class name for one class, one imported name for one thing, and no bare participle."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from tests.law.packages import find_imported_names

DJANGO_NAMES = {"Command", "Meta", "Migration"}  # names that Django requires
Trees = Mapping[str, ast.Module]
Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
# Participles without "-ed" or "-ing". Words that are an imperative or a noun too (read, cut, split, set) are left out.
IRREGULAR = {
    *("told", "said", "kept", "known", "shown", "written", "drawn", "seen", "made", "done", "given", "taken", "found"),
    *("held", "built", "sent", "left", "lost", "won", "met", "led", "laid", "dealt", "gone", "come", "become", "begun"),
    *("chosen", "broken", "spoken", "worn", "torn", "grown", "thrown", "hidden", "forgotten", "got", "shut", "felt"),
    *("meant", "heard", "bought", "brought", "thought", "caught", "taught", "sought", "bound", "stood", "understood"),
    *("paid", "spent", "lent", "bent", "sold", "stuck", "eaten", "beaten", "driven", "risen", "withdrawn", "undone"),
}
# Words that end like a participle, and are nouns.
NOUNS = {
    *("need", "feed", "speed", "seed", "bring", "string", "thing", "ring"),
    *("evening", "heading", "meeting", "ranking", "reading", "ruling", "setting", "sitting"),
}

# Names of locals that say nothing about the value. See the class or the function that the value comes from.
VAGUE = ("asked", "found", "given", "here", "known", "there", "told", "way")


def is_participle(name: str) -> bool:
    """Return True if the name is a single participle."""
    if name.startswith("__"):  # Python requires `__missing__`
        return False
    word = name.strip("_").lower() if name == name.lower() or name.strip("_").istitle() else ""
    return word in IRREGULAR or (word not in NOUNS and bool(re.fullmatch(r"[a-z]{2,}(ed|ing)", word)))


def find_definitions(tree: ast.AST) -> Iterator[Definition]:
    """Yield the classes and functions of a source, inner ones too."""
    yield from (node for node in ast.walk(tree) if isinstance(node, Definition))


def is_property(node: Definition) -> bool:
    """Return True if the function is a property, which may be named by an adjective."""
    return any("property" in ast.unparse(each) or ".setter" in ast.unparse(each) for each in node.decorator_list)


def find_participles(trees: Trees) -> list[str]:
    """Return the classes and functions that a bare participle names, without properties."""
    return [
        f"{module}.{node.name}"
        for module, tree in trees.items()
        for node in find_definitions(tree)
        if is_participle(node.name) and not is_property(node)
    ]


def find_double_classes(trees: Trees) -> dict[str, list[str]]:
    """Return the modules of each class name that occurs more than once."""
    found = defaultdict(list)
    for module, tree in trees.items():
        for node in find_definitions(tree):
            if isinstance(node, ast.ClassDef) and node.name not in DJANGO_NAMES:
                found[node.name].append(module)
    return {name: modules for name, modules in found.items() if len(modules) > 1}


def find_double_imports(trees: Trees) -> dict[str, list[str]]:
    """Return the modules of each imported name that more than one module defines."""
    imported = defaultdict(set)
    for module, tree in trees.items():
        for base, names in find_imported_names(module, tree):
            for name in names:
                home = find_home(trees, base, name)
                if home and home != module:
                    imported[name].add(home)
    return {name: sorted(homes) for name, homes in imported.items() if len(homes) > 1}


def find_home(trees: Trees, module: str, name: str) -> str:
    """Return the module that defines the function or class behind `module.name`, "" for anything else."""
    tree = trees.get(module)
    if tree is None:
        return ""
    if any(isinstance(node, Definition) and node.name == name for node in tree.body):
        return module
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and any((each.asname or each.name) == name for each in node.names):
            original = next(each.name for each in node.names if (each.asname or each.name) == name)
            return find_home(trees, node.module or "", original) if original == name and node.module != module else ""
    return ""


def count_vague_locals(trees: Trees) -> Counter[str]:
    """Return in how many functions each name of `VAGUE` stands for a local, arguments left out."""
    return Counter(
        name
        for tree in trees.values()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for name in {node.id for node in ast.walk(function) if is_vague_binding(node)}
    )


def is_vague_binding(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in VAGUE

"""The circles of imports among the modules and the folders of one package."""

import ast
from collections.abc import Mapping

from tests.law.packages import MODULES, find_imports, list_imports, package_of

Graph = dict[str, set[str]]


def read_graph(planted: Mapping[str, str] | None = None) -> Graph:
    """Return which modules of its own package each module imports, inside functions too.

    `planted` gives sources that replace those of the modules.
    """
    sources = dict(planted or {})
    modules = dict.fromkeys((*MODULES, *sources))
    graph: Graph = {}
    for module in modules:
        names = find_imports(module, ast.parse(sources[module])) if module in sources else list_imports(module)
        graph[module] = {name for name in names if name in modules and package_of(name) == package_of(module)}
        graph[module].discard(module)
    return graph


def read_folders(graph: Graph) -> Graph:
    """Return which folders and loose modules import each other, of those that lie side by side in one folder."""
    folders: Graph = {}
    for module, imported in graph.items():
        for other in imported:
            first, second = split_ways(module, other)
            folders.setdefault(second, set())
            folders.setdefault(first, set()).add(second)
    return {name: others - {name} for name, others in folders.items()}


def split_ways(module: str, other: str) -> tuple[str, str]:
    """Return the first folders or modules in which two modules differ, or the same one twice if one holds the other."""
    pairs = zip(module.split("."), other.split("."), strict=False)
    common = next((place for place, (one, two) in enumerate(pairs) if one != two), None)
    if common is None:
        return module, module
    first, second = (".".join(name.split(".")[: common + 1]) for name in (module, other))
    return first, second


def find_circles(graph: Graph) -> list[list[str]]:
    """Return the groups of modules that all reach each other."""
    reach = {module: find_reached(graph, module) for module in graph}
    circles = {frozenset(other for other in reach[module] if module in reach[other]) for module in graph}
    return sorted(sorted(circle) for circle in circles if circle)


def find_reached(graph: Graph, start: str) -> set[str]:
    """Return the modules that the imports of `start` reach; `start` itself only by a circle."""
    found: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        if (module := waiting.pop()) not in found:
            found.add(module)
            waiting += graph[module]
    return found

"""The circles of imports among the modules of one room."""

import ast
from collections.abc import Mapping

from tests.law.rooms import MODULES, find_imports, room_of

Graph = dict[str, set[str]]


def read_graph(planted: Mapping[str, str] | None = None) -> Graph:
    """Return which modules of its own room each module imports, inside functions too.

    `planted` gives sources that replace those of the modules.
    """
    sources = {module: path.read_text() for module, path in MODULES.items()} | dict(planted or {})
    graph: Graph = {}
    for module, source in sources.items():
        names = find_imports(module, ast.parse(source))
        graph[module] = {name for name in names if name in sources and room_of(name) == room_of(module)} - {module}
    return graph


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

"""The Markdown of a page as nested values, for a typesetter that does not read HTML."""

from collections.abc import Callable
from typing import Any

from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from handbook.pages import READER


def list_nodes(tokens: list[Token], find_target: Callable[[str], str]) -> list[dict[str, Any]]:
    """Return the nodes of tokens. Each has its type, a level, an anchor, a text, a target and its children.

    `find_target` returns the target of a link.
    """
    return [make_node(node, find_target) for node in SyntaxTreeNode(tokens).children]


def list_text_nodes(text: str, find_target: Callable[[str], str]) -> list[dict[str, Any]]:
    """Return the nodes of a short Markdown text."""
    return list_nodes(READER.parse(text), find_target)


def make_node(node: SyntaxTreeNode, find_target: Callable[[str], str]) -> dict[str, Any]:
    """Return a node and those inside it."""
    level = int(node.tag[1:]) if node.type == "heading" else 0
    return {
        "type": node.type,
        "level": level,
        "anchor": str(node.attrs.get("id", "")),
        "text": node.content if node.type in ("text", "code_inline") else "",
        "target": find_target(str(node.attrs["href"])) if node.type == "link" else "",
        "children": [make_node(child, find_target) for child in node.children],
    }

"""A page of the handbook: its front matter, its Markdown as tokens or nested values, and the blocks between.

A text is TOML between two lines `+++`, then Markdown without HTML. Figures stand as `{name}` and are filled in before
the text is read. A heading ends with its anchor: `## The Excuse {#excuse}`.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from handbook.errors import HandbookError

FRAME = "+++\n"
BLOCKS = ("deal", "trick", "replay", "exercise", "figure")
ANCHOR = re.compile(r" ?\{#([a-z0-9-]+)\}$")
PLACEHOLDER = re.compile(r"\{([a-z_]+(?:\.[a-z0-9_]+)*)\}")
READER = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


class PageHeading(NamedTuple):
    """A heading of a page: its level (2 or 3), its anchor and its text without marks."""

    level: int
    anchor: str
    text: str


class Block(NamedTuple):
    """A fenced block: its kind, the id of the data that it shows, and the number of a trick, or 0."""

    kind: str
    key: str
    number: int = 0


Part = Block | list[Token]


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the handbook in one language: texts of its front matter, and its parts in order.

    A part is a block, or the tokens of the Markdown between two blocks. `sources` may have the word "custom".
    """

    title: str
    description: str
    keywords: tuple[str, ...]
    sources: tuple[str, ...]
    headings: tuple[PageHeading, ...]
    parts: tuple[Part, ...]

    @property
    def blocks(self) -> list[Block]:
        """The blocks of the page, in order."""
        return [part for part in self.parts if isinstance(part, Block)]

    @property
    def links(self) -> list[str]:
        """The targets of all links of the page, as they are written."""
        return [str(token.attrs["href"]) for token in find_links(self.parts)]


def read_page(text: str, figures: Mapping[str, str]) -> Page:
    """Return the page of a text. `figures` has the values of the placeholders, by name.

    Raise HandbookError if the text breaks the format, or names an unknown figure.
    """
    front, body = split_front(text)
    tokens = READER.parse(fill_figures(body, figures))
    headings = tuple(set_anchors(tokens))
    return Page(
        title=front["title"],
        description=front["description"],
        keywords=tuple(front.get("keywords", ())),
        sources=tuple(front.get("sources", ())),
        headings=headings,
        parts=tuple(split_parts(tokens)),
    )


def split_front(text: str) -> tuple[dict[str, str], str]:
    """Return the values of the front matter, and the Markdown below it."""
    start, front, body = [*text.split(FRAME, 2), "", ""][:3]
    values = tomllib.loads(front)
    if start or not {"title", "description"} <= values.keys():
        raise HandbookError("A page begins with +++, a title, a description, and +++.")
    return values, body


def fill_figures(text: str, figures: Mapping[str, str]) -> str:
    """Return the text with the value of each placeholder. Raise HandbookError for a name that has no value."""

    def fill(found: re.Match[str]) -> str:
        if found[1] not in figures:
            raise HandbookError(f"There is no figure {found[0]}.")
        return figures[found[1]]

    return PLACEHOLDER.sub(fill, text)


def set_anchors(tokens: list[Token]) -> Iterator[PageHeading]:
    """Yield the headings. Move the anchor at the end of each from its text to the attribute `id`."""
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        match, children = ANCHOR.search(inline.content), inline.children or []
        level = int(opening.tag[1:])
        if not match or level not in (2, 3):
            raise HandbookError(f"“{inline.content}” is not a heading of level 2 or 3 with an anchor.")
        children[-1].content = ANCHOR.sub("", children[-1].content)
        opening.attrSet("id", match[1])
        yield PageHeading(level, match[1], "".join(child.content for child in children))


def split_parts(tokens: list[Token]) -> Iterator[Part]:
    """Yield the blocks of the tokens, and the tokens between them."""
    run: list[Token] = []
    for token in tokens:
        if token.type != "fence":
            run.append(token)
            continue
        if run:
            yield run
        yield read_block(token)
        run = []
    if run:
        yield run


def read_block(fence: Token) -> Block:
    """Return the block of a fence. Raise HandbookError if its kind or its one line is wrong."""
    kind, words = fence.info.strip(), fence.content.split()
    numbered = kind == "trick"
    if fence.level or kind not in BLOCKS or len(words) != 1 + numbered or not all(map(str.isdigit, words[1:])):
        raise HandbookError(f"“{kind}: {fence.content.strip()}” is not a block.")
    return Block(kind, words[0], *map(int, words[1:]))


def find_links(parts: tuple[Part, ...]) -> Iterator[Token]:
    """Yield the tokens that open a link."""
    for part in parts:
        if not isinstance(part, Block):
            for token in part:
                yield from (child for child in token.children or () if child.type == "link_open")


def render_tokens(tokens: list[Token], find_address: Callable[[str], str]) -> str:
    """Return the HTML of tokens. `find_address` returns the address of a link. Tags that the text has are escaped."""
    for token in tokens:
        if token.type == "table_open":
            token.attrSet("class", "table")
    return str(READER.renderer.render(tokens, READER.options, {"find_address": find_address}))


def render_text(text: str, find_address: Callable[[str], str]) -> str:
    """Return the HTML of a short Markdown text, such as the comment on a trick."""
    return render_tokens(READER.parse(text), find_address)


def render_link(renderer: Any, tokens: Sequence[Token], place: int, options: Any, env: Any) -> str:
    """Return the HTML that opens a link, with its address in place of the written target."""
    link = tokens[place].copy()
    link.attrs = {**link.attrs, "href": env["find_address"](str(link.attrs["href"]))}
    return str(renderer.renderToken([link], 0, options, env))


READER.add_render_rule("link_open", render_link)


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

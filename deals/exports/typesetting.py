"""Typst, which sets what is printed: a layout and its data in, a PDF out, or a picture of its one page."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typst

# Typst's own, and none of the machine's: a document is the same everywhere. Read once, for that takes milliseconds.
POINTS_AN_INCH = 72
FONTS = typst.Fonts(include_system_fonts=False)


# Bytes of documents after which typst forgets: it keeps some sixty times as much of them, and ten large documents are a
# gigabyte. To forget costs half as long as to set a document.
MOST_KEPT = 1_000_000
kept: list[int] = []


def typeset(layout: Path, data: Mapping[str, object], *, root: Path) -> bytes:
    """The PDF of a layout, which reads its data as JSON and other layouts below `root`."""
    return compile_layout(layout, data, root)


def draw(layout: Path, data: Mapping[str, object], *, root: Path) -> bytes:
    """The PNG of a layout of one page, a pixel a point."""
    return compile_layout(layout, data, root, format="png", ppi=POINTS_AN_INCH)


def compile_layout(layout: Path, data: Mapping[str, object], root: Path, **kind: Any) -> bytes:
    inputs = {"data": json.dumps(data)}
    document: bytes = typst.compile(str(layout), root=str(root), sys_inputs=inputs, font_paths=FONTS, **kind)
    kept.append(len(document))
    if sum(kept) > MOST_KEPT:
        forget_documents()
    return document


def forget_documents() -> None:
    """Lets typst drop what it keeps of the last ten documents.

    It forgets a result that ten further documents did not ask for, and offers no other way to say so.
    """
    kept.clear()
    for _ in range(11):
        typst.compile(b"", font_paths=FONTS)

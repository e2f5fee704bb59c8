"""The typesetter, typst: it turns a layout and its data into a PDF, or into a picture of its one page."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typst

# Only the fonts of typst itself, none of the machine's: a document looks the same everywhere. They are read once,
# because that takes milliseconds.
POINTS_AN_INCH = 72
FONTS = typst.Fonts(include_system_fonts=False)


# The size of documents, in bytes, after which typst's cache is cleared. Typst keeps some sixty times as much memory as
# the documents have bytes, so ten large documents take a gigabyte. Clearing costs half as long as one document.
MOST_KEPT = 1_000_000
document_sizes: list[int] = []


def typeset(layout: Path, data: Mapping[str, object], *, root: Path) -> bytes:
    """Return the PDF of a layout. The layout reads `data` as JSON, and other layouts below `root`."""
    return compile_layout(layout, data, root)


def draw_layout(layout: Path, data: Mapping[str, object], *, root: Path) -> bytes:
    """Return the PNG of a layout of one page, at one pixel a point."""
    return compile_layout(layout, data, root, format="png", ppi=POINTS_AN_INCH)


def compile_layout(layout: Path, data: Mapping[str, object], root: Path, **kind: Any) -> bytes:
    inputs = {"data": json.dumps(data)}
    document: bytes = typst.compile(str(layout), root=str(root), sys_inputs=inputs, font_paths=FONTS, **kind)
    document_sizes.append(len(document))
    if sum(document_sizes) > MOST_KEPT:
        forget_documents()
    return document


def forget_documents() -> None:
    """Clear typst's cache of the last documents.

    Typst drops a result that ten later documents did not use, and offers no other way to clear its cache.
    """
    document_sizes.clear()
    for _ in range(11):
        typst.compile(b"", font_paths=FONTS)

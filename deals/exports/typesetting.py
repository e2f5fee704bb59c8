"""The program typst, called to make a PDF, or a picture of one page, from a layout and its data."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typst

# Only the fonts that are part of typst are used, so that a document looks the same on every machine. Reading the fonts
# takes some milliseconds, so they are read only once.
POINTS_AN_INCH = 72
FONTS = typst.Fonts(include_system_fonts=False)


# When documents have this number of bytes in all, typst's cache is cleared. The cache takes about sixty times as many
# bytes as the documents: a gigabyte for ten large ones. Clearing it takes half as long as making one document.
MOST_KEPT = 1_000_000
document_sizes: list[int] = []


def typeset(layout: Path, data: Mapping[str, object], *, root: Path) -> bytes:
    """Return the PDF of a layout, as bytes. The layout reads `data` as JSON, and other layouts below `root`."""
    return compile_layout(layout, data, root)


def draw_layout(layout: Path, data: Mapping[str, object], *, root: Path) -> bytes:
    """Return the PNG of a layout of one page, as bytes, with one pixel for each point (1/72 inch)."""
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

    Typst has no command for this, but it drops a result that ten later documents did not use. So it makes empty
    documents.
    """
    document_sizes.clear()
    for _ in range(11):
        typst.compile(b"", font_paths=FONTS)

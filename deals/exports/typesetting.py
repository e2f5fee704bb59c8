"""The program typst, called to make a PDF, or a picture of one page, from a layout and its data."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any

import typst

# Only the fonts that are part of typst are used, so that a document looks the same on every machine. Reading the fonts
# takes some milliseconds, so they are read only once.
POINTS_AN_INCH = 72
JOINED = Path(__file__).parent / "typst" / "joined.typ"  # typst reads no file outside the folder of the documents
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


def count_pages(document: bytes) -> int:
    """Return the number of pages of a PDF that typst has made."""
    return len(re.findall(rb"/Type/Page\b", document))


def join_documents(documents: Sequence[bytes]) -> bytes:
    """Return one PDF with the pages of these PDFs in order, each in its own size. Their text can still be selected.

    Typst must have made the documents.
    """
    with TemporaryDirectory() as folder:
        root, names = Path(folder), [f"{number}.pdf" for number in range(len(documents))]
        for name, document in zip(names, documents, strict=True):
            (root / name).write_bytes(document)
        layout = root / JOINED.name
        copyfile(JOINED, layout)
        papers = [{"name": name, "pages": count_pages(each)} for name, each in zip(names, documents, strict=True)]
        return compile_layout(layout, {"papers": papers}, root)


def forget_documents() -> None:
    """Clear typst's cache of the last documents.

    Typst has no command for this, but it drops a result that ten later documents did not use. So it makes empty
    documents.
    """
    document_sizes.clear()
    for _ in range(11):
        typst.compile(b"", font_paths=FONTS)

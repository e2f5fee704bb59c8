"""A reader of pages for tests: tables as rows of text, links, and code that a strict content policy would refuse."""

import re
from html.parser import HTMLParser

from django.http import HttpResponse


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.classes: list[str] = []
        self.links: list[str] = []
        self.refused: list[str] = []
        self.in_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "tr":
            self.rows.append([])
            self.classes.append(given.get("class") or "")
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self.in_cell = True
        elif tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        inline = tag == "style" or (tag == "script" and "src" not in given)
        if inline or any(name == "style" or name.startswith("on") for name in given):
            self.refused.append(self.get_starttag_text() or tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.in_cell = False

    def handle_data(self, data: str) -> None:
        if self.in_cell:
            self.rows[-1][-1] += data


def read(response: HttpResponse) -> Reader:
    reader = Reader()
    reader.feed(response.content.decode())
    reader.rows = [[" ".join(cell.split()) for cell in row] for row in reader.rows]
    return reader


def words(response: HttpResponse) -> str:
    """Return the page's text without tags, with each run of spaces as one space."""
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())

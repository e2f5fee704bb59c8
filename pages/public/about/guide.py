"""The director's guide as a page. Its sources are docs/evening.md and docs/evening.fr.md, one for each language."""

from functools import cache
from itertools import pairwise
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from pages.everybody import answer_everybody

SOURCES = {"en": "evening.md", "fr": "evening.fr.md"}


class Guide(NamedTuple):
    """The guide in one language. `chapters` holds the anchor and the title of each chapter."""

    title: str
    chapters: list[tuple[str, str]]
    html: SafeString


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    found = read_guide(get_language() or settings.LANGUAGE_CODE)
    return answer_everybody(
        request, found.html, lambda request: render(request, "public/about/guide.html", {"guide": found})
    )


@cache
def read_guide(language: str) -> Guide:
    """Return the guide in a language, or in English if the language has none. HTML tags in the text are escaped."""
    name = SOURCES.get(language, SOURCES["en"])
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse((settings.BASE_DIR / "docs" / name).read_text(encoding="utf-8"))
    title, tokens = tokens[1].content, tokens[3:]  # the tokens after the end of the heading
    chapters = []
    for token, words in pairwise(tokens):
        if token.type == "heading_open":
            chapters.append((slugify(words.content), words.content))
            token.attrSet("id", chapters[-1][0])
        elif token.type == "table_open":
            token.attrSet("class", "table")
    return Guide(title, chapters, mark_safe(reader.renderer.render(tokens, reader.options, {})))

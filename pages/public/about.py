"""The pages about the site: the director's guide, the privacy page, the imprint, the bots, and the site's icon.

The sources of the guide are docs/evening.md and docs/evening.fr.md, one for each language.
"""

from functools import cache
from itertools import pairwise
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.utils.cache import patch_cache_control
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from archives.privacy.periods import PERIODS
from pages.everybody import answer_everybody, show_to_everybody

SOURCES = {"en": "evening.md", "fr": "evening.fr.md"}
DAY = 86_400


class Guide(NamedTuple):
    """The guide in one language. `chapters` holds the anchor and the title of each chapter."""

    title: str
    chapters: list[tuple[str, str]]
    html: SafeString


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    written = read_guide(get_language() or settings.LANGUAGE_CODE)
    return answer_everybody(request, written.html, show_to_everybody("public/about/guide.html", {"guide": written}))


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


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return answer_everybody(request, "privacy", show_to_everybody("public/privacy.html", {"periods": PERIODS}))


@require_safe
def imprint(request: HttpRequest) -> HttpResponse:
    told = settings.IMPRINT
    who = [
        (_("Publisher"), told.publisher),
        (_("Responsible for publication"), told.director),
        (_("Host"), told.host),
    ]
    context = {"imprint": told, "who": [(role, name) for role, name in who if name]}
    return answer_everybody(request, told, show_to_everybody("public/about/imprint.html", context))


@require_safe
def bots_help(request: HttpRequest) -> HttpResponse:
    return answer_everybody(request, "bots", show_to_everybody("public/about/bots.html", {}))


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    response = redirect(static("img/favicon.ico"))
    patch_cache_control(response, public=True, max_age=DAY)
    return response

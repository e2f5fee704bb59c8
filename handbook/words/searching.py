"""The search for pages of the handbook, by the start of words. Accents and capitals do not matter."""

from collections.abc import Sequence
from functools import cache

from clubs.names import words_of
from handbook.words.files import list_slugs, open_page


def find_pages(words: Sequence[str], language: str) -> list[str]:
    """Return the slugs of the pages that have a word beginning with each of the words.

    `words` are simplified as `words_of` does it. Pages whose title fits come first, then the order of the handbook.
    """
    fitting = [slug for slug in list_slugs() if fits(words, words_of_page(language, slug))]
    return sorted(fitting, key=lambda slug: not fits(words, words_of_title(language, slug)))


def fits(words: Sequence[str], found: frozenset[str]) -> bool:
    """Return whether each of the words begins one of those found."""
    return bool(words) and all(any(each.startswith(word) for each in found) for word in words)


@cache
def words_of_title(language: str, slug: str) -> frozenset[str]:
    """Return the simplified words of a page's title."""
    return frozenset(words_of(open_page(language, slug).title))


@cache
def words_of_page(language: str, slug: str) -> frozenset[str]:
    """Return the simplified words of a page's title, description, keywords and headings."""
    page = open_page(language, slug)
    texts = (page.title, page.description, *page.keywords, *(heading.text for heading in page.headings))
    return frozenset(word for text in texts for word in words_of(text))

"""The reader of pages: front matter, figures, anchors, blocks and links."""

import pytest

from handbook.errors import HandbookError
from handbook.pages import Block, PageHeading, read_page, render_text, render_tokens

TAGS = ("<script", "<b>", "<img", 'href="javascript')
FRONT = '+++\ntitle = "A"\ndescription = "B"\n+++\n'


def read(body, **figures):
    return read_page(FRONT + body, figures)


def html_of(page):
    return "".join(render_tokens(part, str) for part in page.parts if not isinstance(part, Block))


def test_page_has_its_headings_blocks_and_links():
    page = read("See [b](b#c).\n\n## One *two* {#one}\n\n```trick\nfirst 3\n```\n\n### Deep {#deep}\n")
    assert page.headings == (PageHeading(2, "one", "One two"), PageHeading(3, "deep", "Deep"))
    assert page.blocks == [Block("trick", "first", 3)]
    assert page.links == ["b#c"]
    assert '<h2 id="one">One <em>two</em></h2>' in html_of(page)


def test_figures_are_filled_in():
    assert "<p>56 × 2</p>" in html_of(read("{target.0} × {n}", **{"target.0": "56", "n": "2"}))


def test_address_of_a_link_is_found_for_each_rendering():
    page = read("[b](b#c)")
    for start in ("/one/", "/two/"):
        html = "".join(render_tokens(part, lambda target, start=start: start + target) for part in page.parts)
        assert f'<a href="{start}b#c">b</a>' in html


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "<b>bold</b>", "[x](javascript:alert(1))", "![x](https://example.org/x.png)"]
)
def test_no_tag_of_an_author_reaches_the_page(text):
    html = html_of(read(text)) + render_text(text, str)
    assert [tag for tag in TAGS if tag in html] == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("{unknown}", "There is no figure {unknown}."),
        ("## No anchor", "“No anchor” is not a heading of level 2 or 3 with an anchor."),
        ("# Title {#title}", "“Title {#title}” is not a heading of level 2 or 3 with an anchor."),
        ("```python\nx\n```", "“python: x” is not a block."),
        ("```trick\nfirst\n```", "“trick: first” is not a block."),
        ("```deal\nfirst 2\n```", "“deal: first 2” is not a block."),
    ],
)
def test_wrong_page_is_refused(body, fault):
    with pytest.raises(HandbookError) as error:
        read(body)
    assert str(error.value) == fault


def test_page_without_front_matter_is_refused():
    with pytest.raises(HandbookError):
        read_page("Text.", {})

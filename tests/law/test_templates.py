"""The templates and styles of pages: short lines, small folders, and each selector styled in one file."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates"
STYLES = ROOT / "pages" / "static" / "css"
LONGEST, MOST = 140, 25
# The templates that write a whole form by themselves, without `components/forms/form.html`. Write a lower number down.
OWN_FORMS = 32


def test_no_line_of_a_template_is_too_long_to_be_read():
    assert [
        f"{page.relative_to(TEMPLATES)}:{number}"
        for page in TEMPLATES.rglob("*.*")
        for number, line in enumerate(page.read_text().splitlines(), 1)
        if len(line) > LONGEST
    ] == []


def test_no_folder_of_templates_is_crowded():
    folders = [TEMPLATES, *(folder for folder in TEMPLATES.rglob("*") if folder.is_dir())]
    crowded = {folder.name: sum(page.is_file() for page in folder.iterdir()) for folder in folders}
    assert {name: files for name, files in crowded.items() if files > MOST} == {}


def test_templates_leave_the_frame_of_a_form_to_one_template():
    own = re.compile(r'<form\b(?=[^>]*method="post")[^>]*class="form[ "]')
    found = {str(page.relative_to(TEMPLATES)) for page in TEMPLATES.rglob("*.html") if own.search(page.read_text())}
    found -= {"components/forms/form.html"}
    assert len(found) <= OWN_FORMS, "use show_form or form_frame of templatetags/frames.py"


def test_a_selector_has_its_rules_in_one_stylesheet():
    """Exclude the tokens, which define the names of colours and sizes for every page."""
    owners = defaultdict(set)
    for sheet in STYLES.rglob("*.css"):
        if sheet.name != "tokens.css":
            for selector in read_selectors(sheet.read_text()):
                owners[selector].add(sheet.name)
    assert {selector: sorted(sheets) for selector, sheets in owners.items() if len(sheets) > 1} == {}


def test_only_a_success_is_green():
    """Check that a notice that informs, refuses or tells a loss has another colour than one of success."""
    rules = dict(re.findall(r"^\.(notice\S*) \{([^}]+)\}", (STYLES / "parts.css").read_text(), re.M))
    green = {name for name, rule in rules.items() if "--accent" in rule}
    assert green == {"notice-success"}


def read_selectors(style: str) -> Iterator[str]:
    """Yield every selector that has rules, inside `@media` too, without the frames of animations."""
    style = re.sub(r"/\*.*?\*/|@keyframes [^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", style, flags=re.DOTALL)
    for head in re.findall(r"([^{};]+)\{", style):
        if not head.strip().startswith("@"):
            yield from (" ".join(each.split()) for each in re.split(r",(?![^()]*\))", head))


def test_letters_on_screens_have_six_sizes():
    """Leave out what is printed, hung on a wall or held at a table, and drawings, whose letters are sized in pixels.

    The longest names of a ranking on a phone are smaller, so that their row is not higher than the others.
    """
    found = set()
    for sheet in set(STYLES.rglob("*.css")) - set(STYLES.glob("hall/*")) - set(STYLES.glob("table/*")):
        style = re.sub(r"@media print \{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", sheet.read_text())
        found |= {f"{sheet.name}: {size}" for size in re.findall(r"(?<!-)\bfont(?:-size)?: ([^;]+);", style)}
    token = re.compile(r"(.*[: ])?var\(--(small|body|large|huge|clock|hero)\)( .*)?|.*: (0|\d+px|inherit)")
    assert {each for each in found if not token.fullmatch(each)} == {"ranking.css: 0.78125rem"}


HTMX = "head/htmx.html"
NAMED = re.compile(r'"([\w/.-]+\.html)"')
TAG = re.compile(r'inclusion_tag\(\s*"([\w/.-]+\.html)".*?\)\s*def (\w+)', re.DOTALL)


def test_a_page_loads_htmx_if_a_part_of_it_is_replaced_and_only_then():
    """Check this, because the script is two fifths of what a reader's first page weighs."""
    sources = {path.relative_to(TEMPLATES).as_posix(): path.read_text() for path in TEMPLATES.rglob("*.html")}
    tags = {tag: name for path in ROOT.glob("*/templatetags/*.py") for name, tag in TAG.findall(path.read_text())}
    parts = {
        name: set(NAMED.findall(source)) | {tags[tag] for tag in tags if f"{{% {tag}" in source}
        for name, source in sources.items()
    }

    def reach(name: str, found: set[str]) -> set[str]:
        for part in ({name} | parts.get(name, set())) - found:
            found.add(part)
            reach(part, found)
        return found

    pages = {name: reach(name, set()) for name in sources}
    pages = {name: reached for name, reached in pages.items() if "base.html" in reached and name != "base.html"}
    replaced = {name for name, reached in pages.items() if any("hx-" in sources.get(each, "") for each in reached)}
    assert len(replaced) > 10
    assert {name for name, reached in pages.items() if HTMX in reached} == replaced

"""The loader of pages: it drops the indentation of pages only, and changes nothing that a reader sees."""

from django.template import Context, engines
from django.template.loader import get_template

from config.middleware import PageLoader


def write(folder, name):
    (folder / name).write_text("<p>\n    {% if said %}\n\t  {{ said }}\n    {% endif %}\n\n  </p>\n")


def test_pages_lose_their_indentation_and_keep_their_lines_and_values(tmp_path):
    engine = engines["django"].engine
    for name in ("page.html", "mail.txt"):
        write(tmp_path, name)
    loader = PageLoader(engine, [tmp_path])
    page, mail = (loader.get_template(name) for name in ("page.html", "mail.txt"))
    assert page.render(Context({"said": "  a\n  b"})) == "<p>\n\n  a\n  b\n\n\n</p>\n"
    assert mail.render(Context({"said": "a"})) == "<p>\n    \n\t  a\n    \n\n  </p>\n"


def test_the_sites_pages_are_read_by_it():
    assert "\n " not in get_template("base.html").template.source

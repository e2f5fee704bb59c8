"""The readers of tables and of figures: one for what people have, and a few for programs, each with its reason."""

import ast
import re

import pytest

from tests.law.packages import MODULES
from tests.law.uses import find_calls, find_texts, find_uses

READING = {"csv.reader", "csv.DictReader", "csv.Sniffer"}
READERS = {
    "wording.table": "every list that somebody pastes or uploads",
    "scoring.files.sheets": "the results that other programs write, for commands and scripts",
    "movements.plan.csv_text": "a plan of numbers, as clubs write it",
    "deals.static.deals.topage_standings": "a program that people take along, which stands alone",
}


def find_readers(sources):
    """Return the modules that split the rows of a text themselves."""
    return {
        name for name, source in sources.items() if READING & {used for used, _line in find_uses(ast.parse(source))}
    }


def test_one_module_reads_the_lists_of_people():
    assert find_readers({name: path.read_text() for name, path in MODULES.items()}) == set(READERS)


@pytest.mark.parametrize(
    "source",
    ["import csv\nrows = csv.reader(file)", "from csv import DictReader as Rows\nrows = Rows(file)"],
)
def test_planted_reader_is_found(source):
    assert find_readers({"clubs.planted": source, "clubs.other": "import csv\ncsv.writer(file)"}) == {"clubs.planted"}


# The modules that know the signs of a typed figure, each with what it does with them.
FIGURES = {
    "wording.figures": "reads every figure that somebody types, and writes figures",
    "rankings.series.lists": "finds where the figure at the end of a line begins, and has it read",
    "scoring.notation": "the results that other programs write: a blank or a fraction is an error there",
    "scoring.files.standings_file": "the base scores that other programs write",
}
DECIMAL_SIGNS = ("[.,]", "[,.]")
REPLACED = {",": ".", "−": "-", "–": "-"}
# Django's own fields know one language at a time. Screens and forms of results have those of `pages.form_fields`.
DJANGO_FIELDS = {"django.forms.DecimalField", "django.forms.FloatField"}
OF_RESULTS = ("pages.play.", "pages.penalty_forms")


def find_figure_readers(sources):
    """Return the modules that turn the signs of a typed figure into a number's, or take another field for figures."""
    return {name for name, source in sources.items() if reads_figures(name, ast.parse(source))}


def reads_figures(name, tree):
    """Return whether a module reads figures by itself."""
    calls = list(find_calls(tree))
    replaces = any(called.endswith(".replace") and is_sign_replaced(call) for called, call in calls)
    expresses = any(sign in text for text, _line in find_texts(tree) for sign in DECIMAL_SIGNS)
    fields = any(called in DJANGO_FIELDS for called, _call in calls) or (
        name.startswith(OF_RESULTS)
        and any(called == "django.forms.IntegerField" and not is_hidden(call) for called, call in calls)
    )
    return replaces or expresses or (fields and name != "pages.form_fields")


def is_sign_replaced(call):
    """Return whether a call of `replace` gives a typed sign that of a number in Python."""
    texts = [each.value for each in call.args[:2] if isinstance(each, ast.Constant)]
    return len(texts) == 2 and REPLACED.get(texts[0]) == texts[1]


def is_hidden(call):
    """Return whether a field is filled by the page itself."""
    return any(each.arg == "widget" and "HiddenInput" in ast.unparse(each.value) for each in call.keywords)


def test_one_module_reads_the_figures_of_people():
    assert find_figure_readers({name: path.read_text() for name, path in MODULES.items()}) == set(FIGURES)


@pytest.mark.parametrize(
    "source",
    [
        'points = Decimal(text.replace(",", "."))',
        'points = int(text.strip().replace("−", "-"))',
        'import re\nPOINTS = re.compile(r"[0-9]+([.,][0-9]+)?")',
        "from django import forms\npoints = forms.DecimalField()",
        "from django.forms import IntegerField\nmarks = IntegerField(min_value=0)",
    ],
)
def test_planted_reader_of_figures_is_found(source):
    others = {
        "pages.play.hidden": "from django import forms\nseen = forms.IntegerField(widget=forms.HiddenInput)",
        "pages.sets.other": 'from django import forms\ncount = forms.IntegerField()\nname = text.replace(",", " ")',
    }
    assert find_figure_readers({"pages.play.planted": source} | others) == {"pages.play.planted"}


# The modules that know the words of headings, each with what it reads.
HEADINGS = {
    "clubs.lists": "the columns of every list",
    "clubs.roster.lines": "a heading that stands among the lines of a mail: it names nobody",
}


def find_heading_readers(sources):
    """Return the modules with words of headings, as a heading has them without accents."""
    return {
        name
        for name, source in sources.items()
        if any(re.search(r"\bprenoms?\b", text) for text, _line in find_texts(ast.parse(source)))
    }


def test_one_module_knows_the_words_of_columns():
    assert find_heading_readers({name: path.read_text() for name, path in MODULES.items()}) == set(HEADINGS)
    assert find_heading_readers({"clubs.planted": 'FIRST = {"prenom", "first name"}'}) == {"clubs.planted"}

"""No regular expression of the project takes long, whatever somebody types or uploads."""

import re
import sys
from importlib import import_module
from types import ModuleType

import pytest

from config.logs import SecretsOfAddresses
from tests.law.expressions import find_addresses, find_built, find_expressions, read_expressions
from tests.law.growing import WAYS, find_slow_input
from tests.law.packages import MODULES


def test_no_expression_takes_ten_milliseconds_for_four_hundred_letters():
    found = [each for name in MODULES for each in find_expressions(name)]
    assert len(found) > 100, "the walk finds the expressions"
    assert find_slow([*found, *find_addresses()]) == {}


def find_slow(found):
    """Return the places of the slow expressions, each with its time and its text."""
    tried = {(each.pattern, way): each.place for each in found for way in each.ways}
    return {place: told for attempt, place in tried.items() if (told := find_slow_input(*attempt))}


def test_no_expression_that_is_built_when_its_module_is_loaded_takes_long():
    import_module("config.urls")  # tells `config.logs` the addresses whose secrets it hides
    modules = [sys.modules[name] for name in MODULES if name in sys.modules]
    found = [each for module in modules for each in find_built(module)]
    names = {each.place for each in found}
    assert {"clubs.lists.SHOWN_BY", "clubs.lists.PERSON", "config.logs.SecretsOfAddresses"} <= names
    assert len({each.pattern for each in found if each.place == "clubs.lists.SHOWN_BY"}) > 20
    assert "simultaneous" in SecretsOfAddresses.pattern.pattern
    assert find_slow(found) == {}


BUILT = """
import re
PARTS = ("nov", "nove", "e", "x")
def join(parts):
    return re.compile("(?:%s)+$" % "|".join(parts))
BY_KIND = {"month": (join(["a"]), join(PARTS))}
class Reader:
    pattern = re.compile(rf"(?:{PARTS[0]}|{PARTS[0]}e|e)+\\d")
"""


@pytest.mark.nightly("statistics")
def test_a_slow_expression_that_is_built_is_found():
    module = ModuleType("planted")
    exec(BUILT, vars(module))
    found = [each._replace(ways=frozenset({"match"})) for each in find_built(module)]
    assert set(find_slow(found)) == {"planted.BY_KIND", "planted.Reader"}


def test_an_expression_that_is_built_from_an_argument_needs_its_values():
    source = 'import re\ndef find(word, text):\n    return re.search(rf"({word}+)+$", text)\n'
    with pytest.raises(NameError, match="word"):
        list(read_expressions("planted", source, {}))
    (read,) = read_expressions("planted", source, {"word": "a"})
    assert read.pattern.pattern == "(a+)+$"


@pytest.mark.parametrize(
    ("expression", "way"),
    [
        (r"(?=.*\d)(?:[\d ]|er?|(?:nov|dec)(?:embre|e)?)+", "fullmatch"),
        (r"(a+)+b", "match"),
        (r"[^\s<>]+@[^\s<>]+\.[^\s<>]+", "search"),
        (r"no\s*(?:n°)?\s*:?\s*[0-9]", "search"),
    ],
    ids=["two-readings", "nested", "cubic", "adjacent"],
)
def test_an_expression_that_reads_a_text_in_many_ways_is_found(expression, way):
    assert find_slow_input(re.compile(expression), way) is not None


@pytest.mark.parametrize("expression", [r"(?>a+)+b", r"(?:er?|nov|dec)++", r"no\s*+:?\s*+[0-9]", r"[a-z]{1,8}"])
def test_an_expression_that_reads_a_text_in_one_way_is_quick(expression):
    assert [find_slow_input(re.compile(expression), way) for way in WAYS] == [None] * 3

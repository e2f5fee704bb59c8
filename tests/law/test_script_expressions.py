"""No regular expression of a script keeps a browser busy, whatever somebody types."""

import pytest

from tests.law.scripts import ScriptExpression, find_in_scripts, find_slow_in_scripts, read_scripts


@pytest.mark.nightly("process")
def test_no_expression_of_a_script_takes_long():
    expressions = find_in_scripts(read_scripts())
    assert len(expressions) > 15, "the walk finds the expressions"
    assert find_slow_in_scripts(expressions) == {}


PLANTED = {
    "nested": r"const SLOW = /^(a+)+$/;",
    "two-readings": r'typed.match("^(?:nov|nove|e|x)+$");',
    "quadratic": r'const bare = (text) => text.replace(/\s+$/, "");',
    "constructor": r'const SLOW = new RegExp("(\\d+ ?)+$", "u");',
    "template": "const SLOW = RegExp(`(?:a|a)+b`);",
}


@pytest.mark.nightly("process")
@pytest.mark.parametrize("source", PLANTED.values(), ids=PLANTED)
def test_a_slow_expression_of_a_script_is_found(source):
    assert list(find_slow_in_scripts(find_in_scripts({"planted.js": source}))) == ["planted.js:1"]


@pytest.mark.nightly("process")
def test_an_expression_that_is_built_from_other_texts_is_named():
    for built in ("new RegExp(`^${word}`).test(typed)", "typed.match(word)", 'RegExp(word + "+")'):
        with pytest.raises(ValueError, match=r"planted.js:1: (new )?(RegExp|typed)"):
            find_in_scripts({"planted.js": f"const find = (word) => {built};"})


@pytest.mark.nightly("process")
def test_a_quick_expression_of_a_script_passes():
    quick = [
        ScriptExpression("quick", source, "u") for source in (r"^\d{1,4}$", r"\s+", r"(?<=\d)\s(?=\d{3})", r"\p{M}")
    ]
    assert find_slow_in_scripts(quick) == {}

"""The role of somebody in a club: one place decides it, and no other compares roles, last days or practice clubs."""

import ast
from collections.abc import Iterator

import pytest

from tests.law.breaches import OURS
from tests.law.packages import MODULES, within
from tests.law.uses import find_calls, find_texts, find_uses, full_name, read_aliases

# The function and the SQL fragment, and the model whose rows they read.
ONE_PLACE = ("clubs.roles", "clubs.models.accounts")
APPS = ("clubs", "config", "deals", *OURS)
OF_ROLES, OF_PRACTICE = {"role", "ends_on"}, {"practice_of", "practice_of_id"}
ROLE_NAMES = {"DIRECTOR", "HELPER"}
ROLE_TEXTS = {"director", "helper"}
FILTERS = {"filter", "exclude", "get", "Q", "When", "exists", "first", "aget", "get_or_create"}
IN_SQL = ("clubs_membership", "practice_of_id", "member.role", "ends_on >=")
NAMED = {
    ("clubs.house", "ends_on"): "the last day of a season, which is no role's",
    ("rankings.series.setup", "ends_on"): "the last day of a series, which is no role's",
    ("rankings.series.choosing", "ends_on"): "the last day of a series, which is no role's",
    ("pages.series.directors", "ends_on"): "the last day of a series, which is no role's",
    ("api.scopes", "role"): "whether a token has a role at all, which clubs.roles has found",
    ("pages.parts.scores", "role"): "attack or defence in a deal, which is no role in a club",
    ("evenings.practice", "practice_of"): "the practice club of a club is found and made here",
    ("rankings.careers.keeping", "practice_of"): "one of a row of values, each of which keeps a session out",
    ("rankings.series.publishing", "practice_of"): "a column of the stamp; `permissions` decides who sees such a club",
    ("tournaments.versions", "practice_of_id"): "a column of the stamp; pages ask `permissions` besides",
    ("tournaments.versions", "practice_of"): "where that column lies",
}


def find_comparisons(module: str, source: str) -> Iterator[tuple[str, int]]:
    """Yield each comparison of roles and each query for roles in a source, with its line."""
    if not within(module, APPS) or within(module, ONE_PLACE):
        return
    tree = ast.parse(source)
    aliases = read_aliases(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            for side in (node.left, *node.comparators):
                name = full_name(side, aliases)
                last = name.rpartition(".")[2] if name else getattr(side, "attr", "")
                if last in OF_ROLES | ROLE_NAMES or (isinstance(side, ast.Constant) and side.value in ROLE_TEXTS):
                    yield last or str(getattr(side, "value", "")), node.lineno
        if isinstance(node, ast.Attribute) and node.attr in OF_PRACTICE:
            yield node.attr, node.lineno
    for name, call in find_calls(tree):
        for keyword in call.keywords if name.rpartition(".")[2] in FILTERS else ():
            words = (keyword.arg or "").split("__")
            for word in words:
                if word in OF_PRACTICE or (word in OF_ROLES and is_about_roles(name, call, words)):
                    yield word, call.lineno
    for name, line in find_uses(tree):
        if name.rpartition(".")[2] in {"day_of_roles", "in_force"} and name.startswith("clubs."):
            yield name, line
    for text, line in find_texts(tree):
        yield from ((each, line) for each in IN_SQL if each in text)
        if any(word in OF_PRACTICE for word in text.split("__")) and "__" in text:
            yield "practice_of", line


def is_about_roles(name: str, call: ast.Call, words: list[str]) -> bool:
    """Return True if a filter by `role` or `ends_on` is about memberships."""
    return "memberships" in words or "Membership" in ast.unparse(call) or "membership" in ast.unparse(call)


def test_no_other_module_compares_roles_dates_or_practice_clubs():
    modules = [module for module in MODULES if within(module, APPS)]
    assert len(modules) > 600
    assert [
        (module, thing, line)
        for module in modules
        for thing, line in find_comparisons(module, MODULES[module].read_text())
        if (module, thing) not in NAMED
    ] == []


@pytest.mark.parametrize(("module", "thing"), NAMED)
def test_each_named_exception_is_still_there(module, thing):
    assert thing in {found for found, _ in find_comparisons(module, MODULES[module].read_text())}


@pytest.mark.parametrize(
    "source",
    [
        "def may(member): return member.role == 'director'",
        "def may(role): return role in ('director',) or 'helper' == role",
        "from clubs.roles import DIRECTOR as D\ndef may(role): return role == D",
        "from clubs.models import Membership\ndef may(role): return role is Membership.Role.HELPER",
        "def may(member, today): return member.ends_on is None or member.ends_on >= today",
        "from clubs.models import Membership\nasked = Membership.objects.filter(role='director')",
        "asked = Club.objects.filter(memberships__ends_on=None)",
        "def real(club): return club.practice_of_id or club.pk",
        "def real(club): return club if club.practice_of is None else club.practice_of",
        "asked = Session.objects.exclude(tournament__club__practice_of=None)",
        "from clubs.models import day_of_roles\ndef over(member): return member.ends_on < day_of_roles()",
        "ASKED = 'SELECT role FROM clubs_membership WHERE user_id = %s'",
        "where = {'session__tournament__club__practice_of': None}",
    ],
)
def test_comparison_elsewhere_is_caught(source):
    assert list(find_comparisons("pages.desk.hall", source)) != []
    assert list(find_comparisons("clubs.roles", source)) == []

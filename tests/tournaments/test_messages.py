"""Every code that the code can raise has its sentence, which asks only for what the raising line gives."""

import ast
import builtins
import importlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import override

from deals.models import Line as LineChoices
from movements import Fault, Proposal
from scoring.contract import Chelem, Contract, DealResult, Poignee, ScoringError, Side, check_cards, score_deal
from scoring.plausibility import Question, base_score_questions, questions
from scoring.ranking import Line, ScoringPlay, standings
from tournaments.errors import Refused
from tournaments.models import Session, Tournament
from tournaments.words.messages import LABELS, label, say, say_line, say_question, signed
from tournaments.words.plan_sentences import FAULTS, PROPOSALS
from tournaments.words.sentences import FAMILIES, LINES, QUESTIONS, Family

ROOT = Path(__file__).parents[2]
FOLDERS = ("scoring", "movements", "deals", "clubs", "tournaments")
CODED = {**FAMILIES, Question: QUESTIONS, Fault: Family(FAULTS), Proposal: Family(PROPOSALS)}
NAMES = re.compile(r"\w*(Error|Refused|Conflict|Malformed|Question|Fault|Proposal)")
STORED_WITHOUT_A_PROPOSAL = {(Proposal, "imported"), (Proposal, "unmoved")}
CODES_IN_VARIABLES = {
    ("Refused", "code"): ("player_twice", "seat_twice"),
    ("ExchangeError", "code"): ("duplicate_card", "size"),
    ("ExchangeError", "wrong"): ("rank", "trump"),
}


@dataclass(frozen=True, slots=True)
class Site:
    """A call that makes something with a code; `params` are the names it gives, None where they cannot be read off."""

    where: str
    kind: type
    code: str
    params: frozenset[str] | None

    @property
    def texts(self) -> list[Any]:
        """The sentence of this code: of the class itself, or of the nearest base that has one."""
        families = [CODED[base].texts for base in self.kind.__mro__ if base in CODED]
        return [texts[self.code] for texts in families if self.code in texts][:1]

    def __str__(self) -> str:
        return f"{self.where}:{self.code}"


def sites() -> Iterator[Site]:
    """Every code in the code base, tests apart, of a class that `say` or `say_question` has sentences for.

    A class of the deals or the movements lists its codes, each with a text that names its params; of the others every
    call is looked up.
    """
    kinds: set[type] = set()
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for call in likely_calls(path):
                name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
                kind = getattr(importlib.import_module(name), ast.unparse(call.func), None)
                if not isinstance(kind, type) or not any(base in CODED for base in kind.__mro__):
                    continue
                if hasattr(kind, "messages"):
                    kinds.add(kind)
                else:
                    for code in codes_of(call):
                        yield Site(f"{name}:{call.lineno}", kind, code, params_of(call))
    for kind in sorted(kinds, key=lambda kind: kind.__name__):
        for code, text in kind.messages.items():  # type: ignore[attr-defined]
            yield Site(kind.__name__, kind, code, frozenset(params_asked(text)))


def likely_calls(path: Path) -> Iterator[ast.Call]:
    """Calls by a name that may be one of a coded class; scripts that have none are not imported."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if NAMES.fullmatch(name) and not hasattr(builtins, name):
                yield node


def codes_of(call: ast.Call) -> tuple[str, ...]:
    if isinstance(call.args[0], ast.Constant):
        return (str(call.args[0].value),)
    return CODES_IN_VARIABLES[ast.unparse(call.func), ast.unparse(call.args[0])]


def params_of(call: ast.Call) -> frozenset[str] | None:
    """Keywords, and the keys of a mapping written out; a code and a field are the only other arguments."""
    names: list[str | None] = ["field", *(keyword.arg for keyword in call.keywords)]
    rest = call.args[1:]
    if rest and isinstance(mapping := rest[-1], ast.Dict):
        names += [str(key.value) if isinstance(key, ast.Constant) else None for key in mapping.keys]
    elif len(rest) > 1:
        return None
    return None if None in names else frozenset(name for name in names if name is not None)


class Asked(dict[str, int]):
    """Notes which params a sentence asks for, and answers each with a number that chooses a plural."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number, self.names = number, set[str]()

    def __missing__(self, name: str) -> int:
        self.names.add(name)
        return self.number


def params_asked(text: Any) -> set[str]:
    one, many = Asked(1), Asked(2)
    assert text % one
    assert text % many
    return one.names | many.names


SITES = list(sites())


def test_the_search_finds_every_kind_of_coded_thing() -> None:
    assert {base for site in SITES for base in site.kind.__mro__ if base in CODED} == set(CODED)


@pytest.mark.parametrize("site", SITES, ids=str)
def test_every_code_raised_has_a_sentence(site: Site) -> None:
    assert len(site.texts) == 1


@pytest.mark.parametrize("site", [site for site in SITES if site.params is not None], ids=str)
def test_a_sentence_asks_only_for_params_that_are_given(site: Site) -> None:
    assert params_asked(site.texts[0]) - (site.params or set()) == set()


def test_no_sentence_is_written_for_a_code_that_nobody_raises() -> None:
    raised = {(base, site.code) for site in SITES for base in site.kind.__mro__ if base in CODED}
    written = {(kind, code) for kind, family in CODED.items() for code in family.texts}
    assert written - raised == STORED_WITHOUT_A_PROPOSAL


GARDE = DealResult(players=4, contract=Contract.GARDE, bouts=2, half_points=98)
PLAY = ScoringPlay(board=1, north="A", east="B", south="C", west="D", taker=Line.N, base_score=56)


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(ScoringError) as caught:
        call()
    return say(caught.value)


# Where the params are put together at run time, the sentence is read off a real case.
ASSEMBLED = {
    "points_too_high": (
        lambda: score_deal(replace(GARDE, bouts=0, half_points=180)),
        "Garde with 0 bouts: the attack has at most 78 points, not 90. Check the points and the bouts.",
    ),
    "points_too_low": (
        lambda: score_deal(replace(GARDE, players=3, half_points=17, bouts=3)),
        "Garde with 3 bouts: the attack has at least 13 points, not 8.5. Check the points and the bouts.",
    ),
    "chelem_made_points": (
        lambda: score_deal(replace(GARDE, chelem=Chelem.ANNOUNCED_MADE)),
        "Garde: the points of a chelem made are 87 (bouts: 2), 91 (bouts: 3), not 49."
        " Check the chelem, the points and the bouts.",
    ),
    "chelem_failed_points": (
        lambda: score_deal(replace(GARDE, bouts=3, half_points=182, chelem=Chelem.ANNOUNCED_FAILED)),
        "Garde: a chelem that failed left the defence a trick, hence the attack at most 89 points, not 91."
        " Check the chelem, the points and the bouts.",
    ),
    "chelem_suffered_points": (
        lambda: score_deal(replace(GARDE, chelem=Chelem.SUFFERED)),
        "Garde: the attack’s points in a chelem suffered are 3–19 (bouts: 0), 7–23 (bouts: 1), not 49."
        " Check the chelem, the points and the bouts.",
    ),
    "trick_for_each": (
        lambda: check_cards(replace(GARDE, bouts=0, half_points=156)),
        "Garde with 0 bouts: once each side has a trick, the attack has 5 to 77 points, not 78."
        " Did one side win every trick? Then say the chelem; otherwise check the points and the bouts.",
    ),
    "petit_without_bout": (
        lambda: check_cards(replace(GARDE, bouts=0, petit_au_bout=Side.ATTACK)),
        "The petit au bout goes to the attack, who have no bout: the Petit would be one."
        " Check the petit au bout and the bouts.",
    ),
    "player_twice": (
        lambda: standings([replace(PLAY, west="A")]),
        "A sits twice at the same table, on North and West: correct one of the names.",
    ),
    "player_on_two_lines": (
        lambda: standings([PLAY, replace(PLAY, north="E", west="A")]),
        "A sits on West here and on North before. A player keeps one line: correct the name or the line.",
    ),
}


@pytest.mark.parametrize("code", ASSEMBLED)
def test_a_sentence_with_assembled_params_reads_well(code: str) -> None:
    raising, expected = ASSEMBLED[code]
    with override("en"):
        assert refused(raising) == expected


def test_every_scoring_site_whose_params_cannot_be_read_off_has_a_real_case() -> None:
    assert {site.code for site in SITES if site.params is None and site.kind is ScoringError} == set(ASSEMBLED)


def test_points_are_written_as_the_language_writes_decimals() -> None:
    with override("fr"):
        assert "90,5" in refused(lambda: score_deal(replace(GARDE, players=3, bouts=0, half_points=181)))


ASKED = [
    *questions(replace(GARDE, bouts=0, petit_au_bout=Side.ATTACK, half_points=4)),
    *questions(replace(GARDE, bouts=3, half_points=182, poignees_attack=(Poignee.TRIPLE,))),
    *questions(replace(GARDE, half_points=174, chelem=Chelem.UNANNOUNCED_MADE)),
    *base_score_questions(57, Contract.GARDE),
    *base_score_questions(582, Contract.GARDE),
]


def test_every_question_is_asked_in_words() -> None:
    assert {question.code for question in ASKED} == set(QUESTIONS.texts)
    with override("en"):
        assert {say_question(question).count("%(") for question in ASKED} == {0}
        assert say_question(ASKED[-2]) == (
            "Garde: no result gives 57. Is the figure right, and not multiplied by three?"
        )


def test_every_line_of_a_score_is_told() -> None:
    result = replace(
        GARDE, petit_au_bout=Side.ATTACK, poignees_attack=(Poignee.SIMPLE,), chelem=Chelem.ANNOUNCED_FAILED
    )
    with override("en"):
        assert [(say_line(line), signed(line.amount)) for line in score_deal(result).lines] == [
            ("Garde made by 8 with 2 bouts: (25 + 8) × 2", "+66"),
            ("Petit au bout to the attack: 10 × 2", "+20"),
            ("Simple poignée shown by the attack", "+20"),
            ("Chelem announced and failed", "−200"),
        ]
        failed = score_deal(replace(GARDE, bouts=1)).lines[0]
        assert say_line(failed) == "Garde failed by 2 with 1 bout: −(25 + 2) × 2"
    assert set(LINES.texts) == {"made", "failed", "petit_au_bout", "poignee", "chelem"}


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("contract", list(Contract)),
        ("side", list(Side)),
        ("poignee", list(Poignee)),
        ("chelem", list(Chelem)),
        ("line", list(Line)),
        ("letter", list(Line)),
        ("status", Session.Status.values),
        ("auction", Tournament.Auction.values),
        ("state", ["missing", "later", "not_played", "entered", "scored", "annulled"]),
    ],
)
def test_labels_name_exactly_the_values_there_are(kind: str, values: list[str]) -> None:
    assert list(LABELS[kind]) == [str(value) for value in values]


def test_labels_of_lines_are_those_of_the_rows() -> None:
    with override("en"):
        assert [(value, label("line", value)) for value in LineChoices] == [
            (choice.value, str(choice.label)) for choice in LineChoices
        ]


def test_an_unknown_code_or_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="no message for Refused 'no_such_code'"):
        say(Refused("no_such_code"))
    with pytest.raises(KeyError):
        label("contract", "petite")


@pytest.mark.parametrize(("score", "text"), [(106, "+106"), (-42, "−42"), (0, "0")])
def test_a_score_stands_under_its_sign(score: int, text: str) -> None:
    assert signed(score) == text

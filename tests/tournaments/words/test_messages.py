"""The texts of errors: each code has one, with only the params of the line that raises it; and other sentences."""

import ast
import datetime as dt
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import polib
import pytest
from django.utils.translation import override

import clubs.teams  # noqa: F401  nothing of the site asks for teams yet
import config.urls  # noqa: F401  this loads the whole site, and so every class of errors
import movements.teams  # noqa: F401  as above
from clubs.errors import AccountRefused
from deals.domain.reading import ExchangeError, JsonPlace, TextPlace
from evenings.plays.state import VIEWS
from scoring.contract import Chelem, Contract, DealResult, Poignee, ScoringError, Side, check_cards, score_deal
from scoring.formats import QUADRETTES
from scoring.plausibility import ask_about_result, base_score_questions, sheet_questions
from scoring.ranking import Line, ScoringPlay, standings
from tests.law.breaches import OURS
from tournaments.errors import ActionRefused
from tournaments.rules.entry import Bout
from tournaments.words.messages import LABELS, label, say, say_line, say_question, show_signed
from tournaments.words.sentences import LINES, QUESTIONS
from wording import CodedText, Plural, Refusal, Text

ROOT = Path(__file__).parents[3]
FOLDERS = ("scoring", "referee", "bots", "movements", "deals", "clubs", "rooms", *OURS)
CATALOGUE = ROOT / "tournaments" / "locale" / "fr" / "LC_MESSAGES" / "django.po"
# Calls with the code in a variable, by the class or function that is called.
IN_VARIABLES = {
    ("AnswerError", "code"): ("card", "choice"),
    ("ActionRefused", "code"): ("player_twice", "seat_twice"),
    ("ExchangeError", "code"): ("duplicate_card", "size"),
    ("ExchangeError", "wrong"): ("rank", "trump"),
    ("ScoringError", "error.code"): ("two_teams",),
    ("TeamError", "code"): ("team_size", "team_size_range"),
    ("RosterError", "code"): ("roster_unclear", "roster_doubt"),
    ("TypedError", "error.code"): ("suits", "rank", "trump"),
    ("UploadRefused", "refusal"): ("upload_time", "upload_busy", "upload_parts"),  # of the class that the caller names
    ("NotationError", "code"): ("duplicate_card", "size"),
    ("AccountRefused", "why"): ("longer_than_yours_to_help", "not_yours_to_help", "not_to_be_helped"),
    ("AccountRefused", "f'password_link_{over}'"): (
        "password_link_used",
        "password_link_revoked",
        "password_link_expired",
        "password_link_maker_gone",
    ),
    ("CashRefused", "f'prize_list_{error.reason}'"): (
        "prize_list_line",
        "prize_list_category",
        "prize_list_places",
        "prize_list_amount",
        "prize_list_twice",
        "prize_list_shares",
        "prize_list_many",
    ),
    ("PlanFault", "OF_GAMES.get(code, code) if in_games else code"): (
        *("absent", "badge", "barometer", "etui_twice", "etuis", "itself", "line", "mates", "replayed", "rests"),
        *("seated_twice", "seats", "size", "stranger", "twice", "unknown"),
    ),
    ("LineFault", "OF_LINES.get(code, code)"): ("stranger", "astray", "seated_twice", "replayed"),
    ("AccountRefused", "f'player_link_{over}'"): ("player_link_used", "player_link_revoked", "player_link_expired"),
    ("AccountRefused", "f'invitation_{over}'"): ("invitation_used", "invitation_revoked", "invitation_expired"),
}


def kinds_of(base: type[CodedText]) -> Iterator[type[CodedText]]:
    for kind in base.__subclasses__():
        yield kind
        yield from kinds_of(kind)


KINDS = {kind.__name__: kind for kind in kinds_of(CodedText) if kind is not Refusal}


@dataclass(frozen=True, slots=True)
class Raised:
    """A line that raises an error. `params` has the names that it gives, or None if the code does not show them."""

    where: str
    kind: type[CodedText]
    code: str
    params: frozenset[str] | None

    @property
    def text(self) -> Text:
        """The text of the error. `KeyError` if its class has no text for the code."""
        error = self.kind.__new__(self.kind)
        object.__setattr__(error, "code", self.code)
        return error.text


@cache
def raised() -> list[Raised]:
    """Return every error that the code raises, without the tests."""
    made = []
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text())):
            named = isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
            if named and (kind := KINDS.get(call.func.id)):
                where = f"{path.relative_to(ROOT)}:{call.lineno}"
                made += [Raised(where, kind, code, params_of(call)) for code in codes_of(call)]
    assert len(made) > 200  # the search has found the calls
    return made


def codes_of(call: ast.Call) -> tuple[str, ...]:
    if isinstance(call.args[0], ast.Constant):
        return (str(call.args[0].value),)
    return IN_VARIABLES[ast.unparse(call.func), ast.unparse(call.args[0])]


def params_of(call: ast.Call) -> frozenset[str] | None:
    """Return the names of the keywords and of the keys of a mapping; other arguments are a code and a field only."""
    names: list[str | None] = ["field", *(keyword.arg for keyword in call.keywords)]
    rest = call.args[1:]
    if rest and isinstance(mapping := rest[-1], ast.Dict):
        names += [str(key.value) if isinstance(key, ast.Constant) else None for key in mapping.keys]
    elif len(rest) > 1 or ast.unparse(call.func) in ("LineFault", "PlanFault"):
        return None
    return None if None in names else frozenset(name for name in names if name is not None)


def asked(text: Text) -> set[str]:
    """Return the params that a text asks for, also the one that decides between singular and plural."""
    if isinstance(text, Plural):
        return {text.by, *asked(text.one), *asked(text.other)}
    return set(re.findall(r"%\((\w+)\)", text))


TEXTS = [(kind, code, text) for kind in KINDS.values() for code, text in vars(kind).get("messages", {}).items()]


@pytest.mark.nightly("story")
def test_every_code_raised_has_a_text_that_asks_only_for_params_that_are_given() -> None:
    missing = {made.where: asked(made.text) - made.params for made in raised() if made.params is not None}
    assert {where: params for where, params in missing.items() if params} == {}
    assert [made.where for made in raised() if not made.text] == []


def test_no_text_is_written_for_a_code_that_nobody_raises() -> None:
    used = {(base, made.code) for made in raised() for base in made.kind.__mro__}
    used |= {(kind, code) for (name, _), codes in IN_VARIABLES.items() for kind in [KINDS[name]] for code in codes}
    assert [(kind.__name__, code) for kind, code, _text in TEXTS if (kind, code) not in used] == []


def test_every_text_is_in_the_catalogue_hence_marked_and_translated() -> None:
    known = {(entry.msgid, entry.msgid_plural) for entry in polib.pofile(str(CATALOGUE)) if entry.translated()}
    ids = [(text.one, text.other) if isinstance(text, Plural) else (text, "") for _kind, _code, text in TEXTS]
    assert [told for told in ids if told not in known] == []


@pytest.mark.nightly("story")
def test_a_text_is_written_once() -> None:
    written = [text for path in (ROOT / folder for folder in FOLDERS) for text in literals(path)]
    ids = {text.other if isinstance(text, Plural) else text for _kind, _code, text in TEXTS}
    assert {text for text in ids if written.count(text) != 1} == set()


def literals(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


GARDE = DealResult(players=4, contract=Contract.GARDE, bouts=2, half_points=98)
PLAY = ScoringPlay(etui=1, seats=("A", "B", "C", "D"), taker=Line.N, base_score=56)

TEAM_PLAY = PLAY._replace(seats=("A", "B", "B", "B"))


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(ScoringError) as caught:
        call()
    return say(caught.value)


# Some params are put together at run time. Their sentences are checked on real cases.
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
        "Garde: a chelem made gives 87 (bouts: 2), 91 (bouts: 3) points, not 49. Check the chelem, the "
        "points and the bouts.",
    ),
    "chelem_failed_points": (
        lambda: score_deal(replace(GARDE, bouts=3, half_points=182, chelem=Chelem.ANNOUNCED_FAILED)),
        "Garde: a failed chelem leaves the defence a trick, so the attack has at most 89 points, not 91. "
        "Check the chelem, the points and the bouts.",
    ),
    "chelem_suffered_points": (
        lambda: score_deal(replace(GARDE, chelem=Chelem.SUFFERED)),
        "Garde: a chelem suffered leaves the attack 3–19 (bouts: 0), 7–23 (bouts: 1) points, not 49. Check "
        "the chelem, the points and the bouts.",
    ),
    "trick_for_each": (
        lambda: check_cards(replace(GARDE, bouts=0, half_points=156)),
        "Garde with 0 bouts: when each side has a trick, the attack has 5 to 77 points, not 78. Did one side "
        "win every trick? Then enter the chelem; otherwise check the points and the bouts.",
    ),
    "petit_without_bout": (
        lambda: check_cards(replace(GARDE, bouts=0, petit_au_bout=Side.ATTACK)),
        "The petit au bout goes to the attack, which has no bout, although the Petit is one. Check the petit au "
        "bout and the bouts.",
    ),
    "player_twice": (
        lambda: standings([PLAY._replace(seats=("A", "B", "C", "A"))]),
        "A has two seats at the same table, North and West: correct one of the names.",
    ),
    "player_on_two_lines": (
        lambda: standings([PLAY, PLAY._replace(seats=("E", "B", "C", "A"))]),
        "A sits on West here and on North before. Players keep their line: correct the name or the line.",
    ),
    "half_twice": (
        lambda: standings([TEAM_PLAY, TEAM_PLAY._replace(base_score=50)], QUADRETTES),
        "A attacks B twice on étui 1. Remove one of the two results, or correct its étui.",
    ),
}


@pytest.mark.parametrize("code", ASSEMBLED)
def test_a_sentence_with_assembled_params_reads_well(code: str) -> None:
    raising, expected = ASSEMBLED[code]
    with override("en"):
        assert refused(raising) == expected


def test_every_line_of_scoring_whose_params_cannot_be_read_off_has_a_real_case() -> None:
    assert {made.code for made in raised() if made.params is None and made.kind is ScoringError} == set(ASSEMBLED)


def test_points_are_written_as_the_language_writes_decimals() -> None:
    with override("fr"):
        assert "90,5" in refused(lambda: score_deal(replace(GARDE, players=3, bouts=0, half_points=181)))


@pytest.mark.parametrize(
    ("language", "written"), [("fr", "prend fin le 28 novembre 2026,"), ("en", "28 November 2026,")]
)
def test_a_day_is_written_as_the_language_writes_it(language: str, written: str) -> None:
    with override(language):
        assert written in say(AccountRefused("longer_than_yours", "ends_on", day=dt.date(2026, 11, 28)))


ASKED = [
    *base_score_questions(198, Contract.GARDE),
    *sheet_questions([1, -1, 0, 0], 4),
    *ask_about_result(replace(GARDE, bouts=0, petit_au_bout=Side.ATTACK, half_points=4)),
    *ask_about_result(replace(GARDE, bouts=3, half_points=182, poignees_attack=(Poignee.TRIPLE,))),
    *ask_about_result(replace(GARDE, bouts=0, half_points=12, poignees_attack=(Poignee.DOUBLE,))),
    *ask_about_result(replace(GARDE, half_points=166, poignees_defence=(Poignee.DOUBLE,))),
    *ask_about_result(replace(GARDE, half_points=174, chelem=Chelem.UNANNOUNCED_MADE)),
    *base_score_questions(57, Contract.GARDE),
    *base_score_questions(582, Contract.GARDE),
]


def test_every_question_is_asked_in_words() -> None:
    assert {question.code for question in ASKED} == set(QUESTIONS.texts)
    with override("en"):
        assert {say_question(question).count("%(") for question in ASKED} == {0}
        assert say_question(ASKED[-2]) == (
            "Garde: no result gives 57. Is the amount right, and not multiplied by three?"
        )


def test_every_line_of_a_score_is_told() -> None:
    result = replace(
        GARDE, petit_au_bout=Side.ATTACK, poignees_attack=(Poignee.SIMPLE,), chelem=Chelem.ANNOUNCED_FAILED
    )
    with override("en"):
        assert [(say_line(line), show_signed(line.amount)) for line in score_deal(result).lines] == [
            ("Garde made by 8 with 2 bouts: (25\u00a0+\u00a08)\u00a0×\u00a02", "+66"),
            ("Petit au bout to the attack: 10 × 2", "+20"),
            ("Simple poignée shown by the attack", "+20"),
            ("Chelem announced and failed", "−200"),
        ]
        failed = score_deal(replace(GARDE, bouts=1)).lines[0]
        assert say_line(failed) == "Garde failed by 2 with 1 bout: −(25\u00a0+\u00a02)\u00a0×\u00a02"
    with override("fr"):
        assert say_line(failed).startswith("Garde chutée de 2 avec 1 bout")
    assert set(LINES.texts) == {"made", "failed", "petit_au_bout", "poignee", "chelem"}


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("contract", list(Contract)),
        ("side", list(Side)),
        ("poignee", list(Poignee)),
        ("chelem", list(Chelem)),
        ("bout", list(Bout)),
    ],
)
def test_labels_name_exactly_the_values_there_are(kind: str, values: list[str]) -> None:
    assert list(LABELS[kind]) == [str(value) for value in values]


def test_every_state_that_lists_and_standings_tell_has_a_name() -> None:
    assert set(LABELS["state"]) == {name for view in VIEWS.values() for name in (view.listed, view.counted)}


def test_an_unknown_code_or_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="no message for ActionRefused 'no_such_code'"):
        say(ActionRefused("no_such_code"))
    with pytest.raises(KeyError):
        label("contract", "petite")


@pytest.mark.parametrize(
    ("place", "english", "french"),
    [
        (TextPlace(2, 3), "Line 2, column 3", "Ligne\u00a02, colonne\u00a03"),
        (JsonPlace("boards[1].deal"), "In boards[1].deal", "Dans boards[1].deal"),
    ],
)
def test_a_place_is_named_in_the_language(place: TextPlace | JsonPlace, english: str, french: str) -> None:
    error = ExchangeError("seed", place=place)
    assert str(error) == f"{english}: the secret draw must have 64 hexadecimal digits."
    with override("fr"):
        said = "le tirage secret («\u00a0seed\u00a0») doit compter 64 chiffres hexadécimaux."
        assert say(error) == f"{french}\u00a0: {said}"

"""The exercises of the handbook. An answer is a query: the page stores nothing, and needs no script and no cookie."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from handbook.answers import (
    CARDS_CHOSEN,
    MANY,
    MOST_ANSWERS,
    MOST_LETTERS,
    PASS,
    TYPED,
    AnswerError,
    Verdict,
    judge_answer,
    list_options,
)
from handbook.deals import ShownDeal, find_card
from handbook.exercises import Exercise, Kind
from handbook.pages import Block
from handbook.words import find_language, list_exercises, open_deal, open_exercise
from pages.everybody import answer_everybody
from pages.parts.cards import CardFace, face
from pages.public.handbook.drawing import DrawnDeal, make_drawing, name_page, stamp_handbook
from pages.report_pages import find_neighbours
from tournaments.words.messages import label, say


@dataclass(frozen=True, slots=True)
class Option:
    """An answer to choose: its key, its text or its card, and whether the reader has chosen it."""

    key: str
    text: str
    is_chosen: bool
    card: CardFace | None = None


@dataclass(frozen=True, slots=True)
class DrawnExercise:
    """An exercise as pages draw it, with the reader's answer if there is one."""

    exercise: Exercise
    question: str
    drawn: DrawnDeal | None
    cards: list[CardFace]
    options: list[Option]
    is_typed: bool
    typed: str = ""
    error: str = ""
    verdict: Verdict | None = None
    right: str = ""
    reasons: tuple[str, ...] = ()
    is_many: bool = False
    has_cards: bool = False


@require_safe
def exercises(request: HttpRequest) -> HttpResponse:
    """List all exercises by their pages."""

    def build(request: HttpRequest) -> HttpResponse:
        language = find_language()
        found: dict[str, list[tuple[str, str]]] = {}
        for exercise in list_exercises():
            found.setdefault(exercise.page, []).append((exercise.key, exercise.questions[language]))
        context = {"groups": [(name_page(slug), rows) for slug, rows in found.items()]}
        return render(request, "public/rules/exercises.html", context)

    return answer_everybody(request, stamp_handbook(), build)


@require_safe
def exercise(request: HttpRequest, key: str) -> HttpResponse:
    """Show one exercise, with the verdict on the answer in the address."""
    try:
        found = open_exercise(key)
    except KeyError:
        raise Http404 from None
    given = [each.strip()[:MOST_LETTERS] for each in request.GET.getlist("answer")[:MOST_ANSWERS]]

    def build(request: HttpRequest) -> HttpResponse:
        context = {"exercise": draw_exercise(found, given, judged="answer" in asked), "page": name_page(found.page)}
        _before, after = find_neighbours([each.key for each in list_exercises()], key)
        return render(request, "public/rules/exercise.html", context | {"after": after})

    asked = {"answer": " ".join(given) or " "} if "answer" in request.GET else {}
    return answer_everybody(request, stamp_handbook(), build, asked, kept=not asked)


def draw_block(block: Block) -> DrawnExercise:
    """Return the exercise of a block, without an answer."""
    return draw_exercise(open_exercise(block.key), ())


def draw_exercise(exercise: Exercise, given: Sequence[str], *, judged: bool = False) -> DrawnExercise:
    """Return an exercise as pages draw it. If `judged`, it has the verdict on the given answers, or an error."""
    language = find_language()
    deal = open_deal(exercise.deal) if exercise.deal else None
    drawn = DrawnExercise(
        exercise=exercise,
        question=exercise.questions[language],
        drawn=make_drawing(deal, deal.tricks[: exercise.tricks], shows_winner=exercise.kind != Kind.WINNER)
        if deal
        else None,
        cards=[face(card) for card in exercise.cards],
        options=[make_option(exercise, key, key in given) for key in list_options(exercise, deal)],
        is_typed=exercise.kind in TYPED,
        is_many=exercise.kind in MANY,
        has_cards=exercise.kind in CARDS_CHOSEN,
        typed=given[0] if given else "",
    )
    return judge(drawn, deal, given) if judged else drawn


def make_option(exercise: Exercise, key: str, is_chosen: bool) -> Option:
    """Return an answer to choose, by its key."""
    if exercise.kind in CARDS_CHOSEN:
        return Option(key, "", is_chosen, face(find_card(key)))
    if exercise.kind == Kind.CHOICE:
        text = next(choice for choice in exercise.choices if choice.key == key).texts[find_language()]
    elif exercise.kind == Kind.WINNER:
        text = label("line", key)
    elif exercise.kind == Kind.POIGNEE:
        text = label("poignee", key)
    else:
        text = _("Pass") if key == PASS else label("contract", key)
    return Option(key, text, is_chosen)


def judge(drawn: DrawnExercise, deal: ShownDeal | None, given: Sequence[str]) -> DrawnExercise:
    """Return the drawn exercise with the verdict on the answers, or with the error of answers that cannot be read."""
    try:
        verdict = judge_answer(drawn.exercise, deal, given)
    except AnswerError as error:
        return replace(drawn, error=say(error))
    reasons = [verdict.choice.reasons[find_language()]] if verdict.choice else []
    reasons += [f"{say(refusal)} ({refusal.source.partition(',')[0]})" for refusal in verdict.refusals]
    reasons += [say(verdict.note)] if verdict.note else []
    return replace(drawn, verdict=verdict, right=name_right(drawn, verdict), reasons=tuple(reasons))


def name_right(drawn: DrawnExercise, verdict: Verdict) -> str:
    """Return the right answer in words."""
    if not verdict.right:
        return _("any écart without a Roi, a bout or a trump")
    names: dict[str, Any] = {option.key: option.text or option.key for option in drawn.options}
    return ", ".join(str(names.get(key, key)).replace("-", "−") for key in verdict.right)

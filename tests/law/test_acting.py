"""The law of pages that act: `pages.acting` or the door of the page shows a refusal, in one way."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.law.packages import MODULES, within

PAGES = Path(__file__).parents[2] / "pages"
MACHINERY = ("acting.py", "doors.py")
MOST_CAUGHT = 40

# Each function of a page that catches a refusal itself, and why. The list only gets shorter.
BESIDE = "the page has no form on which the reason could stand, and shows it in its place"
CONFLICT = "the answer is a 409, which a script and a test of the page read"
OVER = "the link no longer works: another page with its own status says so"
ROWS = "a row of many is refused, and the page shows the reason beside it"
WARNS = "the step is done: what is still lacking is a warning"
CAUGHT = {
    "accounts/own.py::account_erase": CONFLICT,
    "accounts/first_run.py::invitation": OVER,
    "accounts/own.py::password_link": OVER,
    "accounts/player.py::player_confirm": OVER,
    "accounts/player.py::player_link": OVER,
    "cash/pages.py::cash_give_back": "a missing reason opens the field for it at the payment",
    "club/licences.py::clean_file": "a field is read, which Django refuses by a ValidationError",
    "club/player_data.py::player_erase": CONFLICT,
    "files/club_files.py::club_file_content": "the answer is a file: its page says why it is refused",
    "files/wanted.py::ask_published_file": "readers without an account ask, too: another page says so",
    "games/page.py::show_next_game": "the page shows why nobody can be seated, and what can be done",
    "parts/own_line_ups.py::hand_in_posted": ROWS,
    "parts/ranking_steps.py::answer_publishing": BESIDE,
    "personal/pages.py::find": "the door of a personal link, whose pages show no messages",
    "personal/pages.py::personal_play": CONFLICT,
    "personal/pages.py::personal_shown": CONFLICT,
    "play/rulings.py::play_adjust": "the form has other names for the fields of the score",
    "play/bulk.py::save": ROWS,
    "play/entry.py::show_effect": "the preview of a correction shows the reason in its place",
    "play/records.py::play_record": "the text of a record is refused by an error of the referee, too",
    "play/records.py::write_head": "a play without a readable head has an empty record to begin with",
    "play/sheets.py::save": ROWS,
    "prepare/etuis.py::etuis": "public étuis open the field for the reason",
    "prepare/etuis.py::preview_change": WARNS,
    "prepare/teams/line_ups.py::store": ROWS,
    "prepare/teams/quarters.py::store_quarter": ROWS,
    "registration/mails.py::evening_mails": CONFLICT,
    "registration/public.py::registration_of": CONFLICT,
    "registration/public.py::sign_up": "a wrong password is counted",
    "registration/teams.py::show_member": CONFLICT,
    "roster_forms.py::answer_list": "the list is read again before the refusal is added",
    "roster_forms.py::clean_text": "a field is read, which Django refuses by a ValidationError",
    "series/directors.py::series_clubs": BESIDE,
    "series/directors.py::series_events": BESIDE,
    "sets/sets.py::use": WARNS,
    "simultaneous/directors.py::simultaneous_join": BESIDE,
    "simultaneous/directors.py::simultaneous_clubs": BESIDE,
}


def find_handlers(source: str) -> Iterator[tuple[str, ast.ExceptHandler]]:
    """Yield each `except` that names a refusal, with the name of the innermost function around it."""

    def walk(node: ast.AST, function: str) -> Iterator[tuple[str, ast.ExceptHandler]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ExceptHandler) and child.type and "Refus" in ast.unparse(child.type):
                yield function, child
            yield from walk(child, child.name if isinstance(child, ast.FunctionDef) else function)

    return walk(ast.parse(source), "")


def read_pages() -> dict[str, str]:
    """Return the source of each module of pages, by its path in the package."""
    paths = [path for path in sorted(PAGES.rglob("*.py")) if str(path.relative_to(PAGES)) not in MACHINERY]
    return {str(path.relative_to(PAGES)): path.read_text() for path in paths}


def test_pages_leave_refusals_to_the_helpers_and_to_their_doors():
    found = [f"{path}::{function}" for path, text in read_pages().items() for function, _ in find_handlers(text)]
    assert sorted(set(found)) == sorted(CAUGHT)
    assert len(found) <= MOST_CAUGHT


def test_helpers_of_pages_that_act_are_few():
    assert len((PAGES / "acting.py").read_text().splitlines()) <= 60


def test_no_page_adds_a_refusal_to_its_form_by_hand():
    own_names = {"play/rulings.py::play_adjust", "play/records.py::play_record"}
    found = {
        f"{path}::{function}"
        for path, text in read_pages().items()
        for function, handler in find_handlers(text)
        if ".add_error(" in ast.unparse(handler)
    }
    assert found == own_names


def test_no_page_leads_from_a_practice_club_to_the_real_one_by_hand():
    by_hand = re.compile(r"if (\w+\.)*is_practice:\n\s+return (\w+, )?redirect")
    assert [path for path, text in read_pages().items() if by_hand.search(text)] == []


def test_the_law_of_pages_sees_what_it_forbids():
    page = "def page(form):\n try:\n  act()\n except (A, FeeRefused) as no:\n  form.add_error(None, say(no))"
    assert [(function, ".add_error(" in ast.unparse(handler)) for function, handler in find_handlers(page)] == [
        ("page", True)
    ]


def tells_a_count(call: ast.Call) -> bool:
    """Return whether a call tells a success with a number of rows, which may be 0."""
    is_success = ast.unparse(call.func) in {"messages.success", "done"}
    return is_success and any(
        isinstance(text, ast.BinOp) and isinstance(text.right, ast.Dict)
        and {ast.unparse(key) for key in text.right.keys if key is not None} & {"'count'", "'n'"}
        for text in call.args
    )  # fmt: skip


def find_counts_told(sources: dict[str, str]) -> set[str]:
    return {
        f"{name}: {ast.unparse(node.args[-1])[:60]}"
        for name, source in sources.items()
        if re.search(r"""['"](?:count|n)['"]:""", source)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and tells_a_count(node)
    }


def test_no_page_tells_as_a_success_that_nothing_was_done():
    """Check that numbers are told by `tell_counted`, which says in no green box that nothing has changed."""
    sources = {name: path.read_text() for name, path in MODULES.items() if within(name, ("pages", "rooms.web"))}
    assert find_counts_told(sources) == {"pages.roster_rows: text % {'count': count}"}


def test_planted_count_is_found():
    source = "def end(request, n):\n    return done(request, _('%(count)s deals are lost.') % {'count': n}, 'home')\n"
    assert len(find_counts_told({"pages.planted": source})) == 1

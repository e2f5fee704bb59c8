"""The two lanes: which tests run in which, and what lets a run fail. Each test runs pytest on a small file."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.lanes import budget, metering
from tests.lanes.choosing import REASONS, is_nightly_file
from tests.lanes.metering import measure_used

pytest_plugins = ["pytester"]
PLUGINS = ("-p", "tests.lanes.choosing", "-p", "tests.lanes.budget", "-p", "no:django", "-p", "no:xdist")
spent = SimpleNamespace(seconds=0.0)
MARKED = """
import pytest

def test_quick(): ...

@pytest.mark.nightly("race")
def test_nightly(): ...

@pytest.mark.guard("nothing else notices it")
def test_guard(): ...
"""
DEAR = "from tests.lanes.test_lanes import spent\nimport pytest\n"


@pytest.fixture
def run(pytester, monkeypatch):
    """Provide a function that runs a file in a lane. Its processor time is what it adds to `spent.seconds`."""
    monkeypatch.setattr(metering, "measure_used", lambda: spent.seconds)
    monkeypatch.setattr(metering, "measure_scale", lambda: 1.0)
    monkeypatch.setattr(budget, "apart", budget.Apart())
    monkeypatch.setattr(spent, "seconds", 0.0)
    (pytester.path / ".pytest_cache").mkdir()

    def run_file(source, *options):
        pytester.makepyfile(source)
        return pytester.runpytest_inprocess(*PLUGINS, *options)

    return run_file


@pytest.mark.parametrize(("lane", "names"), [("quick", ["guard", "quick"]), ("nightly", ["nightly"])])
def test_lane_runs_its_tests_alone(run, lane, names):
    result = run(MARKED, "--lane", lane, "-v")
    passed = [line for line in result.outlines if "PASSED" in line]
    assert sorted(line.split("::test_")[1].split()[0] for line in passed) == names


def test_cases_whose_id_has_a_text_are_moved_alone(run):
    source = 'import pytest\n@pytest.mark.nightly("race", only=("b", "c"))\n'
    source += '@pytest.mark.parametrize("case", ["a", "ab", "c"])\ndef test_it(case): ...'
    run(source, "--lane", "quick").assert_outcomes(passed=1, deselected=2)


@pytest.mark.nightly("story")
def test_guard_keeps_the_cases_that_are_not_moved(run):
    source = 'import pytest\n@pytest.mark.guard("x")\n@pytest.mark.nightly("race", only=("b",))\n'
    source += '@pytest.mark.parametrize("case", ["a", "b"])\ndef test_it(case): ...'
    run(source, "--lane", "quick").assert_outcomes(passed=1, deselected=1)
    run(source, "--lane", "nightly").assert_outcomes(passed=1, deselected=1)


def test_all_tests_run_without_a_lane(run):
    run(MARKED).assert_outcomes(passed=3)


@pytest.mark.parametrize(
    "mark",
    [
        'nightly("slow")',
        "nightly",
        'nightly(reason="race")',
        'nightly("race", "story")',
        "guard",
        'guard("")',
        'guard("x")\n@pytest.mark.nightly("race")',
    ],
)
def test_mark_without_a_valid_reason_is_refused(run, mark):
    result = run(f"import pytest\n@pytest.mark.{mark}\ndef test_it(): ...")
    result.assert_outcomes(errors=1)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('pytestmark = pytest.mark.nightly("race")\n', True),
        ('pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]\n', True),
        ('pytestmark = [\n    pytest.mark.django_db,\n    pytest.mark.nightly("story"),\n]\n', True),
        ('pytestmark = pytest.mark.django_db\n\n\n@pytest.mark.nightly("race")\ndef test_it(): ...\n', False),
        ('@pytest.mark.nightly("race")\ndef test_it(): ...\n', False),
    ],
)
def test_file_of_the_nightly_lane_is_known_by_its_text(source, expected):
    assert is_nightly_file(source) == expected


@pytest.mark.nightly("story")
def test_nightly_file_is_not_imported_by_the_quick_lane(run):
    source = 'import pytest\npytestmark = pytest.mark.nightly("process")\nraise ValueError\ndef test_it(): ...'
    assert run(source, "--lane", "quick").ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert run(source, "--lane", "nightly").ret == pytest.ExitCode.INTERRUPTED


def test_dear_quick_test_fails_and_is_told_what_to_do(run):
    result = run(f"{DEAR}def test_it(): spent.seconds += 0.5", "--budget")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*uses 0.50 s of processor time*make it cheap, or mark it nightly and say why*"])


@pytest.mark.parametrize(("seconds", "outcome"), [(0.44, "passed"), (0.48, "failed")])
def test_quick_test_may_cost_as_much_more_as_measurements_differ(run, seconds, outcome):
    run(f"{DEAR}def test_it(): spent.seconds += {seconds}", "--budget").assert_outcomes(**{outcome: 1})


@pytest.mark.parametrize(("seconds", "outcome"), [(0.64, "passed"), (0.65, "failed")])
def test_quick_test_may_cost_more_in_the_first_run_of_a_clone(run, pytester, seconds, outcome):
    (pytester.path / ".pytest_cache").rmdir()
    run(f"{DEAR}def test_it(): spent.seconds += {seconds}", "--budget").assert_outcomes(**{outcome: 1})


def test_test_that_pays_once_for_its_process_passes_at_its_second_try(run):
    source = f"{DEAR}paid = []\ndef test_it():\n    spent.seconds += 0.1 if paid else 5\n    paid.append(1)"
    run(source, "--budget").assert_outcomes(passed=1)


def test_second_try_of_the_last_test_keeps_the_fixtures_of_the_session(run):
    source = DEAR + "made = []\n\n@pytest.fixture(scope='session')\ndef server():\n    made.append(1)\n"
    source += "    assert len(made) == 1\n    yield\n    spent.seconds += 1\n\n"
    source += "def test_first(): ...\n\n"
    source += "def test_last(server):\n    spent.seconds += 0 if spent.seconds else 1\n"
    run(source, "--budget").assert_outcomes(passed=2)


@pytest.mark.nightly("story")
@pytest.mark.parametrize(("slow", "outcome"), [(2, "passed"), (3, "failed")])
def test_test_on_a_machine_with_other_work_has_three_tries(run, slow, outcome):
    body = f"    spent.seconds += 0.3 if len(tries) >= {slow} else 0.5\n    tries.append(1)"
    source = f"{DEAR}tries = []\ndef test_it():\n{body}"
    run(source, "--budget").assert_outcomes(**{outcome: 1})


@pytest.mark.nightly("crawl")
def test_guard_nightly_test_and_run_without_a_budget_may_be_dear(run):
    for mark, options in (('guard("x")', ["--budget"]), ('nightly("race")', ["--budget"]), ("django_db", [])):
        source = f"{DEAR}@pytest.mark.{mark}\ndef test_it(): spent.seconds += 5"
        run(source, *options, "-o", "markers=django_db").assert_outcomes(passed=1)


@pytest.mark.parametrize(("seconds", "outcome"), [(2.5, "passed"), (3.5, "failed")])
def test_set_up_that_a_file_shares_counts_apart(run, seconds, outcome):
    source = f'{DEAR}@pytest.fixture(scope="module")\ndef hall(): spent.seconds += {seconds}\ndef test_it(hall): ...'
    run(source, "--budget").assert_outcomes(**{outcome: 1})


@pytest.mark.parametrize(
    ("bound", "mark", "told"),
    [("GUARDS", "guard('x')", "Guards used 2 s"), ("LANE", "nightly('race')", "The run used 2")],
)
def test_run_that_exceeds_its_budget_fails(run, monkeypatch, bound, mark, told):
    monkeypatch.setattr(budget, bound, 1)
    result = run(f"{DEAR}@pytest.mark.{mark}\ndef test_it(): spent.seconds += 2", "--budget")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines([f"*{told}*"])


def test_each_process_above_two_may_use_more(tmp_path):
    (tmp_path / ".pytest_cache").mkdir()
    sums = budget.Sums(SimpleNamespace(getoption=lambda name: None, rootpath=tmp_path))
    allowed = []
    for _process in range(4):
        sums.add({"seconds": 1.0, "shared": 0.0, "files": {}, "left": {}})
        allowed.append(sums.lane - budget.LANE)
    assert allowed == [0, 0, budget.MORE, 2 * budget.MORE]


def test_run_says_how_much_of_its_budget_it_used(run):
    result = run(f"{DEAR}def test_it(): spent.seconds += 0.3", "--budget")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["Processor time: * of 900 s (tests: 1 quick 0 s, *"])


@pytest.mark.nightly("story")
def test_costs_of_all_tests_are_written(run, pytester):
    run(f"{DEAR}def test_one(): spent.seconds += 0.3\ndef test_two(): ...", "--costs", "costs.tsv")
    (file,) = pytester.path.glob("test_*.py")
    assert (pytester.path / "costs.tsv").read_text() == "".join(
        f"{cost}\tquick\t{file.name}::test_{name}\n" for cost, name in (("0.300", "one"), ("0.000", "two"))
    )


def test_no_test_begins_after_the_time_is_over_and_files_left_out_are_named(run):
    source = f"import time\n{DEAR}def test_one(): time.sleep(0.02)\ndef test_two(): ..."
    result = run(source, "--at-most", "0.01")
    assert "LEFT OUT for lack of time" in result.stdout.str()


@pytest.mark.nightly("story")
def test_named_files_keep_their_fixtures_in_any_order(run, pytester):
    pytester.makepyfile(**{"a/conftest": "import pytest\n@pytest.fixture\ndef hall(): return 1"})
    for path in ("a/__init__", "a/b/__init__", "test_middle", "a/test_first", "a/b/test_last"):
        pytester.makepyfile(
            **{path: "def test_hall(hall): assert hall == 1" if path[0] == "a" else "def test_it(): ..."}
        )
    result = pytester.runpytest_inprocess(*PLUGINS, "a/test_first.py", "test_middle.py", "a/b/test_last.py")
    result.assert_outcomes(passed=3)


def test_scale_is_that_of_the_moment(monkeypatch):
    scales, clock = iter([1.0, 0.5]), SimpleNamespace(now=0.0)
    monkeypatch.setattr(metering, "measure_used", lambda: spent.seconds)
    monkeypatch.setattr(metering, "measure_scale", lambda: next(scales))
    monkeypatch.setattr(metering.time, "monotonic", lambda: clock.now)
    monkeypatch.setattr(spent, "seconds", 0.0)
    used = metering.Scaled()
    for now, seconds, expected in ((10, 4.0, 4.0), (21, 6.0, 6.0), (22, 10.0, 8.0)):
        clock.now, spent.seconds = now, seconds
        assert used.read() == expected


def test_process_that_is_left_out_of_one_reading_is_counted_once(monkeypatch):
    readings = iter([5.0, 1.0, 5.5, 2.0, 2.0, 3.0])
    monkeypatch.setattr(metering, "measure_used", lambda: next(readings))
    monkeypatch.setattr(metering, "measure_scale", lambda: 1.0)
    used = metering.Scaled()
    assert [used.read() for _ in range(4)] == [5.0, 5.5, 5.5, 6.5]


def test_processor_time_of_children_counts():
    def measure_child():
        before = measure_used()
        subprocess.run([sys.executable, "-c", "sum(range(3_000_000))"], check=True)
        return measure_used() - before

    # Another process that ends meanwhile may take its seconds out of one measurement.
    assert max(measure_child() for _time in range(3)) > 0.02


def test_process_that_one_list_leaves_out_is_counted_until_it_has_ended(monkeypatch):
    """Check that the next list does not count its seconds anew."""
    program = "sum(range(3_000_000)); print(flush=True); input()"
    child = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child.stdout.readline()
    lists = iter([[child.pid], [], [child.pid], [child.pid]])
    monkeypatch.setattr(metering, "list_descendants", lambda pid: next(lists))
    monkeypatch.setattr(metering, "LISTED", -1)  # each reading lists anew
    descendants = metering.Descendants()
    assert 0 < descendants.measure() <= descendants.measure() <= descendants.measure()
    child.communicate()
    assert (descendants.measure(), descendants.files) == (0, {})


def test_reasons_are_those_of_the_guide():
    assert REASONS == ("browser", "race", "crawl", "story", "print", "process", "statistics")


@pytest.mark.nightly("story")
@pytest.mark.parametrize(("letters", "outcome"), [(80, {"passed": 1}), (81, {"errors": 1})])
def test_name_of_a_test_has_at_most_eighty_letters(run, letters, outcome):
    run(f"def {'test_'.ljust(letters, 'a')}(): ...", "-p", "tests.lanes.names").assert_outcomes(**outcome)


@pytest.mark.parametrize("case", ["a" * 100, "a" * 101, 10**100])
def test_long_names_of_cases_are_cut_and_differ(request, case):
    mine = [item.name for item in request.session.items if item.originalname == request.node.originalname]
    assert len(request.node.name) == 80
    assert mine.count(request.node.name) == 1


def test_set_up_of_a_process_is_counted_for_no_file():
    times = iter([0, 1, 4, 4.5, 6, 10])
    shared = budget.Apart(used=SimpleNamespace(read=lambda: next(times)))
    with shared.counting("a.py"), shared.counting():  # 0 to 4.5, in it 1 to 4
        pass
    with shared.counting():
        pass
    assert (shared.seconds, shared.files, shared.kept) == (4.5 + 4, {"a.py": 1.5}, 3 + 4)

"""A run of pytest in which much hangs comes to its end, and names each test that hung."""

import os
import re
import subprocess
import sys
from collections import OrderedDict
from textwrap import dedent

import pytest

from tests.services.limits import FileByFile
from tests.services.site import PROJECT

pytestmark = pytest.mark.nightly("race")

LIMITS = """\
[pytest]
faulthandler_timeout = {broken}
faulthandler_exit_on_timeout = true
test_seconds = {test}
silent_seconds = {silent}
end_seconds = {end}
"""
FILES = {
    "test_waiting.py": """
        from concurrent.futures import ThreadPoolExecutor
        from threading import Event
        ended = Event()
        def test_thread_never_answers():
            with ThreadPoolExecutor() as threads:
                try:
                    threads.submit(ended.wait).result()
                except Exception:
                    pass
        def test_after_it_passes():
            ended.set()
    """,
    "test_broken.py": """
        import os
        def test_process_ends():
            os._exit(3)
        def test_beside_it_passes():
            pass
    """,
    "test_single.py": "def test_one_passes(): pass",
    "test_torn_down.py": """
        import threading, pytest
        @pytest.fixture(scope="session")
        def server():
            yield
            threading.Event().wait()
        def test_server_never_stops(server):
            pass
    """,
}
AT_THE_END = """
    import threading
    def pytest_sessionfinish(session):
        if {where}:
            threading.Event().wait()
"""
IN_A_PROCESS = 'getattr(session.config, "workerinput", {}).get("workerid") == "gw0"'


@pytest.fixture
def run(tmp_path):
    """Return a function that runs pytest on files, and returns how it ended and what it printed."""

    def run_tests(*options, files, test=2, broken=8, silent=60, end=60):
        (tmp_path / "pytest.ini").write_text(LIMITS.format(test=test, broken=broken, silent=silent, end=end))
        for name, text in files.items():
            (tmp_path / name).write_text(dedent(text))
        command = [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "tests.services.limits", *options, "--tb=short"]
        told = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(PROJECT), "PYTEST_ADDOPTS": "", "CI": ""}
        ended = subprocess.run(
            command, cwd=tmp_path, env=os.environ | told, capture_output=True, text=True, check=False, timeout=120
        )
        return ended.returncode, ended.stdout + ended.stderr

    return run_tests


def test_test_that_hangs_or_breaks_its_process_fails_and_the_others_run(run):
    code, said = run("-n2", "--dist=loadfile", "-rfE", files=FILES)
    assert code == 1, said
    assert "test_waiting.py::test_thread_never_answers takes longer than 2 s." in said
    assert "Thread ThreadPoolExecutor-0_0:" in said
    assert "threads.submit(ended.wait).result()" in said
    assert "ERROR test_torn_down.py::test_server_never_stops" in said
    assert said.count("crashed while running 'test_broken.py::test_process_ends'") == 1
    assert re.search("2 failed, 4 passed, 1 error in ", said), said


def test_process_that_hangs_after_its_tests_is_ended_and_the_run_fails(run):
    files = {"test_one.py": "def test_one(): pass", "conftest.py": AT_THE_END.format(where=IN_A_PROCESS)}
    code, said = run("-n1", "--dist=loadfile", files=files, end=1)
    assert code == 1, said
    assert "Timeout (0:00:01)!" in said
    assert "in pytest_sessionfinish" in said
    assert "1 passed in " in said


def test_run_without_processes_that_hangs_at_its_end_is_ended(run):
    files = {"test_one.py": "def test_one(): pass", "conftest.py": AT_THE_END.format(where="True")}
    code, said = run(files=files, end=1)
    assert code == 1, said
    assert "in pytest_sessionfinish" in said


def test_thread_that_keeps_a_process_from_its_end_is_ended(run):
    hangs = """
        import threading
        def test_one():
            threading.Thread(target=threading.Event().wait, name="left behind").start()
    """
    code, said = run(files={"test_one.py": hangs}, end=1)
    assert code == 1, said
    assert "1 passed in " in said
    assert "in _shutdown" in said


def test_run_in_which_nothing_happens_ends_and_names_what_was_running(run):
    deaf = """
        import signal, threading
        def test_deaf():
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            threading.Event().wait()
    """
    code, said = run("-n1", "--dist=loadfile", files={"test_deaf.py": deaf}, broken=60, silent=10)
    assert code == pytest.ExitCode.INTERNAL_ERROR, said
    assert "Nothing has happened for 10 s. Running: test_deaf.py::test_deaf." in said


def test_test_that_python_cannot_stop_ends_its_process(run):
    deaf = """
        import signal, threading
        def test_deaf():
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            threading.Event().wait()
        def test_after_it_passes():
            pass
    """
    code, said = run("-n1", "--dist=loadfile", files={"test_deaf.py": deaf})
    assert code == 1, said
    assert "crashed while running 'test_deaf.py::test_deaf'" in said
    assert "in test_deaf" in said
    assert "1 failed, 1 passed in " in said


class BrokenOff:
    """A process that breaks off before it is given work."""

    shutting_down = False

    def send_runtest_some(self, places):
        raise BrokenPipeError

    def shutdown(self):
        self.shutting_down = True


def test_file_stays_the_next_one_if_its_process_has_just_broken_off():
    node, schedule = BrokenOff(), FileByFile.__new__(FileByFile)
    schedule.collection = ["test_one.py::test_it"]
    schedule.workqueue = OrderedDict({"test_one.py": {"test_one.py::test_it": False}})
    schedule.assigned_work, schedule.registered_collections = {node: {}}, {node: schedule.collection}
    schedule.log = lambda *_told: None
    schedule._reschedule(node)
    assert node.shutting_down
    assert (list(schedule.workqueue), schedule.assigned_work) == (["test_one.py"], {node: {}})

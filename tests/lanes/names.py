"""The plugin that keeps the names of tests short enough for one line of a report and for a command line."""

from collections.abc import Generator

import pytest

LONGEST = 80  # letters of the name of a test with its case


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Generator[None]:
    """Cut and number the names of cases with which the name of a test would exceed LONGEST letters."""
    yield
    room = LONGEST - len(f"{metafunc.function.__name__}[]")
    for number, case in enumerate(metafunc._calls):
        if len(case.id) > room:
            ending = f"~{number}"
            case._idlist[:] = [case.id[: max(0, room - len(ending))] + ending]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail a test whose own name exceeds LONGEST letters, with its case."""
    if len(item.name) > LONGEST:
        pytest.fail(f"its name has {len(item.name)} letters, at most {LONGEST}: shorten it", pytrace=False)

"""The use of what Windows lacks: one module locks files, and only servers need the rest."""

import re

from tests.law.packages import MODULES, PROJECT

SIMULATED = (PROJECT / "tests/operations/systems/windows/sitecustomize.py").read_text()
WORD = re.compile(r"\w+")
(MODULES_MISSING,) = re.findall(r"MISSING_MODULES = \{(.*?)\}", SIMULATED, re.DOTALL)
(NAMES_MISSING,) = re.findall(r"MISSING_NAMES = \{(.*?)\n\}", SIMULATED, re.DOTALL)
IMPORT = re.compile(rf"^\s*(?:import|from) ({'|'.join(WORD.findall(MODULES_MISSING))})\b", re.MULTILINE)
NAMES = set(WORD.findall(NAMES_MISSING)) - {"os", "select", "signal", "socket"}
USE = re.compile(rf"\b(?:os|select|signal|socket)\.({'|'.join(sorted(NAMES))})\b")
LOCK = re.compile(r"\b(?:flock|lockf|msvcrt|portalocker|filelock|core\.files import locks|core\.files\.locks)\b")
PYTHON = re.compile(r"python manage\.py")
TEXT_FILE = re.compile(
    r"""\btext=True|\.(?:read_text\(\)|write_text\((?!.*encoding)|open\("[rwax]t?"(?!.*encoding)).*"""
)

IMPORTING = {
    "clubs.uploads.child": {"resource"},  # limits that Windows lacks
}
USING = {
    "clubs.uploads.child": {"getuid"},  # after hasattr
    "config.database.base": {"poll"},  # of a connection to PostgreSQL
    "jobs.management.commands.serve": {"SIGUSR2"},  # of a server
    "jobs.management.connections": {"epoll"},  # after hasattr
    "jobs.management.processes": {"AF_UNIX"},  # of systemd
    "operations.management.commands.backup": {"nice"},  # if there is one
    "rooms.thinker_child": {"nice"},  # if there is one
}


def find(pattern):
    found = {name: set(pattern.findall(path.read_text())) for name, path in MODULES.items()}
    return {name: names for name, names in found.items() if names}


def test_one_module_locks_files_and_one_limits_a_process():
    assert find(IMPORT) == IMPORTING
    assert set(find(LOCK)) == {"clubs.file_locks"}


def test_names_that_windows_lacks_are_used_where_they_may_be_missing():
    assert find(USE) == USING


def test_text_files_are_opened_with_their_encoding():
    """Windows would take another one."""
    assert find(TEXT_FILE) == {}


def test_sentences_name_the_command_that_was_used():
    """Check that only the setting COMMAND names Python."""
    assert set(find(PYTHON)) == {"config.settings"}
    assert "manage.py" not in (PROJECT / "tournaments/locale/fr/LC_MESSAGES/django.po").read_text()

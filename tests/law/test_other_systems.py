"""The use of what Windows lacks: one module locks files, and only servers need the rest."""

import ast
import re

import pytest

from tests.law.packages import MODULES, PROJECT

CATALOGUES = [*(PROJECT / "tournaments" / "locale").rglob("django.po")]
TEXTS = {".html", ".md", ".po", ".toml", ".txt"}
SIMULATED = (PROJECT / "tests/operations/systems/windows/sitecustomize.py").read_text()
WORD = re.compile(r"\w+")
(MODULES_MISSING,) = re.findall(r"MISSING_MODULES = \{(.*?)\}", SIMULATED, re.DOTALL)
(NAMES_MISSING,) = re.findall(r"MISSING_NAMES = \{(.*?)\n\}", SIMULATED, re.DOTALL)
IMPORT = re.compile(rf"^\s*(?:import|from) ({'|'.join(WORD.findall(MODULES_MISSING))})\b", re.MULTILINE)
NAMES = set(WORD.findall(NAMES_MISSING)) - {"os", "select", "signal", "socket"}
USE = re.compile(rf"\b(?:os|select|signal|socket)\.({'|'.join(sorted(NAMES))})\b")
LOCK = re.compile(r"\b(?:flock|lockf|msvcrt|portalocker|filelock|core\.files import locks|core\.files\.locks)\b")
OPENING = r"open\(|_text\(|text=True|universal_newlines|TextIOWrapper|TemporaryFile"
PIPES = ("text", "universal_newlines")
TEXT_MODE = re.compile(r"[rwax]\+?t?\+?")

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


def find_nodes(word):
    """Return each node, with the name of its module, of the modules in which the word occurs."""
    trees = {name: ast.parse(text) for name, path in MODULES.items() if re.search(word, text := path.read_text())}
    return [(name, node) for name, tree in trees.items() for node in ast.walk(tree)]


def opens_text(node):
    """Return whether a node opens a file, or runs a program, as text without naming the encoding."""
    if not isinstance(node, ast.Call):
        return False
    named = {each.arg: each.value for each in node.keywords}
    if "encoding" in named:
        return False
    if any(isinstance(named.get(name), ast.Constant) and named[name].value is True for name in PIPES):
        return True
    modes = [each.value for each in [*node.args, *named.values()] if isinstance(each, ast.Constant)]
    is_text = any(isinstance(mode, str) and TEXT_MODE.fullmatch(mode) for mode in modes)
    called = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if called == "open":
        return is_text or (not node.args if isinstance(node.func, ast.Attribute) else len(node.args) == 1)
    if called == "read_text":
        return not node.args
    if called in {"write_text", "TextIOWrapper"}:
        return len(node.args) < 2
    return is_text and called in {"fdopen", "TemporaryFile", "NamedTemporaryFile"}


def test_text_files_are_opened_with_their_encoding():
    """Windows would take another one. The listed calls open a file of bytes inside an archive, and a mail server."""
    assert {(name, ast.unparse(node)) for name, node in find_nodes(OPENING) if opens_text(node)} == {
        ("archives.archive.packing", "packed.open(entry, 'w')"),
        ("archives.privacy.export", "archive.open(name, 'w')"),
        ("outgoing.mailing.sending", "self.connection.open()"),
    }


@pytest.mark.parametrize(
    ("code", "is_text"),
    [
        ("open(path)", True),
        ("open(path, 'w')", True),
        ("open(path, 'rb')", False),
        ("path.open('w', newline='')", True),
        ("path.open('a', encoding='utf-8')", False),
        ("path.write_text(\n'text')", True),
        ("path.open()", True),
        ("path.read_text()", True),
        ("path.read_text('utf-8')", False),
        ("os.fdopen(number, 'w')", True),
        ("subprocess.run(command, text=True)", True),
        ("subprocess.run(command, text=True, encoding='utf-8')", False),
    ],
)
def test_each_way_to_open_text_is_known(code, is_text):
    assert opens_text(ast.parse(code, mode="eval").body) == is_text


def test_sentences_name_the_command_that_was_used():
    """Check that no text names manage.py, but the setting COMMAND and the paths of the file."""
    nodes = find_nodes(r"manage\.py")
    documented = {
        id(node.body[0].value)
        for _name, node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    named = {
        (name, node.value)
        for name, node in nodes
        if isinstance(node, ast.Constant) and "manage.py" in str(node.value) and id(node) not in documented
    }
    assert named == {("config.settings", "python manage.py"), ("operations.tasks", "manage.py")}
    texts = [*(PROJECT / "templates").rglob("*.*"), *(PROJECT / "handbook").rglob("*.*"), *CATALOGUES]
    assert len(texts) > 500
    assert [path for path in texts if path.suffix in TEXTS and "manage.py" in path.read_text(encoding="utf-8")] == []

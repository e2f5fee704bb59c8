"""The files of text that people send: read whole or refused, never cut."""

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.translation import override

from clubs.models import Club
from pages.prepare.plan import PlanFileForm
from pages.roster_forms import RosterForm
from pages.sets.forms import ImportForm
from pages.uploads import MAX_FILE, read_text
from tests.law.packages import MODULES, PROJECT

# Each module whose form takes a file: the module that gives the file to a child process, or why none is needed.
TEXT = "read as text of at most MAX_FILE letters"
READERS = {
    "pages/club/licences.py": "clubs/uploads/spreadsheet.py",
    "pages/club/settings.py": "clubs/uploads/logos.py",
    "pages/elsewhere/pages.py": "archives/elsewhere/exchanging.py",
    "pages/files/archives.py": "archives/archive/restoring.py",
    "pages/parts/results_form.py": "archives/archive/restoring.py",
    "pages/prepare/plan.py": TEXT,
    "pages/roster_forms.py": "clubs/uploads/spreadsheet.py",
    "pages/sets/forms.py": TEXT,
}
HEADING = b"position,table,N,E,S,W,etuis\n"


@pytest.fixture(autouse=True)
def english():
    with override("en"):
        yield


def list_modules(words):
    """Return the paths of the product's modules whose text has these words."""
    paths = {str(path.relative_to(PROJECT)): path for path in MODULES.values()}
    return {name for name, path in paths.items() if words in path.read_text() and not name.startswith("tests")}


def test_every_file_that_a_form_takes_is_read_in_a_child_process_or_as_short_text():
    assert list_modules("forms.FileField(") | list_modules("forms.ImageField(") == READERS.keys()
    children = {*READERS.values()} - {TEXT}
    assert children == list_modules("read_in_child(") - {"clubs/uploads/child.py"}
    assert {name for name, way in READERS.items() if way == TEXT} == list_modules("(FileInTextForm)")


def upload(data):
    return SimpleUploadedFile("file", data)


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig"])
def test_file_keeps_its_accents(code):
    assert read_text(upload("Zoé".encode(code))) == "Zoé"


@pytest.mark.parametrize("data", [b"PK\x03\x04\0\0", b"PK\xff\0", b"PK\xff\xfe"], ids=str)
def test_file_that_is_no_text_is_refused(data):
    with pytest.raises(ValidationError, match="not text in UTF-8"):
        read_text(upload(data))


def test_file_at_the_limit_is_read_whole_and_a_longer_one_refused():
    assert len(read_text(upload(b"x" * MAX_FILE))) == MAX_FILE
    with pytest.raises(ValidationError, match="too large"):
        read_text(upload(b"x" * (MAX_FILE + 1)))


@pytest.mark.parametrize("make", [PlanFileForm, ImportForm])
def test_plan_or_set_that_is_too_large_is_refused_and_not_cut(make):
    """Check a file that would be a heading with blank lines if it were cut at the limit."""
    form = make({}, {"file": upload(HEADING + b"\n" * MAX_FILE)})
    assert form.errors["file"] == ["The file is too large: choose another."]
    assert not form.data.get("text")


@pytest.mark.django_db
def test_list_of_players_that_is_too_large_is_refused():
    form = RosterForm(Club(), {}, {"file": upload(b"x" * (MAX_FILE + 1))})
    assert form.unreadable
    assert not form.data.get("text")

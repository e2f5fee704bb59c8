"""The files of text that people send: read whole or refused, never cut."""

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.translation import override

from clubs.models import Club
from pages.prepare.plan_forms import PlanFileForm
from pages.roster_forms import RosterForm
from pages.sets.forms import ImportForm
from pages.uploads import MAX_FILE, read_upload

HEADING = b"position,table,N,E,S,W,etuis\n"


@pytest.fixture(autouse=True)
def english():
    with override("en"):
        yield


def upload(data):
    return SimpleUploadedFile("file", data)


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "cp1252"])
def test_file_keeps_its_accents(code):
    assert read_upload(upload("Zoé".encode(code)), otherwise="cp1252") == "Zoé"


@pytest.mark.parametrize(
    ("data", "otherwise"), [(b"PK\x03\x04\0\0", ""), (b"PK\xff\0", "cp1252"), (b"PK\xff\xfe", "")], ids=str
)
def test_file_that_is_no_text_is_refused(data, otherwise):
    with pytest.raises(ValidationError, match="not text in UTF-8"):
        read_upload(upload(data), otherwise=otherwise)


def test_file_at_the_limit_is_read_whole_and_a_longer_one_refused():
    assert len(read_upload(upload(b"x" * MAX_FILE))) == MAX_FILE
    with pytest.raises(ValidationError, match="too large"):
        read_upload(upload(b"x" * (MAX_FILE + 1)))


@pytest.mark.parametrize("make", [PlanFileForm, ImportForm])
def test_plan_or_set_that_is_too_large_is_refused_and_not_cut(make):
    """Check a file that would be a heading with blank lines if it were cut at the limit."""
    form = make({}, {"file": upload(HEADING + b"\n" * MAX_FILE)})
    assert form.errors["file"] == ["The file is too large: choose another."]
    assert not form.data.get("text")


@pytest.mark.django_db
def test_list_of_players_that_is_too_large_is_refused():
    form = RosterForm(Club(), {}, {"file": upload(b"x" * (MAX_FILE + 1))})
    assert form.file_error
    assert not form.data.get("text")

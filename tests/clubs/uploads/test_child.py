"""The child process that reads uploaded files: its limits, its refusals, and how many read at once."""

import io
import zipfile
from contextlib import ExitStack

import pytest

from clubs.uploads import child
from clubs.uploads.child import ReadingTime, UploadRefused, open_packed, read_in_child, take_turn
from clubs.uploads.spreadsheet import SpreadsheetError, read_sheets
from tests.clubs.uploads import greedy


def read(function, content=b"x", *arguments, **how):
    return read_in_child(f"{greedy.__name__}.{function}", content, *arguments, refusal=UploadRefused, **how)


def test_child_returns_what_the_function_makes_of_the_file():
    assert read("echo", b"ab", "c") == b"abc"


@pytest.mark.parametrize(
    "function",
    ["archives.archive.packing.examine_archive", "archives.elsewhere.sealed_file.examine_sealed_file"],
    ids=["archive", "sealed"],
)
def test_child_that_reads_an_archive_needs_no_settings_of_the_site(function):
    with pytest.raises(UploadRefused) as refusal:
        read_in_child(function, b"no ZIP", refusal=UploadRefused)
    assert refusal.value.code != "upload_unreadable"  # what is said where the child could not begin


def test_child_has_no_settings_of_the_site(monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "secret")
    assert set(read("tell_settings").decode().split(",")) <= set(child.KEPT_VARIABLES)


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("function", "code", "params"),
    [
        ("take_memory", "upload_memory", {"most": 300}),
        ("take_time", "upload_time", {"most": 1}),
        ("abort", "upload_memory", {"most": 300}),
        ("refuse", "upload_parts", {"most": 1}),
        ("break_down", "upload_unreadable", {}),
    ],
)
def test_child_that_reaches_a_limit_is_refused_with_the_bound(function, code, params):
    with pytest.raises(UploadRefused) as refused:
        read(function, most=ReadingTime(1, 60))
    assert (refused.value.code, refused.value.params) == (code, params)


@pytest.mark.nightly("story")
def test_child_that_does_not_answer_is_ended():
    with pytest.raises(UploadRefused) as refused:
        read("take_time", most=ReadingTime(60, 1))
    assert (refused.value.code, refused.value.params) == ("upload_time", {"most": 1})


@pytest.mark.parametrize("other_process", [True, False])
def test_third_child_at_once_is_refused(tmp_path, monkeypatch, other_process):
    monkeypatch.setattr(child, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(child, "PATIENCE", 0.1)
    with ExitStack() as held:
        for _turn in range(2):
            held.enter_context(take_turn(UploadRefused))
        with monkeypatch.context() as elsewhere:
            if other_process:
                elsewhere.setattr(child, "threads", child.BoundedSemaphore(2))
            with pytest.raises(UploadRefused) as refused:
                read("echo")
        assert refused.value.code == "upload_busy"
    assert read("echo") == b"x"


def test_child_reads_where_no_lock_file_can_be_made(tmp_path, monkeypatch):
    monkeypatch.setattr(child, "gettempdir", lambda: str(tmp_path / "missing"))
    assert read("echo") == b"x"


def pack(count, size=0):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(count):
            packed.writestr(f"a-rather-long-name-of-a-file-{number}.json", b"\0" * size)
    return out.getvalue()


def test_zip_with_a_long_list_of_entries_is_refused_before_it_is_read():
    content = pack(9_000)
    with pytest.raises(UploadRefused, match="at most 500 kB"):
        open_packed(content, UploadRefused)
    assert len(open_packed(pack(90), UploadRefused).namelist()) == 90


@pytest.mark.nightly("story")
def test_workbook_that_claims_too_much_is_refused_before_it_is_read():
    with pytest.raises(SpreadsheetError) as refused:
        read_sheets(pack(11, 10_000_000))
    assert (refused.value.code, refused.value.params) == ("upload_memory", {"most": 100})

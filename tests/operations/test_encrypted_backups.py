"""The encryption of backups: only the private key opens one, and no file is held in memory."""

import os
import threading
import tracemalloc

import pytest
from django.core.management import CommandError, call_command

from operations.backup.contents import BackupError
from operations.backup.encryption import DecryptedFile, encrypt_chunks, make_keys, read_private_key
from operations.backup.reading import read_lines
from operations.management.commands import backup_key
from tests.operations.place import NEW_CLUB, lines_of


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    """Make a pair of keys: the public one and the file of the private one, and a file of another private one."""
    folder = tmp_path_factory.mktemp("keys")
    pair, other = make_keys(), make_keys()
    (folder / "key.txt").write_text(f"# a comment\n{pair.private}\n")
    (folder / "other.txt").write_text(other.private)
    return {"public": pair.public, "private": folder / "key.txt", "other": folder / "other.txt"}


@pytest.fixture(scope="session")
def encrypted(used, keys):
    """Make a backup that the setting encrypts."""
    used.environment["BACKUP_KEY"] = keys["public"]
    try:
        return used.back_up("backup.age")
    finally:
        del used.environment["BACKUP_KEY"]


@pytest.mark.nightly("process")
def test_encrypted_backup_is_restored_by_its_private_key_alone(encrypted, backup, laptop, keys):
    assert encrypted.read_bytes().startswith(b"age-encryption.org/v1\n")
    with pytest.raises(BackupError, match="--identity FILE"):
        list(read_lines(encrypted))
    place = laptop("decrypted")
    wrong = place.refuse("manage.py", "restore", str(encrypted), "--identity", str(keys["other"]))
    assert "encrypted to another key" in wrong
    assert place.succeed("-c", NEW_CLUB).split()[0] == "0"
    back = laptop("back")
    back.succeed("manage.py", "restore", str(encrypted), "--identity", str(keys["private"]))
    assert lines_of(back.back_up()) == lines_of(backup)


@pytest.mark.nightly("process")
def test_public_key_of_the_command_goes_before_the_setting(used):
    assert "no public key" in used.refuse("manage.py", "backup", str(used.folder / "no"), "--key", "age1nobody")
    assert not (used.folder / "no").exists()


@pytest.mark.parametrize("keep", [0.3, 0.7, -1])
def test_encrypted_backup_that_is_cut_is_refused(encrypted, keys, keep, tmp_path):
    whole = encrypted.read_bytes()
    cut = tmp_path / "cut.age"
    cut.write_bytes(whole[: int(len(whole) * keep)] if keep > 0 else whole[:keep])
    identity = read_private_key(keys["private"], str)
    with pytest.raises(BackupError, match="damaged"):
        list(read_lines(cut, identity))
    altered = bytearray(whole)
    altered[len(whole) // 2] ^= 1
    cut.write_bytes(altered)
    with pytest.raises(BackupError, match="damaged"):
        list(read_lines(cut, identity))
    assert next(read_lines(encrypted, identity))["format"] == 1  # and who reads no further leaves no thread behind
    assert [thread.name for thread in threading.enumerate() if thread.name == "decrypt"] == []


@pytest.mark.nightly("process")
def test_memory_does_not_grow_with_an_encrypted_file(tmp_path, keys):
    """Check by Python's own figure: three times the size of the chunks at most, of a file of 40 MB."""
    chunk, identity = os.urandom(1_000_000), read_private_key(keys["private"], str)
    file = tmp_path / "large.age"
    tracemalloc.start()
    try:
        with file.open("wb") as written_to:
            encrypt_chunks((chunk for _ in range(40)), written_to, keys["public"])
        with DecryptedFile(file, identity) as content:
            size = sum(len(part) for part in iter(lambda: content.read(65_536), b""))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size == 40_000_000
    assert most < 5_000_000


def answers(monkeypatch, *typed):
    following = iter(typed)
    monkeypatch.setattr(backup_key, "getpass", lambda _question: next(following))


@pytest.mark.nightly("process")
def test_passphrase_wraps_the_private_key(monkeypatch, capsys, tmp_path):
    answers(monkeypatch, "a long passphrase", "a long passphrase")
    call_command("backup_key", passphrase=True)
    told = capsys.readouterr().out
    assert "AGE-SECRET-KEY" not in told
    key = tmp_path / "wrapped.txt"
    key.write_text(told)
    with pytest.raises(BackupError, match="The passphrase does not open the private key"):
        read_private_key(key, lambda: "another passphrase")
    identity = read_private_key(key, lambda: "a long passphrase")
    assert str(identity.to_public()) == told.splitlines()[1].removeprefix("# ")


def test_pair_of_keys_is_printed_as_a_file_that_restore_reads(capsys, tmp_path):
    call_command("backup_key")
    told = capsys.readouterr().out
    (tmp_path / "key.txt").write_text(told)
    identity = read_private_key(tmp_path / "key.txt", str)
    assert str(identity.to_public()) == told.splitlines()[1].removeprefix("# ")


@pytest.mark.parametrize("typed", [("short",), ("a long passphrase", "another passphrase")])
def test_passphrase_that_is_short_or_mistyped_makes_no_key(monkeypatch, capsys, typed):
    answers(monkeypatch, *typed)
    with pytest.raises(CommandError, match="passphrase"):
        call_command("backup_key", passphrase=True)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("text", ["", "# only a comment", "AGE-SECRET-KEY-1NOPE", "age1public"])
def test_file_without_a_private_key_is_named(tmp_path, text):
    (tmp_path / "key").write_text(text)
    with pytest.raises(BackupError, match="holds no private key"):
        read_private_key(tmp_path / "key", str)
    with pytest.raises(BackupError, match="cannot be read"):
        read_private_key(tmp_path / "none", str)

"""A small hall on a laptop's site with SQLite, and the ledger of all that the site has acknowledged.

The hall writes its evening and reads its rows in other processes, because the tests' own database is PostgreSQL.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from django.contrib.auth import get_user_model

from api.tokens import make_api_token
from jobs.tasks import sweep_publications
from tests.evenings.standings.keeping import from_nothing, kept
from tests.evenings.tables.phones import command, tokens_of
from tests.factories import make_director, plausible, publish, started_session
from tests.services.site import OURS, PROJECT
from tournaments.models import EntryCheck, Publication, ResultEntry, Session, SessionStandings
from tournaments.rules.entry import entry_to_data

TABLES, POSITIONS, ETUIS = 5, 3, 2
FRESH_SECONDS = 10
SECRET = "s" * 50


class SmallHall:
    """The tables of one session on a laptop's site, whose database lies in `folder`.

    `ledger` holds each acknowledged command: its key, its kind and its number.
    """

    def __init__(self, folder: Path, migrated: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(migrated, folder / "db.sqlite3")
        self.environment = self.environment_in(folder)
        made = json.loads(self.run("write_evening()"))
        self.token = {"Authorization": f"Token {made['token']}"}
        self.session, self.plays = made["session"], made["plays"]
        self.ledger: dict[str, tuple[str, int | None]] = {}
        self.entered: set[int] = set()  # the plays whose result is acknowledged

    def environment_in(self, folder: Path) -> dict[str, str]:
        """Return the settings of the same site with its database in another folder."""
        return {
            "MODE": "laptop",
            "VAR_DIR": str(folder),
            "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
            "SECRET_KEY": SECRET,
            "SWEEP_SECONDS": "1",
        }

    def run(self, call: str, **environment: str) -> str:
        """Call a function of this module in a process on the hall's database. Return what it prints."""
        program = f"import django; django.setup(); from tests.faults.halls import small_hall; small_hall.{call}"
        ended = subprocess.run(
            [sys.executable, "-c", program],
            cwd=PROJECT,
            env=clean_environment() | self.environment | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def command(self, *arguments: str) -> str:
        """Run a command of the site, and return what it prints."""
        ended = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=PROJECT,
            env=clean_environment() | self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def send(self, site, play: dict, commands: list[dict], **headers: str) -> tuple[int, dict]:
        """Send commands of a table's phone once. Note in the ledger what is acknowledged. Return status and answer."""
        body = {"device": f"phone-{play['table']:03}", "commands": commands}
        status, text = site.send(f"/t/{play['token']}/send/", body, **headers)
        answer = json.loads(text)
        if status == 200:
            for sent, receipt in zip(commands, answer["receipts"], strict=True):
                assert receipt["status"] == "received", receipt
                self.ledger[receipt["key"]] = sent["kind"], receipt["number"]
                if sent["kind"] == "enter":
                    self.entered.add(sent["play"])
        return status, answer

    def play_one(self, site, play: dict, **fields: object) -> None:
        """Begin a play, enter its result and check it. All three are acknowledged."""
        for commands in (begin_and_enter(play, **fields), [check_of(play, **fields)]):
            status, answer = self.send(site, play, commands)
            assert status == 200, answer

    def examine(self, seconds: float = FRESH_SECONDS, **environment: str) -> dict:
        """Wait until the standings are fresh, then return what stands in the database."""
        return json.loads(self.run(f"print_rows({seconds})", **environment))

    def assert_nothing_is_lost(self, seconds: float = FRESH_SECONDS, **environment: str) -> dict:
        """Check that all acknowledged commands are stored once, and the standings those of a full computation."""
        found = self.examine(seconds, **environment)
        entered = {key: number for key, (kind, number) in self.ledger.items() if kind == "enter"}
        assert found["entries"] == entered
        assert sorted(found["checks"]) == sorted(key for key, (kind, _) in self.ledger.items() if kind == "check")
        assert found["fresh"], f"no fresh standings after {seconds} s"
        assert found["exact"], "the standings differ from those of a full computation"
        return found


def clean_environment() -> dict[str, str]:
    """Return the environment of a process of its own: without the settings of the tests' site."""
    ours = {name: value for name, value in os.environ.items() if name not in OURS}
    return ours | {"DJANGO_SETTINGS_MODULE": "config.settings", "BACKUP_DIR": "none"}


def begin_and_enter(play: dict, **fields: object) -> list[dict]:
    """Return the two commands that begin a play and enter its result."""
    entry = command("enter", play=play["id"], seat="N", position=play["position"], etui=play["etui"])
    return [command("start", play=play["id"]) | fields, entry | {"entry": play["entry"]} | fields]


def check_of(play: dict, **fields: object) -> dict:
    """Return the command by which the other side agrees with the first result."""
    seat = "S" if play["taker"] == "N" else play["taker"]
    return command("check", play=play["id"], version=1, seat=seat, agrees=True) | fields


def write_evening() -> None:
    """Make an evening with a director in the database of the environment, and print what its phones need."""
    session = started_session(tables=TABLES, positions=POSITIONS, etuis_per_position=ETUIS)
    director = make_director(session.tournament.club)
    tokens = tokens_of(session)
    plays = [
        {
            "id": play.pk,
            "table": play.table.number,
            "token": tokens[play.table.number],
            "position": play.position,
            "etui": play.etui.number,
            "taker": play.etui.taker,
            "entry": entry_to_data(plausible(play)),
        }
        for play in session.plays.select_related("etui", "table").order_by("position", "etui__number", "table__number")
    ]
    told = {"session": session.pk, "plays": plays, "token": make_api_token(director)}
    sys.stdout.write(json.dumps(told))


def print_rows(seconds: float) -> None:
    """Wait for fresh standings in the database of the environment, then print its results and checks."""
    deadline = time.monotonic() + seconds
    while not (fresh := standings_are_fresh()) and time.monotonic() < deadline:
        time.sleep(0.1)
    session = Session.objects.get()
    exact = False
    with suppress(SessionStandings.DoesNotExist):
        exact = kept(session) == from_nothing(session)
    told = {
        "entries": {str(key): pk for key, pk in ResultEntry.objects.values_list("key", "pk")},
        "checks": [str(key) for key in EntryCheck.objects.values_list("key", flat=True)],
        "current": list(ResultEntry.objects.filter(current=True).order_by("pk").values_list("play", flat=True)),
        "started": {pk: str(at) for pk, at in session.plays.exclude(started_at=None).values_list("pk", "started_at")},
        "fresh": fresh,
        "exact": exact,
    }
    sys.stdout.write(json.dumps(told))


def standings_are_fresh() -> bool:
    session = Session.objects.get()
    computed = SessionStandings.objects.filter(pk=session.pk).values_list("results_version", flat=True)
    return list(computed) == [session.results_version]


def call_first_position() -> None:
    """Call the first position, so that the phones offer its étuis."""
    Session.objects.update(position=1, check_by=Session.Check.SAME)


def publish_evening() -> None:
    """Publish the session, with a window until its ranking is official."""
    publish(Session.objects.get(), by=get_user_model().objects.get())


def end_windows_and_print() -> None:
    """Make the rankings official whose window is over, as beat asks for. Print the published versions and results."""
    sweep_publications()
    told = {
        "published": list(Publication.objects.order_by("version").values_list("version", "status")),
        "versions": list(ResultEntry.objects.order_by("pk").values_list("play", "version", "current")),
    }
    sys.stdout.write(json.dumps(told))

"""Every action that a service writes into a session's log has its sentence, which asks only for what is there."""

import ast
from pathlib import Path

import pytest
from django.utils.translation import override

from scoring.ranking import Line
from tests.factories import garde, make_director, started_session
from tests.tournaments.tables import Device, tokens_of
from tournaments.domain.entry import Fiche
from tournaments.log_words import say_log
from tournaments.models import LogEntry
from tournaments.sentences import LOG

SERVICES = Path(__file__).parents[2] / "tournaments" / "services"
WRITERS = {"log", "tell", "log_play", "log_device", "log_call"}


def actions():
    """The actions written out as the second argument of whatever writes a line, alone or as a choice of several."""
    for path in sorted(SERVICES.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in WRITERS:
                written = node.args[1] if len(node.args) > 1 else None
                if not isinstance(written, ast.Constant | ast.IfExp):
                    continue
                for part in (written,) if isinstance(written, ast.Constant) else (written.body, written.orelse):
                    if isinstance(part, ast.Constant):
                        yield part.value


@pytest.mark.parametrize("action", sorted(set(actions())))
def test_every_action_has_a_sentence(action):
    assert action in LOG.texts


def test_log_of_a_table_reads_well(db):
    session = started_session()
    tokens_of(session)
    device = Device(session.tables.get(number=1))
    play = device.table.plays.select_related("etui").first()
    device.send("join")
    device.send("enter", play=play, seat="N", entry=garde(play.etui.taker))
    device.send("correct", play=play, seat="N", entry=garde(play.etui.taker, points=50), seen_version=1)
    device.send("check", play=play, version=2, seat="E", agrees=False)
    device.send("call")
    device.send("uncall")
    device.send("leave")
    with override("en"):
        said = [say_log(entry) for entry in LogEntry.objects.filter(session=session).order_by("id")]
    about = f"Table 1, position 1, étui {play.etui.number}"
    assert [sentence for sentence in said if sentence.startswith("Table 1")] == [
        "Table 1: this device writes",
        f"{about}: result entered",
        f"{about}: result corrected (version 2)",
        f"{about}: result disputed",
        "Table 1 calls the arbiter",
        "Table 1 no longer needs the arbiter",
        "Table 1: this device has left",
    ]


def test_log_never_holds_a_figure(db):
    """A director who plays reads it too."""
    session = started_session()
    tokens_of(session)
    device = Device(session.tables.get(number=1))
    play = device.table.plays.select_related("etui").first()
    device.send("enter", play=play, seat="N", entry=Fiche(Line(play.etui.taker), 106))
    device.send("correct", play=play, seat="N", entry=Fiche(Line(play.etui.taker), 108), seen_version=1)
    told = {entry.action: entry.params for entry in LogEntry.objects.filter(session=session)}
    about = {"etui": play.etui.number, "table": 1, "position": 1}
    assert told["entered"] == about | {"version": 1}
    assert told["corrected"] == about | {"version": 2}


def test_unknown_action_is_an_error(db):
    session = started_session()
    entry = LogEntry(session=session, action="dance", author=make_director(session.tournament.club))
    with pytest.raises(KeyError):
        say_log(entry)

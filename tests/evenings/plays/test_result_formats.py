"""The formats of each kind of result: row, API, the table screen's JSON, publication, CSV and form.

tests/golden/result_formats.jsonl holds them, with the keys in order. Programs, phones and old publications rely on
them.
"""

import csv
import io
import json
from dataclasses import replace

import pytest

from archives.archive.contents import ENTRIES, OF_FREE_DEALS
from evenings.plays.entries import FIELDS
from pages.play.entry_forms import initial_of
from pages.play.summary import summarise_entry
from rankings.publication.report import read_report
from rankings.publication.standings_file import results_csv
from scoring.contract import Chelem, Contract, DealResult, Poignee, Side
from scoring.ranking import Line
from tests.api.conftest import Client
from tests.evenings.tables.phones import Phone, tokens_of
from tests.factories import enter, make_club, make_director, make_tournament, publish, started_session
from tests.scoring.results import GOLDEN
from tournaments.rules.entry import AllPassed, Bout, Facts, Fiche

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]

SIMPLE, DOUBLE, TRIPLE = Poignee
NAMED = frozenset({Bout.TRUMP_21, Bout.PETIT, Bout.EXCUSE})


def facts(bouts, points, named=None, *, contract=Contract.GARDE, **told):
    return Facts(Line.W, DealResult(4, contract, bouts, 2 * points, **told), named)


IMPOSED = (
    facts(2, 49),
    facts(0, 20, frozenset()),
    facts(2, 49, NAMED - {Bout.EXCUSE}, petit_au_bout=Side.ATTACK, poignees_attack=(SIMPLE,)),
    facts(3, 45, NAMED, poignees_defence=(SIMPLE, SIMPLE)),
    facts(1, 38, frozenset({Bout.EXCUSE}), petit_au_bout=Side.DEFENCE, poignees_defence=(DOUBLE,)),
    facts(3, 60, poignees_attack=(TRIPLE,)),
    facts(1, 45, chelem=Chelem.ANNOUNCED_FAILED, poignees_attack=(DOUBLE,)),
    facts(3, 91, NAMED, chelem=Chelem.ANNOUNCED_MADE),
    facts(3, 91, chelem=Chelem.UNANNOUNCED_MADE),
    facts(0, 0, frozenset(), chelem=Chelem.SUFFERED),
    Fiche(Line.W, 106),
    Fiche(Line.W, -60),
)
FREE = (
    facts(2, 49, contract=Contract.PRISE),
    facts(1, 52, frozenset({Bout.PETIT}), contract=Contract.GARDE_SANS),
    facts(0, 60, contract=Contract.GARDE_CONTRE, poignees_attack=(SIMPLE,), poignees_defence=(SIMPLE,)),
    Fiche(Line.E, 65),
    AllPassed(),
)


def written(session, entries):
    """Return each entry in every format, after an evening that had these entries."""
    director = make_director(session.tournament.club, name=session.tournament.auction)
    plays = list(
        session.plays.select_related("etui").order_by("position", "table__number", "etui__number")[: len(entries)]
    )
    if session.tournament.auction == "imposed":
        entries = [replace(entry, taker=Line(play.etui.taker)) for play, entry in zip(plays, entries, strict=True)]
    rows = [enter(play, entry, by=director) for play, entry in zip(plays, entries, strict=True)]
    tables = table_entries(session)
    report = read_report(publish(session, by=director, allow_missing=True).data)
    published = {play.id: play for etui in report.data.etuis for play in etui.plays}
    lines = {
        (line["etui"], line["table"]): line
        for line in csv.DictReader(io.StringIO(results_csv(report)))
        if line["kind"] == "play"
    }
    for play, entry, row in zip(plays, entries, rows, strict=True):
        line = lines[str(play.etui.number), str(play.table.number)]
        yield {
            "row": {name: getattr(row, name) for name in FIELDS if name not in OF_FREE_DEALS[ENTRIES.name]},
            "api": Client(director)("GET", f"plays/{play.pk}/")["result"] | {"lines": [], "marks": {}},
            "table": tables.get(play.pk),
            "published": {name: getattr(published[play.pk], name) for name in ("taker", "base_score", "facts")},
            "csv": [line["taker"], line["base_score"]],
            "form": form_without_partner(entry),
            "seen": summarise_entry(play, entry).shown,
        }


def form_without_partner(entry):
    """Return what the form begins with. Nobody has a partner at these tables."""
    form = dict(sorted(initial_of(entry).items()))
    assert form.pop("partner", "") == ""
    return form


def table_entries(session):
    """Return the entries that the tables' screens get, by play."""
    states = [Phone(token).get().json() for token in tokens_of(session).values()]
    return {play["id"]: play["entry"] for state in states for stop in state["stops"] for play in stop["plays"]}


def test_every_kind_of_result_is_written_as_it_was():
    club = make_club()
    found = []
    for auction, entries in (("imposed", IMPOSED), ("free", FREE)):
        tournament = make_tournament(club, auction=auction, name=auction)
        found += written(started_session(tournament, positions=1, etuis_per_position=3), entries)
    assert all(one["table"] for one in found)
    lines = [json.dumps([place, value], ensure_ascii=False) for one in found for place, value in one.items()]
    assert lines == (GOLDEN / "result_formats.jsonl").read_text(encoding="utf-8").splitlines()

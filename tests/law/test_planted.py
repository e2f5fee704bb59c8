"""The breaches of the law planted in sources of existing modules: each must be caught."""

from typing import NamedTuple

import pytest

from tests.law.breaches import find_breaches
from tests.law.circles import find_circles, read_folders, read_graph
from tests.law.packages import MODULES


class Planted(NamedTuple):
    """A source that breaks the law in the module of that name, and the expected message."""

    what: str
    module: str
    source: str
    told: str


PLANTED = [
    Planted(
        "a page that saves a row",
        "pages.desk.hall",
        "def close(session):\n    session.closed = True\n    session.save(update_fields=['closed'])",
        "writes rows in line 3",
    ),
    Planted(
        "a page that updates rows",
        "pages.play.entry",
        "def void(play):\n    play.entries.filter(current=True).update(current=False)",
        "writes rows in line 2",
    ),
    Planted(
        "an API door that deletes rows",
        "api.plays",
        "def delete(self, request, pk):\n    get_play_for(request.user, pk=pk).entries.all().delete()",
        "writes rows in line 2",
    ),
    Planted(
        "an API door that makes rows",
        "api.table",
        "def post(self, table):\n    ArbiterCall.objects.create(table=table)",
        "writes rows in line 2",
    ),
    Planted(
        "a tag of templates that makes rows of several at once",
        "pages.templatetags.desk",
        "async def note(rows):\n    await TableDevice.objects.abulk_create(rows)",
        "writes rows in line 2",
    ),
    Planted(
        "a page that asks by raw SQL",
        "pages.public.front",
        "from django import db\nwith db.connection.cursor() as asked:\n    asked.execute('SELECT 1')",
        "writes SQL in line 2",
    ),
    Planted(
        "an API door that asks by the SQL of a manager",
        "api.sessions",
        "rows = Session.objects.raw('SELECT * FROM tournaments_session')",
        "writes SQL in line 1",
    ),
    Planted(
        "a subject that asks by SQL within a queryset",
        "evenings.standings.field",
        "from django.db.models.expressions import RawSQL as Raw\nasked = Play.objects.annotate(n=Raw('SELECT 1', ()))",
        "writes SQL in line 2",
    ),
    Planted(
        "rows locked by SQL",
        "evenings.plays.entering",
        "LOCKED = 'SELECT id FROM tournaments_play WHERE id = %s FOR NO KEY UPDATE'",
        "locks rows by SQL in line 1",
    ),
    Planted(
        "rows locked by a name that is a text",
        "evenings.tables.commands",
        "plays = getattr(Play.objects, 'select_for_update')()",
        "locks rows by SQL in line 1",
    ),
    Planted(
        "a lock of the database that is no row",
        "tournaments.published",
        "ASKED = f'SELECT pg_advisory_xact_lock({1})'",
        "locks rows by SQL in line 1",
    ),
    Planted(
        "a subject that answers a request",
        "rankings.publication.report",
        "def send(data):\n    from django.http import JsonResponse\n    return JsonResponse(data)",
        "imports django.http, which is for pages and the API",
    ),
    Planted(
        "a subject that fills a template",
        "evenings.plays.state",
        "from django import template",
        "imports django.template, which is for pages and the API",
    ),
    Planted(
        "a subject that knows the API's errors",
        "evenings.sessions.setup",
        "from rest_framework.exceptions import ValidationError",
        "imports rest_framework.exceptions, which is for pages and the API",
    ),
    Planted(
        "a service that looks at the clock",
        "evenings.plays.penalties",
        "from django.utils import timezone\ndef give(): return Penalty(given_at=timezone.now())",
        "looks at the clock in line 2",
    ),
    Planted(
        "a service that looks at the clock by another name",
        "evenings.sessions.running",
        "from django.utils.timezone import now as moment\nread = moment",
        "looks at the clock in line 2",
    ),
    Planted(
        "a service that asks for today",
        "registration.people.registration",
        "from django.utils import timezone\nday = timezone.localdate()",
        "looks at the clock in line 2",
    ),
    Planted("pure code that reads a file", "scoring.contract", "rates = open('rates.json').read()", "uses open"),
    Planted(
        "pure code that reads a file by its path",
        "movements.plan.plan",
        "from pathlib import Path\nplans = Path('plans').read_text()",
        "imports pathlib",
    ),
    Planted(
        "pure code that starts threads",
        "movements.proposals",
        "from concurrent.futures import ThreadPoolExecutor",
        "imports concurrent.futures",
    ),
    Planted(
        "pure code that asks the network",
        "clubs.names",
        "def f():\n    from urllib.request import urlopen",
        "imports urllib.request",
    ),
    Planted(
        "what pages share, made of one page",
        "pages.doors",
        "from pages.desk.progress import Desk",
        "is one page's",
    ),
    Planted(
        "parts of pages made of one page",
        "pages.parts.cards",
        "def f():\n    from ..play import entry",
        "is one page's",
    ),
    Planted(
        "a page imported by a text",
        "evenings.plays.entries",
        "from importlib import import_module as load\npage = load('pages.desk.hall')",
        "imports by a text in line 2",
    ),
    Planted(
        "a write with a name put together",
        "pages.club.staff",
        "getattr(Membership.objects.all(), 'up' + 'date')(role='director')",
        "",
    ),
    Planted(
        "a write in a loop over a page's own function",
        "pages.play.bulk",
        "def each(rows, do):\n    for row in rows: do(row)\neach(rows, Model.save)",
        "",
    ),
]
MAY_PASS = {
    "a write with a name put together": "no reader would let it pass, and the law reads names, not what they come to",
    "a write in a loop over a page's own function": "a method handed over is not called where it is named",
}


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.what)
def test_planted_breach_is_caught(planted):
    caught = [breach for breach in find_breaches(planted.module, planted.source) if planted.told in breach]
    assert planted.module in MODULES
    assert (caught == []) == (planted.what in MAY_PASS)


def test_at_most_two_of_twenty_planted_breaches_may_pass():
    assert len(PLANTED) >= 20
    assert len(MAY_PASS) <= 2


def test_planted_circle_inside_a_package_is_caught():
    first, second, third = (f"evenings.standings.{name}" for name in ("sums", "together", "field"))
    planted = {
        first: f"from {second} import a",
        second: "from evenings.standings import field",
        third: f"def f():\n    from {first} import b",
    }
    (circle,) = find_circles(read_graph(planted))
    assert {first, second, third} <= set(circle)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("tournaments.models", "from tournaments.locks import lock_play"),
        ("evenings.plays.entering", "from evenings.standings.computing import compute"),
    ],
)
def test_planted_import_of_what_needs_the_module_is_a_circle(module, source):
    own = MODULES[module].read_text()
    (circle,) = find_circles(read_graph({module: f"{own}\n{source}\n"}))
    assert module in circle


@pytest.mark.parametrize(
    ("module", "source", "circle"),
    [
        ("movements.plan.plan", "from movements.search import rove", ["movements.plan", "movements.search"]),
        ("evenings.plays.entries", "from evenings.standings import sums", ["evenings.plays", "evenings.standings"]),
    ],
)
def test_planted_import_of_a_folder_that_needs_this_one_is_a_circle(module, source, circle):
    own = MODULES[module].read_text()
    (found,) = find_circles(read_folders(read_graph({module: f"{own}\n{source}\n"})))
    assert set(circle) <= set(found)

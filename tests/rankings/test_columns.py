"""The columns of rankings: each is declared once, and stands in each medium of each kind of ranking."""

import re
from dataclasses import replace
from fractions import Fraction
from inspect import getsource
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from api.events import RankedOut
from api.public.fields import FieldPlayerOut
from api.public.series import SeriesPlayerOut
from api.reading import StandingOut
from clubs.models import Club
from outgoing.sheets.ranking_tables import (
    make_ranking_table,
    make_sheet_column,
    read_cell,
)
from pages.parts.ranking_rows import place_rows
from pages.ranking_pages import RankingQuery, RankingTable, make_heads
from pages.templatetags.ranking import show_cells
from rankings import columns
from rankings.columns import ANSWER, EMBED, FILE, PAGE, RankingColumn, ValueKind, list_columns, make_step
from rankings.ranking import Ranking
from scoring.formats import Unit
from tournaments.models import Series, SeriesPublication

ROUND = make_step("round_1", "Round", 0, None, on=PAGE | FILE, figure="overall")
ROOT = Path(__file__).parents[2]
OUT = {"session": StandingOut, "tournament": RankedOut, "series": SeriesPlayerOut, "field": FieldPlayerOut}
SHAPES = {kind: out.shape for kind, out in OUT.items()}
KINDS = pytest.mark.parametrize("kind", OUT)
# The table of sums of teams is no ranking of these columns.
OTHERS = {"team_sums.html"}
PYTHON = (
    *(
        "pages/ranking_pages.py",
        "pages/parts/ranking_rows.py",
        "pages/public/all_kinds.py",
        "pages/public/field.py",
        "pages/public/series.py",
    ),
    *("pages/report_pages.py", "pages/templatetags/ranking.py"),
    *("api/shown.py", "api/reading.py", "api/events.py", "api/public/fields.py", "api/public/series.py"),
)
FILES = "outgoing/sheets/ranking_tables.py"
TEMPLATES = ("ranking/*.html", "ranking/*/*.html", "embedded/*.html")
HEAD = re.compile(r"<th\b.*?</th>", re.DOTALL)
MARKED = re.compile(r"""(?:\b_|gettext|gettext_lazy|pgettext_lazy|translate)\s*\(?\s*(?:"[^"]*",\s*)?"([^"]+)\"""")


@pytest.fixture
def row():
    """Return a row that every kind of ranking can show."""
    figures = dict.fromkeys(("attack", "defence", "overall", "total", "figure"), Fraction(60))
    ranks = dict.fromkeys(
        ("rank", "rank_general", "rank_line", "rank_alterne", "before", "deals", "attacks", "defences"), 1
    )
    who = {"player": 7, "known_as": 7, "name": "Anne", "named": True, "shown": "name", "team": 0, "members": ()}
    more = {"line": "W", "number": 3, "club": "Besançon", "section": "", "penalty": Fraction(), "played": 1, "told": ""}
    flags = {"unranked": "", "ranked": True, "in_final": False, "results": (), "id": 1}
    return SimpleNamespace(**figures, **ranks, **who, **more, **flags)


@pytest.fixture
def wins(monkeypatch):
    """Add a column to the catalogue, after the names."""
    added = RankingColumn(
        "wins", "Wins", ValueKind.WHOLE, PAGE | FILE | ANSWER | EMBED, columns.of_all, read=lambda row: 41
    )
    names = [place for place, each in enumerate(columns.CATALOGUE) if each.kind is ValueKind.NAME]
    before, after = columns.CATALOGUE[: names[-1] + 1], columns.CATALOGUE[names[-1] + 1 :]
    monkeypatch.setattr(columns, "CATALOGUE", (*before, added, *after))


def rank(shape, rows):
    """Return a ranking of this shape with these rows."""
    return Ranking(shape=shape, rules=None, rows=rows)


@KINDS
@pytest.mark.usefixtures("english", "wins")
def test_column_added_to_the_catalogue_stands_in_each_medium(kind, row):
    shape = SHAPES[kind]
    heads = make_heads(shape, RankingQuery(sort="-wins"))
    (head,) = (each for each in heads if each.name == "wins")
    assert (str(head.column.label), head.sorted, head.is_plain) == ("Wins", "descending", True)
    assert '<td class="num wide-only quiet">41</td>' in show_cells([head.column], row)
    table = make_ranking_table(rank(shape, [row]), "Ranking")
    assert dict(zip([each.label for each in table.columns], table.rows[0], strict=True))["Wins"] == 41
    assert OUT[kind]().to_representation(vars(row) | {"wins": 41, "marks": None})["wins"] == 41
    club = Club(slug="club")
    publication = SeriesPublication(version=1, series=Series(club=club, slug="series", title="Series"))
    tables = [RankingTable(place_rows([(1, row)]))]
    place = {"club": club, "publication": publication, "ranking": rank(shape, [row]), "tables": tables}
    frame = render_to_string("embedded/ranking.html", place | {"shown": list_columns(shape, EMBED)})
    assert re.search(r'<th class="num">\s*Wins\s*</th>', frame)
    assert '<td class="num wide-only quiet">41</td>' in frame


def test_the_template_that_draws_heads_draws_the_cells_too():
    templates = ROOT / "templates"
    texts = {str(path.relative_to(templates)): path.read_text() for path in templates.rglob("*.html")}
    heads = [name for name, text in texts.items() if "aria-sort=" in text]
    cells = [name for name, text in texts.items() if "show_cells cells player" in text]
    assert heads == cells == ["ranking/table/body.html"]


def read_drawers():
    """Return the texts that draw rankings, by path: of templates only the heads of their tables."""
    found = {path: (ROOT / path).read_text() for path in PYTHON}
    # The module has the tables of étuis, plays and feuilles too, with heads of their own.
    found[FILES] = "\n".join(map(getsource, (make_ranking_table, make_sheet_column, read_cell)))
    for pattern in TEMPLATES:
        for path in (ROOT / "templates").glob(pattern):
            if path.name not in OTHERS:
                found[str(path)] = "\n".join(HEAD.findall(path.read_text()))
    return found


def find_second_labels(drawers):
    """Return (path, label) of each label of the catalogue that a drawer writes itself."""
    with override("en"):
        labels = {str(text) for each in columns.CATALOGUE for text in (each.label, *each.units.values()) if text}
    return [(path, label) for path, text in drawers.items() for label in MARKED.findall(text) if label in labels]


def test_no_drawer_has_a_second_label_of_a_column():
    drawers = read_drawers()
    assert find_second_labels(drawers) == []
    planted = {FILES: drawers[FILES] + '\nTOTAL = _("Global")\n', "a.html": '<th>{% translate "Deals" %}</th>'}
    assert find_second_labels(planted) == [(FILES, "Global"), ("a.html", "Deals")]


@pytest.mark.parametrize(
    ("shape", "language", "heads"),
    [
        (
            SHAPES["field"], "fr",
            "Alterné, Général, Par ligne, Ligne, Joueur, Club, Donnes, Attaque (%), Défense (%), Global (%),"
            " Points retirés",
        ),
        (
            SHAPES["field"], "en",
            "Alterné, Général, By line, Line, Player, Club, Deals, Attack (%), Defence (%), Global (%), Points off",
        ),
        (replace(SHAPES["series"], mean=True), "fr", "Rang, Joueur, Moyenne, Épreuves jouées"),
        (replace(SHAPES["series"], mean=True), "en", "Rank, Player, Mean, Events played"),
        (SHAPES["series"], "fr", "Rang, Joueur, Total, Épreuves jouées"),
        (replace(SHAPES["tournament"], teams=True, more=[ROUND]), "fr", "Rang, Équipe, Total, Séances jouées, Round"),
    ],
)  # fmt: skip
def test_heads_of_a_file_name_what_the_column_has(shape, language, heads):
    with override(language):
        assert ", ".join(each.label for each in make_ranking_table(rank(shape, []), "").columns) == heads


@pytest.mark.parametrize(
    ("shape", "language", "heads"),
    [
        (SHAPES["session"], "fr", "Rang, Joueur, Global"),
        (replace(SHAPES["session"], unit=Unit.MARKS), "en", "Rank, Player, Marks"),
        (replace(SHAPES["session"], unit=Unit.MATCH_POINTS, teams=True), "en", "Rank, Team, Match points"),
        (replace(SHAPES["tournament"], teams=True), "fr", "Rang, Équipe, Total"),
        (replace(SHAPES["tournament"], mean=True), "fr", "Rang, Joueur, Moyenne"),
        (SHAPES["field"], "en", "Rank, Player, Global"),
    ],
)
def test_heads_of_a_frame_name_teams_and_means(shape, language, heads):
    with override(language):
        assert ", ".join(str(each.label) for each in list_columns(shape, EMBED)) == heads


def test_french_file_has_the_french_letters_of_lines(row):
    with override("fr"):
        table = make_ranking_table(rank(SHAPES["field"], [row]), "Simultané")
    assert table.rows[0][3] == "O"


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (
            "session",
            "rank_alterne rank_general rank_line line number deals attacks defences attack defence overall penalty"
            " ranked unranked told id marks attack_marks defence_marks",
        ),
        ("tournament", "rank before told total played in_final marks results"),
        ("series", "rank before total played in_final marks results"),
        ("field", "rank_alterne rank_general rank_line line club deals attack defence overall penalty unranked"),
    ],
)
def test_answers_have_the_columns_of_their_kind(kind, fields):
    who = ("player", "name", "shown", "team", "members")
    assert set(OUT[kind]().get_fields()) == {*who, *fields.split()}

"""The check for invisible characters in names: it is used wherever somebody gives a name."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from clubs.lists import PEOPLE, ColumnKind, read_named_cells, read_pasted
from clubs.models import Club, Player, Season, hidden_in, validate_name
from clubs.names import drop_hidden
from clubs.roster import RosterError, read_line
from clubs.roster.lines import NameOrder
from deals.models import DealSet
from pages.doors import session_url
from pages.play.entry_forms import ReasonForm
from pages.prepare.etuis import ChooseSetForm
from pages.prepare.setup_forms import TournamentForm
from pages.sets.forms import DrawValueForm, ImportForm, NewSetForm, UseForm
from rooms.visitors.names import VisitorRefused, clean_guest_name
from tests.factories import enter, make_club, make_director, started_session
from tournaments.models import Ruling, Session, Tournament

SPOOFED = "Zoé \u202etnopuD"
HIDDEN = ["a\0b", "a\nb", "a\x1b[0m", "a\x85b", "\u200eZoé", SPOOFED, "a\u2066b", "\ufeffZoé", "a\u2028b", "a\u061cb"]
HIDDEN += ["\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\ud800", "Zoé\u034f", "\U0001d159"]
HIDDEN += ["Du\u200bpont", "Du\u200cpont", "Du\u200dpont", "Du\u2060pont", "Du\u00adpont", "Zoé\U000e0041"]
HIDDEN += ["Zo\ufe0fé", "Zoé\u200d"]
HIDDEN += ["e\u0301\u0302\u0303\u0304\u0305\u0306", "\u0301Zoé", "a \u0301"]
PLAIN = ["Zoé Île-Dieu", "Nguyễn Minh", "=HYPERLINK(1)", "می\u200cخواهم", "שרה", "O’Neill", "Ł ß", "👩\u200d🦰", ""]
PLAIN += ["❤\ufe0f", "1\ufe0f\u20e3", "👩🏽\u200d🦰", "Zoe\u0301", "Nguye\u0302\u0303n", "A\u202f!"]
PLAIN += ["ב\u05b0\u05bc", "क्\u200dष", "བསྒྲུབས", "ครั้ง", "한글"]


@pytest.mark.parametrize("name", HIDDEN)
def test_hidden_characters_are_refused_and_named(name):
    with pytest.raises(ValidationError, match=r"\(U\+[0-9A-F]{4,5}\)"):
        validate_name(name)


@pytest.mark.parametrize("name", PLAIN)
def test_names_of_every_language_pass(name):
    assert hidden_in(name) == ""


@pytest.mark.parametrize("name", ["\u3164\u3164", "\u115f\u1160", "\uffa0\u2800", "\u200b\u200c"])
def test_guest_has_no_invisible_name(name):
    with pytest.raises(VisitorRefused):
        clean_guest_name(name)
    assert clean_guest_name(f"Zo\u00adé{name[:1]} B") == "Zo é B"


def test_hidden_characters_are_left_out_of_titles_from_other_sites():
    assert drop_hidden("Coupe\u3164 d’été\U000e0041") == "Coupe d’été"


@pytest.mark.parametrize("sign", ["\u3164", "\u115f", "\u1160", "\uffa0"])
@pytest.mark.parametrize("head", ["Nom;Prénom;Licence", "Nom;Club", "Nom;Prénom;Points"])
def test_cell_of_a_table_with_a_hidden_character_is_told_by_its_row(head, sign):
    pasted = read_pasted(f"{head}\nDupont;Zoé;4123\n{sign};{sign};4124", {*PEOPLE, ColumnKind.POINTS})
    plain, hidden = pasted.rows
    assert read_named_cells(plain.cells, plain.number, NameOrder.SEEN)[0].line.last_name == "Dupont"
    with pytest.raises(RosterError) as refused:
        read_named_cells(hidden.cells, hidden.number, NameOrder.SEEN)
    assert (refused.value.code, refused.value.params["character"]) == ("roster_hidden", f"U+{ord(sign):04X}")
    assert refused.value.params["line"] == 3


def test_pasted_line_with_a_hidden_character_is_told_by_its_number():
    with pytest.raises(RosterError) as refused:
        read_line(f"Dupont; {SPOOFED}", 7)
    assert (refused.value.code, refused.value.params) == ("roster_hidden", {"line": 7, "character": "U+202E"})
    assert read_line("Dupont\tZoé").first_name == "Zoé"


@pytest.mark.parametrize(
    "make", [lambda: Club(name=SPOOFED), lambda: Season(name=SPOOFED), lambda: Player(last_name=SPOOFED)]
)
def test_administration_refuses_them(make):
    with pytest.raises(ValidationError) as refused:
        make().clean_fields()
    assert {error.code for errors in refused.value.error_dict.values() for error in errors} >= {"hidden_character"}


@pytest.mark.nightly("story")
@pytest.mark.django_db
def test_reasons_hold_them_neither_on_pages_nor_by_programs(client):
    """Check reasons too: everybody reads them in the log and beside names, and they are kept for good."""
    session = started_session()
    director = make_director(session.tournament.club)
    play = session.plays.select_related("etui").first()
    entry = enter(play, by=director)
    client.force_login(director)
    told = {"reason": SPOOFED, "seen_version": 1, "version": 1}
    for form in (
        ReasonForm(told),
        UseForm(Session.objects.all(), 1, told),
        ChooseSetForm(session.tournament.club, 4, told),
    ):
        assert "U+202E" in str(form.errors["reason"]), form
    for name in ("annul", "take", "withdraw"):
        page = client.post(session_url(name, session, play.pk), told, follow=True)
        assert "U+202E" in page.content.decode(), name
    for method, path in ((client.put, "annulment"), (client.delete, "annulment"), (client.delete, "result")):
        body = {"reason": SPOOFED} | ({"seen_version": 1} if path == "result" else {})
        answer = method(f"/api/v1/plays/{play.pk}/{path}/", body, content_type="application/json")
        assert (answer.status_code, "U+202E" in answer.content.decode()) == (400, True), path
    for path in (
        *(f"sessions/{session.pk}/{act}/" for act in ("reopen", "publications")),
        *(f"sessions/{session.pk}/publications/{act}/" for act in ("reopen", "withdraw")),
        *(f"tournaments/{session.tournament_id}/publications/{act}" for act in ("", "reopen/", "withdraw/")),
    ):
        answer = client.post(f"/api/v1/{path}", {"reason": SPOOFED}, content_type="application/json")
        assert (answer.status_code, "U+202E" in answer.content.decode()) == (400, True), path
    assert not Ruling.objects.exists()
    assert list(play.entries.all()) == [entry]


def test_forms_refuse_them_beside_the_field():
    told = {"name": SPOOFED, "value_name": SPOOFED, "value": SPOOFED}
    wrong = {
        "name": (NewSetForm(told), ImportForm(told | {"text": "1 -"})),
        "value_name": (NewSetForm(told),),
        "value": (DrawValueForm(told),),
        "text": (ImportForm({"name": "x", "text": '{"boards": [{"number": 1}], "value_name": "\u202e"}'}),),
    }
    for field, forms in wrong.items():
        for form in forms:
            assert "U+202E" in str(form.errors[field])


@pytest.mark.django_db
def test_pages_and_programs_refuse_them_and_write_nothing(client):
    club = make_club()
    client.force_login(make_director(club))
    assert "U+202E" in str(TournamentForm(club, {"name": SPOOFED, "auction": "free"}).errors["name"])
    client.post(reverse("tournament_new", args=[club.slug]), {"name": SPOOFED, "auction": "free"})
    for path, body in (
        (f"/api/v1/clubs/{club.slug}/players/", [{"last_name": SPOOFED}]),
        (f"/api/v1/clubs/{club.slug}/players/", {"roster": f"Dupont; {SPOOFED}"}),
        (f"/api/v1/clubs/{club.slug}/tournaments/", {"name": SPOOFED, "auction": "free"}),
    ):
        answer = client.post(path, body, content_type="application/json")
        assert answer.status_code in (400, 422), path
        assert "U+202E" in answer.content.decode()
    assert [model.objects.count() for model in (Tournament, Player, DealSet)] == [0, 0, 0]

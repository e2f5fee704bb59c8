"""The arbiter's report, read back from the PDF: what it tells, to which reader, its pages and its queries."""

import datetime as dt
from decimal import Decimal
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.translation import override

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plays import ruling
from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play, correct_result
from evenings.plays.entries import to_row
from evenings.plays.penalties import Sanction, give_penalty, take_back_penalty
from evenings.sessions import running
from evenings.sessions.running import close_session, reopen_session
from outgoing.paper.evening_report import count_players, evening_report
from outgoing.paper.report_rows import Teller, corrections, say_published
from pages.doors import session_url
from tests.deals.exports import test_pdf as reader
from tests.evenings.tables.phones import Device, tokens_of
from tests.factories import enter, enter_all, garde, make_director, publish, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import (
    Applicant,
    ArbiterCall,
    CorrectionRequest,
    Entrant,
    EntryCheck,
    Play,
    Publication,
    ResultEntry,
    Ruling,
    Session,
)

pytestmark = pytest.mark.django_db
LATER = dt.datetime(2026, 11, 22, 9, 5, tzinfo=dt.UTC)


def fresh(session):
    return Session.objects.select_related("tournament__club", "deal_set").get(pk=session.pk)


def text_of(document):
    return " ".join(run.strip() for page in reader.printed(document) for run in page if run.strip())


def told(session, language="en", **given):
    return text_of(evening_report(fresh(session), language=language, now=LATER, **given))


@pytest.fixture
def session():
    return started_session(positions=4, etuis_per_position=2, cards=True)


@pytest.fixture
def said(director):
    return {"by": director, "now": dt.datetime(2026, 11, 20, 20, 31, tzinfo=dt.UTC)}


@pytest.fixture
def eventful(session, director, said):
    """Return an evening in which everything that a report tells of has happened once."""
    tokens_of(session)
    running.call_position(session_id=session.pk, position=1, **said)
    enter_all(session, by=director)
    plays = list(session.plays.select_related("etui", "table").order_by("position", "table__number", "etui__number"))
    corrected, annulled, adjusted, aside, other, asked, disputed = plays[:7]
    correct_result(
        play_id=corrected.pk,
        entry=garde(corrected.etui.taker, points=61),
        seen_version=1,
        reason="compté deux fois",
        **said,
    )
    annul_play(play_id=annulled.pk, reason="cartes vues", **said)
    adjust_play(play_id=adjusted.pk, notes={"N": "60"}, compared=False, reason="fausse donne", article="8.3", **said)
    given = {"author": director, "ruled_at": said["now"]}
    Ruling.objects.bulk_create(Ruling(play=play, kind="not_played", **given) for play in (aside, other))
    ruling.annul_etui(session_id=session.pk, etui=9, reason="étui mal remis", **said)
    people = list(session.entrants.order_by("number", "line"))
    penalty = {"session_id": session.pk, "entrant_id": people[0].pk, **said}
    give_penalty(sanction=Sanction(points=Decimal("1.5"), article="12"), reason="retard", **penalty)
    back = give_penalty(sanction=Sanction(kind="warning", points=Decimal(0)), reason="bruit", **penalty)
    take_back_penalty(session_id=session.pk, penalty_id=back.pk, reason="à tort", **said)
    came, left, replaced = people[1:4]
    Entrant.objects.filter(pk=came.pk).update(first_position=2)
    Entrant.objects.filter(pk=left.pk).update(last_position=3)
    (stand_in,) = add_players(club=session.tournament.club, lines=[RosterLine("Remplaçante", "Éloïse")])
    Entrant.objects.filter(pk=replaced.pk).update(stand_in=stand_in, stand_in_from=3)
    Applicant.objects.create(
        session=session, last_name="Absent", key="absent", token="a" * 43, registered_at=said["now"]
    )
    Device(session.tables.get(number=1)).send("call")
    call = ArbiterCall.objects.get()
    ruling.answer_call(session_id=session.pk, call_id=call.pk, **said)
    EntryCheck.objects.create(
        entry=disputed.entries.get(), agrees=False, seat="N", device="Table 2 · iPhone", checked_at=said["now"]
    )
    CorrectionRequest.objects.create(
        play=asked,
        entrant=asked.north,
        text="c’était 51",
        asked_at=said["now"],
        accepted=False,
        answer="la fiche dit 50",
        decided_at=said["now"],
        decided_by=director,
    )
    publish(session, by=director, allow_missing=True)
    close_session(session_id=session.pk, **said)
    reopen_session(session_id=session.pk, reason="étui oublié", **said)
    return session


@pytest.mark.nightly("print")
def test_report_tells_everything_that_happened(eventful):
    report = told(eventful)
    commitment = eventful.deal_set.commitment
    for text in (
        "Club des Étuis",
        "Duplicate d’été",
        commitment,
        "20 players",
        "Position 1 called",
        "compté deux fois",
        "became",
        "cartes vues",
        ": 60 · does not count for the others)",
        "fausse donne · article 8.3",
        "Position 1, not played: étui",
        "étui mal remis",
        "penalty, −1.50 on the percentage",
        "retard · article 12",
        "warning withdrawn",
        "came for position 2",
        "left after position 3",
        "replaced by Éloïse Remplaçante from position 3 on",
        "had signed up, but did not come",
        "Table 1 calls the arbiter",
        "answered at",
        "the result is disputed",
        "asks: “c’était 51”",
        "refused · la fiche dit 50",
        "Version 1: the ranking is published, provisional",
        "Evening reopened; reason: étui oublié",
        "directrice",
    ):
        assert text in report, text


@pytest.mark.nightly("print")
def test_report_is_in_french_with_the_clubs_hours(eventful):
    report = told(eventful, "fr")
    for text in (
        "Rapport de l’arbitre",
        "21:31",
        "le résultat est en litige",
        "−1,50",
        "remplacé par Éloïse Remplaçante à partir de la position 3",
    ):
        assert text in report, text
    assert "What" not in report


def test_empty_sections_say_so(session):
    report = told(session)
    for text in ("Everybody was there from beginning to end.", "None.", "Nothing is published yet."):
        assert text in report


@pytest.mark.nightly("print")
def test_etuis_that_its_reader_has_still_to_play_are_left_out(eventful, director):
    hidden = {play.etui_id for play in eventful.plays.all()}
    report = told(eventful, hidden=hidden)
    for text in ("compté deux fois", "cartes vues", "fausse donne", "étui mal remis", "c’était 51", "is disputed"):
        assert text not in report
    assert "Étuis that the reader has not played yet are left out." in report
    assert "retard · article 12" in report


@pytest.mark.nightly("print")
def test_printing_page_lists_it_and_a_director_who_plays_gets_his_own(eventful, director, said):
    browser = browser_of(director)
    assert "Arbiter’s report" in words(browser.get(session_url("prints", eventful)))
    answer = browser.get(session_url("prints_pdf", eventful), {"document": "report"})
    assert answer["Content-Type"] == "application/pdf"
    whole = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert "compté deux fois" in text_of(whole)
    corrected = ResultEntry.objects.get(version=2).play
    waiting = Play.objects.filter(etui=corrected.etui).exclude(pk=corrected.pk).first()
    waiting.entries.all().delete()
    ruling.declare_playing(session_id=eventful.pk, entrant_id=waiting.north_id, **said)
    answer = browser.get(session_url("prints_pdf", eventful), {"document": "report"})
    assert "compté deux fois" not in text_of(answer.content)


@pytest.mark.nightly("print")
def test_report_of_a_large_hall_is_a_few_pages_by_few_questions():
    session = started_session(tables=150, positions=4)
    director = make_director(session.tournament.club)
    enter_all(session, by=director)
    now = timezone.now()
    plays = list(session.plays.select_related("etui", "table")[:600])
    for play in plays[:40]:
        correct_result(
            play_id=play.pk,
            entry=garde(play.etui.taker, points=77),
            seen_version=1,
            reason="relu",
            by=director,
            now=now,
        )
    Ruling.objects.bulk_create(
        Ruling(play=play, kind="not_played", author=director, ruled_at=now) for play in plays[-150:]
    )
    enter(session.plays.filter(entries=None).first(), by=director) if session.plays.filter(entries=None) else None
    with CaptureQueriesContext(connection) as asked:
        document = evening_report(fresh(session), language="fr", now=now)
    assert len(asked) < 30
    assert len(list(reader.printed(document))) <= 6


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(
    ("status", "before", "said"),
    [
        ("official", ("provisional", "a"), "the ranking is official"),
        ("withdrawn", ("provisional", "a"), "the ranking is withdrawn"),
        ("provisional", None, "the ranking is published, provisional"),
        ("provisional", ("official", "a"), "the ranking is provisional again"),
        ("provisional", ("official", "b"), "the ranking is published again, provisional"),
        ("provisional", ("provisional", "a"), "the ranking is published again, provisional"),
    ],
)
def test_each_published_version_has_its_sentence(status, before, said):
    earlier = Publication(status=before[0], digest=before[1]) if before else None
    assert say_published(Publication(status=status, digest="a"), earlier) == f"Version %(version)s: {said}"


@pytest.mark.usefixtures("english")
def test_players_who_came_after_the_first_position_came_later():
    stays = [{}, {"first_position": 2}, {"first_position": 3}, {"first_position": 3, "earlier": [[1, 1, 1]]}]
    people = [Entrant(number=1, **stay) for stay in stays] + [Entrant(number=1, ranked=False)]
    teller = SimpleNamespace(entrants=dict(enumerate(people)))
    assert count_players(teller) == "2, 2 who came later and 1 who completes a table"


def test_report_tells_a_result_that_another_table_sent_too(db):
    session = started_session()
    play, by = session.plays.first(), make_director(session.tournament.club)
    for version, points in ((1, 49), (2, 61)):
        row = to_row(garde(play.taker, points=points)) | {
            "version": version,
            "contested": version == 2,
            "reason": "deux fois",
        }
        ResultEntry.objects.create(play=play, current=version == 1, author=by, entered_at=LATER, **row)
    teller = Teller(fresh(session), frozenset())
    with override("en"):
        (row,) = corrections(teller)
    assert row.what.endswith(": +90 was also entered, besides +66")

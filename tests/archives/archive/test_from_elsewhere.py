"""The rows that come from another site: versions with their bytes, sets without their seed, erased players."""

import pytest
from django.utils import timezone

from archives.archive.numbers import SESSION_REPORT, renumber
from clubs.models import Person, Player
from deals.errors import DealSetRefused
from deals.models import DealSet, Etui
from deals.sets import add_etuis, copy_deal_set, deal_from_public_value, reveal_deal_set
from rankings.publication.publishing import is_due
from tests.factories import make_club, make_director, publish, published_session
from tournaments.models import Publication
from tournaments.versions import digest_figures, own_digest

pytestmark = pytest.mark.django_db


@pytest.fixture
def elsewhere():
    """Publish a session, and make its version one that another site froze with other numbers."""
    session = published_session()
    version = session.publications.get()
    frozen = renumber(SESSION_REPORT, version.data, lambda mention: mention.number + 5_000_000)
    Publication.objects.filter(pk=version.pk).update(frozen=frozen, digest=digest_figures(frozen))
    return Publication.objects.get(pk=version.pk)


@pytest.mark.nightly("story")
def test_version_from_elsewhere_keeps_its_digest_when_the_same_is_published(elsewhere):
    session = elsewhere.session
    assert own_digest(elsewhere) == digest_figures(elsewhere.data) != elsewhere.digest
    assert publish(session, by=make_director(session.tournament.club, "another")) == elsewhere
    session.results_version += 1
    assert not is_due(session, elsewhere, missing=0)


def test_next_version_has_the_bytes_of_the_one_from_elsewhere(elsewhere):
    from rankings.publication.publishing import SESSIONS
    from tournaments.versions import DirectorWord

    official = SESSIONS.make_official(elsewhere.session_id, word=DirectorWord(None, timezone.now()))
    assert official.pk != elsewhere.pk
    assert (official.frozen, official.digest) == (elsewhere.frozen, elsewhere.digest)


@pytest.fixture
def sealed():
    """Make a sealed set with a commitment, and étuis without the cards that its seed deals."""
    club = make_club("sans-graine")
    at = timezone.now()
    deal_set = DealSet.objects.create(
        club=club, name="Ailleurs", commitment="ab" * 32, created_at=at, sealed_at=at, value_name="Loto"
    )
    Etui.objects.create(deal_set=deal_set, number=1, taker="N", dealer="E", origin="generated", attempt=2)
    Etui.objects.create(deal_set=deal_set, number=2, taker="S", dealer="E", origin="awaited")
    return deal_set


def test_set_without_its_seed_deals_no_cards_here(sealed):
    by, now = make_director(sealed.club), timezone.now()
    for refused, code in (
        (lambda: deal_from_public_value(deal_set_id=sealed.pk, value="7 12 30"), "seed_elsewhere"),
        (lambda: add_etuis(deal_set_id=sealed.pk, last=4), "seed_elsewhere"),
        (lambda: copy_deal_set(deal_set=sealed, club=make_club("autre"), by=by, now=now), "copy_without_seed"),
        (lambda: reveal_deal_set(deal_set=sealed, now=now), "no_seed"),
    ):
        with pytest.raises(DealSetRefused) as refusal:
            refused()
        assert refusal.value.code == code
    sealed.refresh_from_db()
    assert (sealed.value, sealed.revealed_at, sealed.etuis.exclude(cards="").count()) == ("", None, 0)


def test_erased_player_is_called_by_the_number_of_the_site_where_they_were_erased():
    person = Person.objects.create()
    player = Player.objects.create(
        club=make_club(), person=person, last_name="n° 3", erased_at=timezone.now(), erased_number=987_654
    )
    assert "987654" in player.name

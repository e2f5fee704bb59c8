"""The public check of a deal set: nothing of a seed before its reveal, and then all that the scripts need."""

import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from deals.domain.dealing import seed_commitment
from deals.domain.profile import PROFILES, get_profile
from deals.management.commands.profile_figures import figures
from deals.models import DealSet
from deals.sets import copy_deal_set, create_deal_set, deal_from_public_value, reveal_deal_set, seal_deal_set
from pages.sets.profile_figures import charts, read_counts
from tests.factories import SEED, make_club, make_director
from tests.pages.reading import read, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return make_club()


@pytest.fixture
def browser(client):
    """Return a stranger's browser, in English."""
    client.cookies["django_language"] = "en"
    return client


def make(club, **how):
    return create_deal_set(club=club, name="Secret name", count=4, now=timezone.now(), by=None, seed=SEED, **how)


def sealed(club, **how):
    deal_set = make(club, **how)
    seal_deal_set(deal_set=deal_set, now=timezone.now())
    return deal_set


def revealed(club, value="", **how):
    deal_set = sealed(club, value_name="Loto" if value else "", **how)
    if value:
        deal_from_public_value(deal_set_id=deal_set.pk, value=value)
    reveal_deal_set(deal_set=deal_set, now=timezone.now())
    deal_set.refresh_from_db()
    return deal_set


def address(deal_set):
    return reverse("verify_set", args=(deal_set.commitment,))


def test_set_that_is_not_sealed_is_unknown_to_everybody(browser, club):
    deal_set = make(club)
    assert browser.get(address(deal_set)).status_code == 404
    assert deal_set.commitment[:16] not in browser.get(reverse("verify")).content.decode()
    assert "No sealed set has this commitment" in words(
        browser.get(reverse("verify"), {"commitment": deal_set.commitment})
    )


def test_sealed_set_shows_its_commitment_and_neither_seed_nor_cards_nor_name(browser, club):
    deal_set = sealed(club, profile="garde-1")
    for page in (reverse("verify"), address(deal_set)):
        text = browser.get(page).content.decode()
        assert deal_set.commitment[:16] in text
        assert SEED.hex() not in text
        assert "Secret name" not in text
        assert not any(etui.cards in text for etui in deal_set.etuis.all())


def test_commitment_is_found_in_whatever_case_and_spacing(browser, club):
    deal_set = sealed(club)
    asked = f" {deal_set.commitment[:32].upper()} {deal_set.commitment[32:]} "
    assert browser.get(reverse("verify"), {"commitment": asked}).url == address(deal_set)


def test_copies_are_told_with_their_clubs(browser, club):
    deal_set = sealed(club)
    other = make_club("autre", "Autre club")
    copy_deal_set(deal_set=deal_set, club=other, by=make_director(other), now=timezone.now())
    text = words(browser.get(address(deal_set)))
    assert "Club des Étuis" in text
    assert "Autre club" in text


@pytest.mark.parametrize(
    "how", [{}, {"profile": "garde-1"}, {"value": "7 12 'x' é"}, {"players": 3}, {"players": 5}], ids=str
)
def test_command_on_the_page_finds_every_line_of_the_file(browser, club, tmp_path, how):
    deal_set = revealed(club, **how)
    answer = browser.get(address(deal_set))
    name = answer.context["file"]
    assert f"python3 topage_deals.py {name}" in answer.content.decode()
    file = browser.get(reverse("verify_file", args=(deal_set.commitment,)))
    assert file["Content-Disposition"] == f'attachment; filename="{name}"'
    (tmp_path / name).write_bytes(file.content)
    script = settings.BASE_DIR / "deals" / "static" / "deals" / "topage_deals.py"
    command = [sys.executable, str(script), name]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.splitlines() == [f"commitment {deal_set.commitment} fits the seed", "4 of 4 agree"]
    assert file.content.decode().splitlines()[-4:] == answer.context["lines"].splitlines()
    assert answer.context["lines"].splitlines()[0] in answer.content.decode()


def test_file_of_a_set_is_there_once_its_seed_is_revealed(browser, club):
    deal_set = sealed(club)
    assert browser.get(reverse("verify_file", args=(deal_set.commitment,))).status_code == 404
    reveal_deal_set(deal_set=deal_set, now=timezone.now())
    assert browser.get(reverse("verify_file", args=(deal_set.commitment,))).status_code == 200


def test_page_says_who_drew_the_seed(browser, club):
    drawn = create_deal_set(club=club, name="x", count=1, now=timezone.now(), by=None)
    seal_deal_set(deal_set=drawn, now=timezone.now())
    assert "this site, with 32 random bytes" in words(browser.get(address(drawn)))
    assert "imported The seed came to this site in a file" in words(browser.get(address(sealed(club))))
    DealSet.objects.filter(pk=drawn.pk).update(commitment=seed_commitment(bytes.fromhex(drawn.seed)))
    drawn.refresh_from_db()
    assert "not known: when this set was made" in words(browser.get(address(drawn)))


@pytest.mark.parametrize("commitment", ["0" * 64, "abc", "0" * 63, "G" * 64])
def test_unknown_commitment_is_not_found(browser, commitment):
    assert browser.get(f"/verify/{commitment}/").status_code == 404


def test_verify_page_offers_the_scripts(browser):
    links = read(browser.get(reverse("verify"))).links
    assert [link for link in links if link.endswith(".py")] == [
        "/static/deals/topage_deals.py",
        "/static/deals/topage_profiles.py",
    ]


@pytest.mark.parametrize("named", PROFILES)
def test_counted_figures_are_those_that_the_command_counts(named):
    committed = read_counts(named)
    profile = get_profile(named)
    assert (committed["minimum"], committed["maximum"]) == (profile.minimum, profile.maximum)
    few = figures(named, 300)
    for kind in ("unfiltered", "profiled"):
        for name in ("bouts", "trumps", "evaluation"):
            assert sum(committed[kind][name].values()) == committed["boards"]
            means = [
                sum(int(value) * count for value, count in data[kind][name].items()) / data["boards"]
                for data in (committed, few)
            ]
            assert means[0] == pytest.approx(means[1], rel=0.12)
    values = [int(value) for value in committed["profiled"]["evaluation"]]
    assert min(values) == profile.minimum
    assert max(values) == profile.maximum or (profile.for_auction and max(values) < profile.maximum)


def test_command_writes_what_it_counts(capsys):
    call_command("profile_figures", "garde-1", boards=2)
    assert '"boards": 2' in capsys.readouterr().out


@pytest.mark.parametrize("named", PROFILES)
def test_charts_stay_in_their_field_and_their_percentages_add_up(named):
    for chart in charts(read_counts(named)):
        assert sum(row.unfiltered for row in chart.rows) == 100
        assert sum(row.profiled for row in chart.rows) == 100
        for bar in chart.bars:
            assert float(bar.x) >= 32
            assert float(bar.x) + float(bar.width) <= 392.01
            assert float(bar.y) >= 12
            assert float(bar.y) + float(bar.height) == pytest.approx(142, abs=0.02)


def test_profile_page_is_drawn_without_inline_style(browser):
    answer = browser.get(reverse("profile", args=("garde-1",)))
    assert answer.status_code == 200
    assert read(answer).refused == []
    assert "on average 31.56 without, 51.53 with the profile" in words(answer)
    assert "South takes every étui" not in words(answer)
    assert "South takes every étui" in words(browser.get(reverse("profile", args=("garde-1-south",))))
    assert "the best of the four sums is at least 43" in words(browser.get(reverse("profile", args=("auction-1",))))
    assert browser.get(reverse("profile", args=("garde-2",))).status_code == 404

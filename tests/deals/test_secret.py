"""The seeds and cards in the database: if keys lie elsewhere, nobody can read them there."""

import shutil

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.utils import timezone

from deals.models import DealSet, Etui
from deals.rekeying import read_newest_cards, rekey
from deals.secret import MARK, UnreadableCards
from deals.sets import copy_deal_set, create_deal_set, reveal_deal_set, seal_deal_set
from evenings.plans.deal_sets import sets_with
from tests.config.test_settings import python
from tests.factories import make_club, make_director
from tests.operations.place import Place

pytestmark = pytest.mark.django_db

OLD, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()

NEW_SET = """
import django; django.setup()
from django.utils import timezone
from clubs.models import Club
from deals.sets import create_deal_set
create_deal_set(club=Club.objects.create(name="x", slug="x"), name="x", count=1, now=timezone.now(), by=None)
"""


def make_set(name="étuis"):
    club = make_club(name, name)
    return create_deal_set(club=club, name=name, count=4, now=timezone.now(), by=make_director(club, f"d-{name}"))


def stored(model, column):
    """Return the texts of a column as they lie in the database."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {column} FROM {model._meta.db_table} WHERE {column} <> '' ORDER BY id")
        return [row[0] for row in cursor.fetchall()]


def dump():
    """Return everything that lies in the database, as one text."""
    told = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            told += map(repr, cursor.fetchall())
    return "\n".join(told)


def test_stolen_database_shows_neither_seed_nor_cards(settings):
    settings.CARD_KEYS = [NEW]
    deal_set = make_set()
    secrets = [deal_set.seed, *deal_set.etuis.values_list("cards", flat=True)]
    assert len(set(secrets)) == 5
    told = dump()
    assert [secret for secret in secrets if secret in told] == []
    settings.CARD_KEYS = []
    plain = make_set("ouverts")
    told = dump()  # the search above finds what lies there
    assert all(secret in told for secret in [plain.seed, *plain.etuis.values_list("cards", flat=True)])


def test_encrypted_set_is_read_copied_found_and_revealed_as_any_other(settings):
    settings.CARD_KEYS = [NEW]
    deal_set = make_set()
    seal_deal_set(deal_set=deal_set, now=timezone.now())
    other = make_club("autre", "Autre")
    director = make_director(other, "autre")
    copy = copy_deal_set(deal_set=DealSet.objects.get(pk=deal_set.pk), club=other, now=timezone.now(), by=director)
    read = DealSet.objects.get(pk=copy.pk)
    assert read.seed == deal_set.seed
    assert [*read.etuis.values_list("cards", flat=True)] == [*deal_set.etuis.values_list("cards", flat=True)]
    assert stored(DealSet, "seed")[0] != stored(DealSet, "seed")[1]
    assert {*sets_with(deal_set)} == {deal_set, copy}
    reveal_deal_set(deal_set=deal_set, now=timezone.now())
    assert DealSet.objects.filter(revealed_at=None).count() == 0


def test_key_is_changed_and_the_old_one_can_go(settings):
    settings.CARD_KEYS = []
    first = make_set()
    settings.CARD_KEYS = [OLD]
    second = make_set("autres")
    expected = [*Etui.objects.order_by("pk").values_list("cards", flat=True)]
    settings.CARD_KEYS = [NEW, OLD]
    next(rekey())  # and the process ends here
    call_command("rekey")
    assert [*rekey()][-1] == (10, 0)
    settings.CARD_KEYS = [NEW]
    assert [*Etui.objects.order_by("pk").values_list("cards", flat=True)] == expected
    assert {DealSet.objects.get(pk=each.pk).seed for each in (first, second)} == {first.seed, second.seed}
    assert all(text.startswith(MARK) for text in [*stored(DealSet, "seed"), *stored(Etui, "cards")])
    call_command("rekey", plain=True)
    assert stored(Etui, "cards") == expected


def test_cards_under_a_missing_key_are_not_read(settings):
    settings.CARD_KEYS = [OLD]
    make_set()
    read_newest_cards()
    for keys in ([], [NEW]):
        settings.CARD_KEYS = keys
        with pytest.raises(UnreadableCards, match="CARD_KEYS does not name"):
            read_newest_cards()
    with pytest.raises(CommandError, match="CARD_KEYS does not name"):
        call_command("rekey", plain=True)


@pytest.mark.nightly("story")
def test_site_without_the_key_does_not_start(tmp_path, migrated_laptop):
    shutil.copyfile(migrated_laptop, tmp_path / "db.sqlite3")
    place = Place(tmp_path)
    place.environment["CARD_KEYS"] = OLD
    place.succeed("-c", NEW_SET)
    for keys in ("", NEW):
        place.environment["CARD_KEYS"] = keys
        assert "CARD_KEYS does not name" in place.refuse("manage.py", "serve", "--port", "0")


def test_encrypted_column_is_compared_with_nothing_but_an_empty_text():
    with pytest.raises(ValueError, match="empty text"):
        DealSet.objects.filter(seed="ab" * 32).exists()
    assert Etui.objects.exclude(cards="").count() == 0


@pytest.mark.nightly("story")
def test_wrong_key_stops_the_start_with_its_name():
    run = python("manage.py", "check", CARD_KEYS="too-short")
    assert (run.returncode, "CARD_KEYS" in run.stderr) == (1, True)
    assert "rekey --new" in run.stderr


def test_command_prints_a_key_that_the_settings_take(capsys, settings):
    call_command("rekey", new=True)
    settings.CARD_KEYS = [capsys.readouterr().out.strip()]
    assert make_set().etuis.count() == 4
    settings.CARD_KEYS = []
    with pytest.raises(CommandError, match="has no key"):
        call_command("rekey")

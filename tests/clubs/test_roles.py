"""The role that somebody has in a club now: one place decides it, in Python and in SQL, with the same answer."""

import datetime as dt
import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from django.utils import timezone

from clubs.models import Membership, day_of_roles
from tests.clubs.roles_compared import EXPECTED, compare
from tests.factories import make_club, make_helper
from tests.services.site import PROJECT
from tests.test_one_of_each import modules_that
from tournaments.permissions import Can, power_of


@pytest.mark.nightly("crawl")
@pytest.mark.django_db
def test_role_is_the_same_by_python_by_sql_and_by_what_asks_for_it():
    assert {"helper", "director", None} == set(EXPECTED.values())
    assert compare() == {}


@pytest.mark.nightly("crawl")
def test_role_is_the_same_on_a_laptops_database(tmp_path, migrated_laptop):
    shutil.copy(migrated_laptop, tmp_path / "db.sqlite3")
    told = {"MODE": "laptop", "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}", "REDIS_URL": ""}
    program = "import django; django.setup(); from tests.clubs import roles_compared; roles_compared.main()"
    environment = os.environ | told | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    said = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    assert json.loads(said.stdout) == ["sqlite", {}]


@pytest.mark.django_db
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_last_day_ends_by_the_clock_of_the_site_whatever_the_hour_of_the_page(zone):
    """Check that a role ends everywhere at once, although a page shows the hours of its club."""
    club = make_club()
    helper = make_helper(club)
    days = {}
    for days_left in (-1, 0):
        Membership.objects.update(ends_on=timezone.localdate() + dt.timedelta(days=days_left))
        helper.__dict__.pop("roles", None)
        with timezone.override(zone):
            days[days_left] = power_of(helper, club), day_of_roles() == timezone.localdate(None, ZONE)
    assert days == {-1: (Can.READ, True), 0: (Can.ENTER, True)}


ZONE = timezone.get_default_timezone()
HERE = {"clubs/roles.py", "clubs/models/accounts.py"}
MIGRATIONS = re.compile(r"^\w+/migrations/")


@pytest.mark.parametrize(
    ("words", "also"),
    [
        (r"\bclubs_membership\b", set()),
        (r"\bin_force\(\)|^from clubs\..*\bin_force\b", set()),
        (r"\.roles\b(?! import)", set()),
        (r"memberships?__(role|ends_on|user)", set()),
    ],
)
def test_no_other_module_compares_roles(words, also):
    found = {path for path in modules_that(words) if not MIGRATIONS.match(path)}
    assert found - HERE == also

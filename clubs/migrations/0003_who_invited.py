"""Write down whose invitation gave each role, as far as used invitations and the club's log still tell; and that open
invitations by the administrator are the site's."""

from django.conf import settings
from django.db import migrations


def tell_who_invited(apps, schema_editor):
    invitations, log = (apps.get_model("clubs", name).objects for name in ("Invitation", "ClubLogEntry"))
    memberships = apps.get_model("clubs", "Membership").objects
    for used in invitations.exclude(used_at=None).exclude(made_by=None).order_by("used_at"):
        came = log.filter(club=used.club_id, at=used.used_at, action="joined").exclude(author=None)
        for author in came.values_list("author", flat=True):
            memberships.filter(club=used.club_id, user=author).update(invited_by=used.made_by_id)
    for waiting in invitations.filter(used_at=None, revoked_at=None, made_by__is_superuser=True):
        if not memberships.filter(club=waiting.club_id, user=waiting.made_by_id, role="director").exists():
            invitations.filter(pk=waiting.pk).update(by_site=True)


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0002_password_links"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [migrations.RunPython(tell_who_invited, migrations.RunPython.noop, elidable=True)]

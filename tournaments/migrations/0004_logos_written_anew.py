from hashlib import sha256

from django.core.exceptions import ValidationError
from django.db import migrations

from clubs.house import read_logo


def write_logos_anew(apps, schema_editor):
    """Write each logo anew, without its metadata. A file that is no picture, or too large a one, goes."""
    logos = apps.get_model("clubs", "ClubLogo").objects.using(schema_editor.connection.alias)
    for logo in logos.iterator(chunk_size=1):
        try:
            written = read_logo(bytes(logo.data))
        except ValidationError:
            logo.delete()
            continue
        logo.kind, logo.data, logo.digest = *written, sha256(written.data).hexdigest()[:16]
        logo.save()


class Migration(migrations.Migration):
    """Written when logos came to be decoded: those that were kept as they were sent are written anew."""

    dependencies = [("clubs", "0001_initial"), ("tournaments", "0003_codes_of_twelve_signs")]
    operations = [migrations.RunPython(write_logos_anew, migrations.RunPython.noop)]

from django.db import migrations, models

from clubs.names import simplify_name

AT_ONCE = 1000


def store_simple_names(apps, schema_editor):
    """Store the simple form of each visitor's name."""
    visitor = apps.get_model("rooms", "Visitor")
    rows = visitor.objects.exclude(name="").order_by("pk").only("pk", "name")
    batch = []
    for row in rows.iterator(AT_ONCE):
        row.simple_name = simplify_name(row.name)[:80]
        batch.append(row)
        if len(batch) == AT_ONCE:
            visitor.objects.bulk_update(batch, ["simple_name"])
            batch = []
    visitor.objects.bulk_update(batch, ["simple_name"])


class Migration(migrations.Migration):
    dependencies = [("rooms", "0003_tables_for_four")]

    operations = [
        migrations.AddField(
            model_name="visitor", name="simple_name", field=models.CharField(blank=True, max_length=80)
        ),
        migrations.RunPython(store_simple_names, migrations.RunPython.noop, elidable=True),
        migrations.AddIndex(
            model_name="visitor",
            index=models.Index(
                condition=models.Q(("simple_name", ""), _negated=True), fields=["simple_name"], name="visitor_simple_name"
            ),
        ),
    ]

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0010_who_comes_back")]

    operations = [
        migrations.RemoveConstraint(model_name="etuiruling", name="etui_ruling_split_from_a_position"),
        migrations.AddField(
            model_name="etuiruling",
            name="played_before",
            field=models.JSONField(
                blank=True, default=list, help_text="numbers of the tables of from_position that came before"
            ),
        ),
        migrations.AddConstraint(
            model_name="etuiruling",
            constraint=models.CheckConstraint(
                condition=Q(kind="split", from_position__gte=2)
                | Q(("kind", "split"), ("from_position", 1), ~Q(played_before=[]))
                | Q(~Q(kind="split"), ("from_position", None), ("played_before", [])),
                name="etui_ruling_split_from_a_position",
            ),
        ),
    ]

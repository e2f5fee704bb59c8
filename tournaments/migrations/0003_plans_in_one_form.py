"""The stored plans in the one form of today: four lines had plays, teams a first and a second one, games people."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from movements.plan.bounds import PlanError
from movements.plan.notation import read_plan, write_plan

RENAMED = {"resting": "exempt", "least_rests": "least_exempt", "most_rests": "most_exempt"}
AT_ONCE = 200


def rewrite_plans(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Rewrite the data and the figures of each version of a plan. A plan that cannot be read stays as it is."""
    model = apps.get_model("tournaments", "PlanVersion")
    rows = model.objects.using(schema_editor.connection.alias).order_by("pk")
    last = 0
    while versions := list(rows.filter(pk__gt=last).only("pk", "data", "figures")[:AT_ONCE]):
        last = versions[-1].pk
        rows.bulk_update([version for version in versions if rewrite_plan(version)], ["data", "figures"])


def rewrite_plan(version: Any) -> bool:
    """Rewrite a version, without saving it. Return whether it has changed."""
    try:
        data = write_plan(read_plan(version.data))
    except PlanError:
        return False
    figures = {RENAMED.get(name, name): value for name, value in version.figures.items()}
    changed = (data, figures) != (version.data, version.figures)
    version.data, version.figures = data, figures
    return changed


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_doublettes")]

    operations = [migrations.RunPython(rewrite_plans, migrations.RunPython.noop)]

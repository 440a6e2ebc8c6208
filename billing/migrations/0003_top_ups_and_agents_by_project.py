import django.db.models.deletion
from django.db import migrations, models

import korely.kernel.clock
import korely.kernel.ids

_PROJECTS = "SELECT id, organisation_id FROM accounts_project ORDER BY id"
_NAMES = """
    INSERT INTO billing_agentname (id, organisation_id, project_id, agent_id)
    SELECT gen_random_uuid(), %s, %s, agent_id FROM (
        SELECT DISTINCT agent_id FROM memories_memory WHERE project_id = %s
        UNION SELECT DISTINCT agent_id FROM facts_fact WHERE project_id = %s
    ) names WHERE agent_id IS NOT NULL
"""


def names_by_project(apps, schema_editor):
    """Which projects use which names is read from the data, a project's scope at a time."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("DELETE FROM billing_agentname")
        cursor.execute(_PROJECTS)
        for project, organisation in cursor.fetchall():
            cursor.execute(f"SET LOCAL korely.project_id = '{project}'")
            cursor.execute(_NAMES, [organisation, project, project, project])
        cursor.execute("SET LOCAL korely.project_id = ''")


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_initial"),
        ("billing", "0002_walls_and_plans"),
        ("facts", "0002_walls"),
        ("memories", "0002_walls"),
    ]

    operations = [
        migrations.CreateModel(
            name="TopUp",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=korely.kernel.ids.uuid7,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("month", models.DateField()),
                ("writes", models.PositiveBigIntegerField(default=0)),
                ("queries", models.PositiveBigIntegerField(default=0)),
                ("note", models.CharField(blank=True, default="", max_length=200)),
                ("created_at", models.DateTimeField(default=korely.kernel.clock.now)),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="top_ups",
                        to="accounts.organisation",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["organisation", "month"], name="top_up_month"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("month__day", 1)), name="top_up_month_is_its_first_day"
                    ),
                ],
            },
        ),
        migrations.AddField("usage", "warned_at", models.DateTimeField(null=True)),
        migrations.RemoveConstraint("agentname", "agent_name_once"),
        migrations.AddField(
            "agentname",
            "project",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="accounts.project",
                null=True,
            ),
        ),
        migrations.RunPython(names_by_project, migrations.RunPython.noop),
        # The deferred checks of the rows just written would hold up the next ALTER TABLE.
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.AlterField(
            "agentname",
            "project",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="accounts.project",
            ),
        ),
        migrations.AddConstraint(
            "agentname",
            models.UniqueConstraint(
                fields=("organisation", "agent_id", "project"), name="agent_name_once_a_project"
            ),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    """What an agent's rows are found by: it is listed, counted against the plan, purged."""

    dependencies = [("memories", "0002_walls"), ("facts", "0002_walls")]

    operations = [
        migrations.AddIndex(
            "memory",
            models.Index(
                fields=["project", "agent_id"],
                name="memory_agent",
                condition=models.Q(agent_id__isnull=False),
            ),
        ),
        migrations.RunSQL(
            "CREATE INDEX facts_of_an_agent ON facts_fact (project_id, agent_id)"
            " WHERE agent_id IS NOT NULL",
            "DROP INDEX facts_of_an_agent",
        ),
    ]

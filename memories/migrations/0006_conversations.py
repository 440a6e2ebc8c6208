import django.contrib.postgres.fields
import django.db.models.deletion
import korely.kernel.clock
import korely.kernel.ids
import memories.fields
from django.db import migrations, models

from korely.kernel.row_security import tenant_table


def project():
    return models.ForeignKey(
        db_constraint=False,
        db_index=False,
        on_delete=django.db.models.deletion.DO_NOTHING,
        related_name="+",
        to="accounts.project",
    )


def ids_of(field):
    return django.contrib.postgres.fields.ArrayField(base_field=field, default=list, size=None)


class Migration(migrations.Migration):
    """Messages of conversations and the tasks that took them in; public memories; tools' memories."""

    dependencies = [("accounts", "0006_operators"), ("memories", "0005_failures")]

    operations = [
        migrations.CreateModel(
            name="Task",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=korely.kernel.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("user_id", models.TextField()),
                ("agent_id", models.TextField(null=True)),
                ("memory_ids", ids_of(models.UUIDField())),
                ("created_at", models.DateTimeField(default=korely.kernel.clock.now)),
                ("project", project()),
            ],
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=korely.kernel.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("user_id", models.TextField()),
                ("agent_id", models.TextField(null=True)),
                ("conversation_id", models.TextField()),
                ("task_id", models.UUIDField()),
                ("number", models.PositiveSmallIntegerField()),
                ("role", models.CharField(max_length=10)),
                ("said", memories.fields.ExactJSONField(default=dict)),
                ("chat_time", models.DateTimeField(null=True)),
                ("memory_ids", ids_of(models.UUIDField())),
                ("created_at", models.DateTimeField(default=korely.kernel.clock.now)),
                ("project", project()),
            ],
        ),
        migrations.AddField("memory", "task_id", models.UUIDField(null=True)),
        migrations.AddField(
            "memory", "public", models.BooleanField(db_default=False, default=False)
        ),
        migrations.AddField("memory", "tool", models.JSONField(null=True)),
        migrations.AddField(
            "memoryvector", "public", models.BooleanField(db_default=False, default=False)
        ),
        migrations.AddIndex(
            "memoryvector",
            models.Index(
                condition=models.Q(("public", True)), fields=["project"], name="memory_vector_public"
            ),
        ),
        migrations.AddIndex(
            "task", models.Index(fields=["project", "user_id"], name="task_user")
        ),
        migrations.AddIndex(
            "task",
            models.Index(
                condition=models.Q(("agent_id__isnull", False)),
                fields=["project", "agent_id"],
                name="task_agent",
            ),
        ),
        migrations.AddIndex(
            "message",
            models.Index(
                fields=["project", "user_id", "conversation_id", "-created_at"],
                name="message_newest",
            ),
        ),
        migrations.AddIndex(
            "message", models.Index(fields=["project", "task_id"], name="message_task")
        ),
        migrations.AddIndex(
            "message",
            models.Index(
                condition=models.Q(("agent_id__isnull", False)),
                fields=["project", "agent_id"],
                name="message_agent",
            ),
        ),
        *tenant_table("memories_task"),
        *tenant_table("memories_message"),
    ]

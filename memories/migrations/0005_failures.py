from django.db import migrations, models

from korely.kernel.row_security import operators_read


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0006_operators"),
        ("memories", "0004_batches"),
    ]

    operations = [
        migrations.AddField(
            model_name="memory",
            name="failure",
            field=models.CharField(max_length=60, null=True),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("deleted_at__isnull", True), ("status", "error")),
                fields=["project", "-updated_at", "-id"],
                name="memory_failed",
            ),
        ),
        operators_read(
            memories_memory=(
                *("project_id", "id", "user_id", "agent_id", "run_id", "client", "kind"),
                *("timestamp", "status", "revision", "created_at", "updated_at", "update_times"),
                *("deleted_at", "failure"),
            ),
            memories_memoryvector=("project_id", "id", "part", "words", "model"),
        ),
    ]

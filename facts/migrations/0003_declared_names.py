import django.db.models.deletion
import korely.kernel.clock
import korely.kernel.ids
from django.db import migrations, models

from korely.kernel.row_security import tenant_table


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_initial"), ("facts", "0002_walls")]

    operations = [
        migrations.CreateModel(
            name="DeclaredName",
            fields=[
                ("id", models.UUIDField(default=korely.kernel.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ("user_id", models.TextField()),
                ("agent_id", models.TextField(null=True)),
                ("name", models.TextField()),
                ("name_key", models.TextField()),
                ("created_at", models.DateTimeField(default=korely.kernel.clock.now)),
                ("project", models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="accounts.project")),
            ],
        ),
        migrations.AddIndex(
            model_name="declaredname",
            index=models.Index(fields=["project", "user_id"], name="declared_name_user"),
        ),
        migrations.AddConstraint(
            model_name="declaredname",
            constraint=models.UniqueConstraint(
                fields=["project", "agent_id", "name_key"], name="declared_name_once", nulls_distinct=False
            ),
        ),
        *tenant_table("facts_declaredname"),
        # Null: no declared name. So that rows written before need no change.
        migrations.AddField("fact", "subject_text_key", models.TextField(null=True)),
        migrations.AddField("fact", "object_name_key", models.TextField(null=True)),
        migrations.AddIndex(
            model_name="fact",
            index=models.Index(
                fields=["project", "subject_text_key"],
                name="fact_subject_as_written",
                condition=models.Q(("subject_text_key__isnull", False)),
            ),
        ),
    ]

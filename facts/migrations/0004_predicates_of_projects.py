import django.contrib.postgres.fields
import django.db.models.deletion
import korely.kernel.clock
import korely.kernel.ids
from django.db import migrations, models

from korely.kernel.row_security import tenant_table


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_keys"), ("facts", "0003_declared_names")]

    operations = [
        migrations.CreateModel(
            name="ProjectPredicate",
            fields=[
                ("id", models.UUIDField(default=korely.kernel.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ("name", models.TextField()),
                ("family", models.CharField(max_length=20)),
                ("single", models.BooleanField()),
                ("opposite", models.TextField(null=True)),
                ("synonyms", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                ("updated_at", models.DateTimeField(default=korely.kernel.clock.now)),
                ("project", models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="accounts.project")),
            ],
        ),
        migrations.AddConstraint(
            model_name="projectpredicate",
            constraint=models.UniqueConstraint(fields=["project", "name"], name="project_predicate_once"),
        ),
        *tenant_table("facts_projectpredicate"),
        # Null: the predicate itself. So that rows written before need no change.
        migrations.AddField("fact", "predicate_plain", models.TextField(null=True)),
    ]

import django.db.models.deletion
from django.db import migrations, models

import korely.kernel.clock
import korely.kernel.ids


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_keys"),
        ("billing", "0006_usage_by_day_and_plan_requests"),
    ]

    operations = [
        migrations.CreateModel(
            name="RequestEntry",
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
                ("project_id", models.UUIDField()),
                ("key_id", models.UUIDField(null=True)),
                ("at", models.DateTimeField(default=korely.kernel.clock.now)),
                ("method", models.CharField(max_length=10)),
                ("route", models.CharField(max_length=200)),
                ("status", models.PositiveSmallIntegerField()),
                ("ms", models.PositiveIntegerField()),
                ("request_id", models.CharField(max_length=128)),
                ("client", models.CharField(blank=True, default="", max_length=100)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.organisation",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["organisation", "-at", "-id"], name="request_newest"),
                    models.Index(fields=["organisation", "request_id"], name="request_by_its_id"),
                    models.Index(
                        condition=models.Q(("status", 429)),
                        fields=["organisation", "at"],
                        name="request_refused",
                    ),
                ],
            },
        ),
    ]

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import korely.kernel.clock
import korely.kernel.ids


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_keys"),
        ("billing", "0005_tokens_of_language_models"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="UsageDay",
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
                ("day", models.DateField()),
                ("project_id", models.UUIDField()),
                ("key_id", models.UUIDField(null=True)),
                ("writes", models.PositiveBigIntegerField(default=0)),
                ("queries", models.PositiveBigIntegerField(default=0)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.organisation",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("organisation", "day", "project_id", "key_id"),
                        nulls_distinct=False,
                        name="usage_day_once",
                    )
                ],
            },
        ),
        # Each row is changed all day: room on its page keeps the indexes out of it.
        migrations.RunSQL(
            "ALTER TABLE billing_usageday SET (fillfactor = 50)", migrations.RunSQL.noop
        ),
        migrations.CreateModel(
            name="PlanRequest",
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
                ("note", models.CharField(blank=True, default="", max_length=500)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("done", "Granted"),
                            ("declined", "Declined"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(default=korely.kernel.clock.now)),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="plan_requests",
                        to="accounts.organisation",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "plan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="billing.plan",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "open")),
                        fields=("organisation",),
                        name="plan_request_one_open",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["open", "done", "declined", "withdrawn"])
                        ),
                        name="plan_request_state_known",
                    ),
                ],
            },
        ),
        # Operators answer these; the note is addressed to them.
        migrations.RunSQL(
            "GRANT SELECT ON billing_planrequest TO korely_ops", migrations.RunSQL.noop
        ),
    ]

import django.db.models.deletion
import korely.kernel.clock
import korely.kernel.ids
from django.conf import settings
from django.db import migrations, models

from korely.kernel.row_security import operators_read

# The role loses what it had by default, and what it is to have by default of tables to come.
_WITHOUT_RIGHTS = """
    ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON TABLES FROM korely_ops;
    ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON SEQUENCES FROM korely_ops;
    REVOKE ALL ON ALL TABLES IN SCHEMA public FROM korely_ops;
    REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM korely_ops;
    REVOKE ALL ON FUNCTION korely_audit_partitions() FROM korely_ops;
    REVOKE ALL ON FUNCTION korely_audit_remove(uuid, integer) FROM korely_ops;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_keys_of_people"),
        ("billing", "0006_usage_by_day_and_plan_requests"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("facts", "0006_ends_by_texts"),
        ("idempotency", "0001_initial"),
        ("memories", "0004_batches"),
        ("mfa", "0003_authenticator_type_uniq"),
        ("sessions", "0001_initial"),
        ("webhooks", "0002_dead_deliveries"),
        ("work", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="OperatorAct",
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
                ("kind", models.CharField(max_length=10)),
                ("target", models.CharField(blank=True, default="", max_length=40)),
                ("reason", models.CharField(max_length=500)),
                ("created_at", models.DateTimeField(default=korely.kernel.clock.now)),
                ("ends_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
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
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["organisation", "-created_at", "-id"], name="operator_act_newest"
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ends_at", None), ("kind", "reveal"))
                        | models.Q(("ends_at__isnull", False), ("kind", "visit")),
                        name="operator_act_kind",
                    )
                ],
            },
        ),
        migrations.RunSQL(_WITHOUT_RIGHTS, migrations.RunSQL.noop),
        operators_read(
            accounts_organisation=(),
            accounts_project=(),
            accounts_membership=(),
            accounts_operatoract=(),
            billing_agentname=(),
            billing_auditevent=(),
            billing_auditseal=(),
            billing_plan=(),
            billing_planrequest=(),
            billing_topup=(),
            billing_usage=(),
            billing_writerday=(),
            django_content_type=(),
            webhooks_delivery=(),
            work_work=(),
            accounts_apikey=(
                *("id", "organisation_id", "project_id", "name", "prefix", "pepper", "last_four"),
                *("scopes", "users", "created_by", "created_at", "replaced_by", "last_used_at"),
                *("expires_at", "revoked_at", "revoked_reason"),
            ),
            accounts_person=(
                *("id", "email", "name", "is_active", "is_staff", "created_at", "last_login"),
            ),
            webhooks_endpoint=(
                *("id", "organisation_id", "project_id", "url", "events", "enabled"),
                *("disabled_reason", "created_at", "last_success_at", "last_failure_at"),
                *("failures", "failing_since", "resume_at"),
            ),
        ),
    ]

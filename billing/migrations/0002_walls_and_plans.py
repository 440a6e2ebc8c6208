from django.db import migrations

from korely.kernel.row_security import tenant_table

# The plans of the contract's section 4; null is no limit. Operators edit the rows later.
COLUMNS = (
    "slug", "price_eur", "writes_per_month", "queries_per_month", "agents",
    "per_minute", "per_hour", "per_day", "running_batches",
)
PLANS = (
    ("hobby", 0, 2_000, 10_000, 2, 60, 1_000, 10_000, 3),
    ("developer", 19, 25_000, 250_000, 10, 300, 10_000, 100_000, 3),
    ("team", 79, 100_000, 1_000_000, 100, 1_000, 40_000, 400_000, 3),
    ("scale", None, 1_000_000, 10_000_000, 500, 3_000, 120_000, 1_200_000, 10),
    ("self_hosted", None, None, None, None, None, None, None, None),
)


def seed(apps, schema_editor):
    plan = apps.get_model("billing", "Plan")
    plan.objects.using(schema_editor.connection.alias).bulk_create(
        plan(**dict(zip(COLUMNS, row, strict=True))) for row in PLANS
    )


class Migration(migrations.Migration):
    dependencies = [("billing", "0001_initial"), ("accounts", "0002_initial")]

    operations = [
        *tenant_table("billing_auditevent"),
        migrations.RunPython(seed, migrations.RunPython.noop),
    ]

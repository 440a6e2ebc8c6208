from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("billing", "0004_audit_partitions_and_seals")]

    operations = [
        migrations.CreateModel(
            name="WriterDay",
            fields=[
                ("day", models.DateField(primary_key=True, serialize=False)),
                ("tokens", models.PositiveBigIntegerField(default=0)),
            ],
        ),
    ]

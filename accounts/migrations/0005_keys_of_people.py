from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_keys"),
    ]

    operations = [
        migrations.AddField(
            model_name="apikey",
            name="revoked_reason",
            field=models.CharField(db_default="", default="", max_length=200),
        ),
        migrations.CreateModel(
            name="UnseenSecret",
            fields=[
                ("key_id", models.UUIDField(primary_key=True, serialize=False)),
                ("person_id", models.UUIDField()),
                ("sealed", models.TextField()),
                ("expires_at", models.DateTimeField(db_index=True)),
            ],
        ),
    ]

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
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_people"),
    ]

    operations = [
        migrations.AddField(
            model_name="apikey",
            name="created_by",
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name="apikey",
            name="replaced_by",
            field=models.UUIDField(null=True),
        ),
        migrations.CreateModel(
            name="SignUpCount",
            fields=[
                ("network", models.BinaryField(primary_key=True, serialize=False)),
                ("day", models.DateField(db_index=True)),
                ("accounts", models.PositiveIntegerField()),
            ],
        ),
    ]

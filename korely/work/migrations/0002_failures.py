from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("work", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="work",
            name="failure",
            field=models.CharField(max_length=60, null=True),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("work", "0002_failures"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="work",
            index=models.Index(
                condition=models.Q(("attempts__gt", 1), ("failure__isnull", False), _connector="OR"),
                fields=["created_at", "id"],
                name="work_failed",
            ),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("facts", "0004_predicates_of_projects")]

    operations = [
        # What an export walks along: without it each of its pages reads the whole project.
        migrations.AddIndex(
            model_name="fact",
            index=models.Index(fields=["project", "created_at", "id"], name="fact_oldest"),
        ),
    ]

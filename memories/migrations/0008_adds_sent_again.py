from django.db import migrations, models


class Migration(migrations.Migration):
    """What an add of a conversation was sent as, so that it is known when it is sent again."""

    dependencies = [("memories", "0007_knowledge")]

    operations = [
        migrations.AddField(
            model_name="task", name="sent", field=models.BinaryField(null=True)
        ),
        migrations.RemoveIndex(model_name="task", name="task_user"),
        migrations.AddIndex(
            model_name="task",
            index=models.Index(fields=["project", "user_id", "-created_at"], name="task_newest"),
        ),
    ]

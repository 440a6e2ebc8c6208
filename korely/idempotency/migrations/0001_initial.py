import django.contrib.postgres.fields
import django.db.models.deletion
import korely.kernel.clock
from django.db import migrations, models

from korely.kernel.row_security import tenant_table


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0004_keys'),
    ]

    operations = [
        migrations.CreateModel(
            name='StoredAnswer',
            fields=[
                ('pk', models.CompositePrimaryKey('project_id', 'route', 'key', blank=True, editable=False, primary_key=True, serialize=False)),
                ('route', models.CharField(max_length=60)),
                ('key', models.BinaryField()),
                ('request', models.BinaryField()),
                ('status', models.PositiveSmallIntegerField()),
                ('body', models.TextField()),
                ('user_ids', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                ('agent_ids', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                ('created_at', models.DateTimeField(default=korely.kernel.clock.now)),
                ('project', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'created_at'], name='stored_answer_oldest')],
            },
        ),
        *tenant_table("idempotency_storedanswer", key=""),
    ]

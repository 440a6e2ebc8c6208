import django.contrib.postgres.fields
import django.db.models.deletion
import korely.kernel.clock
import korely.kernel.ids
import memories.fields
from django.db import migrations, models

from korely.kernel.row_security import composite_reference, tenant_table


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_keys'),
        ('memories', '0003_rows_of_an_agent'),
    ]

    operations = [
        migrations.CreateModel(
            name='Batch',
            fields=[
                ('id', models.UUIDField(default=korely.kernel.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('key_id', models.UUIDField(null=True)),
                ('actor', models.CharField(max_length=20)),
                ('client', models.TextField(null=True)),
                ('ip', models.GenericIPAddressField(null=True)),
                ('status', models.CharField(default='pending', max_length=12)),
                ('received', models.PositiveIntegerField()),
                ('imported', models.PositiveIntegerField(default=0)),
                ('errors', models.JSONField(default=list)),
                ('user_ids', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                ('of_nobody', models.BooleanField(default=False)),
                ('month', models.DateField()),
                ('stored_until', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField(default=korely.kernel.clock.now)),
                ('project', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='accounts.project')),
            ],
        ),
        migrations.CreateModel(
            name='BatchItem',
            fields=[
                ('pk', models.CompositePrimaryKey('project_id', 'batch_id', 'number', blank=True, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveSmallIntegerField()),
                ('fault', models.TextField(null=True)),
                ('user_id', models.TextField(null=True)),
                ('agent_id', models.TextField(null=True)),
                ('run_id', models.TextField(null=True)),
                ('kind', models.CharField(default='note', max_length=10)),
                ('content', models.TextField()),
                ('metadata', memories.fields.ExactJSONField(default=dict)),
                ('timestamp', models.DateTimeField(null=True)),
                ('batch', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='memories.batch')),
                ('project', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='accounts.project')),
            ],
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['pending', 'processing', 'completed'])), name='batch_status'),
        ),
        migrations.AddIndex(
            model_name='batchitem',
            index=models.Index(fields=['project', 'user_id'], name='batch_item_user'),
        ),
        migrations.AddIndex(
            model_name='batchitem',
            index=models.Index(condition=models.Q(('agent_id__isnull', False)), fields=['project', 'agent_id'], name='batch_item_agent'),
        ),
        *tenant_table("memories_batch"),
        *tenant_table("memories_batchitem", key=""),
        composite_reference(
            "memories_batchitem", "batch_id", "memories_batch", indexed=False
        ),
    ]

import django.db.models.deletion
import korely.kernel.clock
import korely.kernel.ids
import memories.fields
import pgvector.django.halfvec
from django.db import migrations, models

from korely.kernel.row_security import composite_reference, tenant_table


class Migration(migrations.Migration):
    """Knowledge bases: their files, the texts of these, and what finds the texts."""

    dependencies = [
        ('accounts', '0006_operators'),
        ('memories', '0006_conversations'),
    ]

    operations = [
        migrations.CreateModel(
            name='ChunkTerm',
            fields=[
                ('pk', models.CompositePrimaryKey('project_id', 'term', 'chunk_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('chunk_id', models.UUIDField()),
                ('term', models.BigIntegerField()),
                ('frequency', models.PositiveSmallIntegerField()),
                ('project', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='accounts.project')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='FilePiece',
            fields=[
                ('pk', models.CompositePrimaryKey('project_id', 'file_id', 'number', blank=True, editable=False, primary_key=True, serialize=False)),
                ('file_id', models.UUIDField()),
                ('number', models.PositiveIntegerField()),
                ('data', models.BinaryField()),
                ('project', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='accounts.project')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='KnowledgeBase',
            fields=[
                ('id', models.UUIDField(default=korely.kernel.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('name', models.TextField()),
                ('description', models.TextField(default='')),
                ('created_at', models.DateTimeField(default=korely.kernel.clock.now)),
                ('project', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='accounts.project')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Chunk',
            fields=[
                ('id', models.UUIDField(default=korely.kernel.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('base_id', models.UUIDField()),
                ('file_id', models.UUIDField(null=True)),
                ('number', models.PositiveIntegerField(default=0)),
                ('user_id', models.TextField(null=True)),
                ('agent_id', models.TextField(null=True)),
                ('key', models.TextField()),
                ('content', models.TextField()),
                ('metadata', memories.fields.ExactJSONField(default=dict)),
                ('indexed', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(default=korely.kernel.clock.now)),
                ('updated_at', models.DateTimeField(default=korely.kernel.clock.now)),
                ('project', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('indexed', False)), fields=['project', 'file_id', 'number'], name='chunk_not_indexed'), models.Index(condition=models.Q(('user_id__isnull', False)), fields=['project', 'user_id'], name='chunk_user'), models.Index(condition=models.Q(('agent_id__isnull', False)), fields=['project', 'agent_id'], name='chunk_agent')],
            },
        ),
        migrations.CreateModel(
            name='ChunkVector',
            fields=[
                ('pk', models.CompositePrimaryKey('project_id', 'id', 'part', blank=True, editable=False, primary_key=True, serialize=False)),
                ('id', models.UUIDField(editable=False)),
                ('part', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('base_id', models.UUIDField()),
                ('user_id', models.TextField(null=True)),
                ('agent_id', models.TextField(null=True)),
                ('created_at', models.DateTimeField()),
                ('words', models.PositiveIntegerField()),
                ('model', models.CharField(max_length=100)),
                ('vector', pgvector.django.halfvec.HalfVectorField()),
                ('project', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'base_id'], name='chunk_vector_base')],
            },
        ),
        migrations.CreateModel(
            name='KnowledgeFile',
            fields=[
                ('id', models.UUIDField(default=korely.kernel.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('base_id', models.UUIDField()),
                ('name', models.TextField()),
                ('form', models.CharField(max_length=8, null=True)),
                ('size', models.PositiveBigIntegerField(default=0)),
                ('url', models.TextField(null=True)),
                ('status', models.CharField(default='running', max_length=12)),
                ('cut', models.BooleanField(default=False)),
                ('failure', models.CharField(max_length=100, null=True)),
                ('created_at', models.DateTimeField(default=korely.kernel.clock.now)),
                ('project', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='accounts.project')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['running', 'completed', 'failed'])), name='knowledge_file_status')],
            },
        ),
        *tenant_table("memories_knowledgebase"),
        *tenant_table("memories_knowledgefile"),
        *tenant_table("memories_filepiece", key=""),
        *tenant_table("memories_chunk"),
        *tenant_table("memories_chunkvector", key=""),
        *tenant_table("memories_chunkterm", key=""),
        composite_reference("memories_knowledgefile", "base_id", "memories_knowledgebase"),
        composite_reference(
            "memories_filepiece", "file_id", "memories_knowledgefile", indexed=False
        ),
        composite_reference("memories_chunk", "base_id", "memories_knowledgebase"),
        composite_reference("memories_chunk", "file_id", "memories_knowledgefile"),
        composite_reference("memories_chunkvector", "id", "memories_chunk", indexed=False),
        composite_reference("memories_chunkterm", "chunk_id", "memories_chunk"),
    ]

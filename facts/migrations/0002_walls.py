from django.db import migrations

from korely.kernel.row_security import composite_reference, tenant_table


class Migration(migrations.Migration):
    dependencies = [("facts", "0001_initial"), ("memories", "0002_walls")]

    operations = [
        *tenant_table("facts_fact"),
        *tenant_table("facts_factsource"),
        *tenant_table("facts_factvector"),
        composite_reference("facts_factsource", "fact_id", "facts_fact", indexed=False),
        composite_reference("facts_factsource", "memory_id", "memories_memory"),
        composite_reference("facts_factvector", "id", "facts_fact", indexed=False),
    ]

from django.db import migrations

from korely.kernel.row_security import composite_reference, tenant_table


class Migration(migrations.Migration):
    dependencies = [("memories", "0001_initial"), ("accounts", "0002_initial")]

    operations = [
        *tenant_table("memories_memory"),
        *tenant_table("memories_memoryvector", key=""),
        *tenant_table("memories_memoryterm", key=""),
        composite_reference("memories_memoryvector", "id", "memories_memory", indexed=False),
        composite_reference("memories_memoryterm", "memory_id", "memories_memory"),
    ]

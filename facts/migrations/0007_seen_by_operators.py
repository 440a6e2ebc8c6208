from django.db import migrations

from korely.kernel.row_security import operators_read


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0006_operators"),
        ("facts", "0006_ends_by_texts"),
    ]

    operations = [
        operators_read(
            facts_fact=(
                *("project_id", "id", "user_id", "agent_id", "run_id", "predicate_family"),
                *("object_is_literal", "confidence", "tense", "valid_from", "invalid_at"),
                *("invalidated_by", "closed_known_at", "closed_reason", "closed_by_memory"),
                *("observation_count", "last_confirmed_at", "direct", "said_at", "created_at"),
            ),
            facts_factsource=("project_id", "id", "fact_id", "memory_id", "withdrawn_at"),
        ),
    ]

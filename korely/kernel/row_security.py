"""Migration operations that make a plain Django table a tenant table.

The recipe: the ORM's `id` stays the model's pk, the table's own key is (project_id, id); the
policy reads the setting that `project_scope` makes, which is '' outside a scope.
"""

from __future__ import annotations

from django.db.migrations import RunSQL

_POLICY = "project_id = nullif(current_setting('korely.project_id', true), '')::uuid"


def tenant_table(table: str, key: str = "id") -> list[RunSQL]:
    """Composite primary key, foreign key to the project, forced policies.

    `key` is "" for a table whose model spells its composite key itself.
    """
    primary = f"""
        ALTER TABLE {table} DROP CONSTRAINT {table}_pkey;
        ALTER TABLE {table} ADD PRIMARY KEY (project_id, {key});
    """
    walls = f"""
        ALTER TABLE {table} ADD CONSTRAINT {table}_project_fk
            FOREIGN KEY (project_id) REFERENCES accounts_project (id);
        {policies(table)}
    """
    return [RunSQL((primary if key else "") + walls, RunSQL.noop)]


def policies(table: str) -> str:
    """SQL that forces row-level security on a table: one project's rows, all to operators."""
    return f"""
        ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY tenant ON {table} USING ({_POLICY}) WITH CHECK ({_POLICY});
        CREATE POLICY operator ON {table} TO korely_ops USING (true) WITH CHECK (true);
    """


def operators_read(**tables: tuple[str, ...]) -> RunSQL:
    """Lets the operators' role read tables: these columns of each, () for every column.

    What no migration grants it, it cannot read: texts, secrets, and tables that are made later.
    """
    grants = []
    for table, columns in tables.items():
        which = f"({', '.join(columns)})" if columns else ""
        grants.append(f"GRANT SELECT {which} ON {table} TO korely_ops;")
    return RunSQL("\n".join(grants), RunSQL.noop)


def composite_reference(table: str, column: str, target: str, *, indexed: bool = True) -> RunSQL:
    """A foreign key that cannot cross tenants, and its index; rows go with their target."""
    index = f"CREATE INDEX {table}_{column}_ix ON {table} (project_id, {column});"
    return RunSQL(
        f"""
        ALTER TABLE {table} ADD CONSTRAINT {table}_{column}_fk
            FOREIGN KEY (project_id, {column}) REFERENCES {target} (project_id, id)
            ON DELETE CASCADE;
        {index if indexed else ""}
        """,
        RunSQL.noop,
    )

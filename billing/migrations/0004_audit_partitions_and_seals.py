import django.db.models.expressions
from django.db import migrations, models

import korely.kernel.clock
import korely.kernel.ids
from korely.kernel.row_security import policies

# What any statement meets that would change the log; the removal function alone lifts it.
_GUARD = """
    CREATE FUNCTION korely_audit_guard() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $guard$
    BEGIN
        IF TG_TABLE_NAME = 'billing_auditseal' AND TG_OP = 'UPDATE'
            AND current_setting('korely.audit_removal', true) = 'on'
            AND to_jsonb(NEW) - 'removed_at' = to_jsonb(OLD) - 'removed_at'
        THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END
    $guard$;
    REVOKE EXECUTE ON FUNCTION korely_audit_guard() FROM PUBLIC;
"""

# A month's partition, walled like the whole and open to nobody by itself. Made beside the table
# and attached, which does not wait for those who write. A month whose events went into the
# partition of the rest already stays there.
_PARTITIONS = f"""
    CREATE FUNCTION korely_audit_partition(month date) RETURNS boolean LANGUAGE plpgsql
    SET search_path = public, pg_temp
    SET lock_timeout = '2s'
    SET timezone = 'UTC' AS $make$
    DECLARE
        first date := date_trunc('month', month)::date;
        wanted text := 'billing_auditevent_' || to_char(month, 'YYYY_MM');
    BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('korely_audit_partition', 0));
        IF to_regclass(wanted) IS NOT NULL THEN
            RETURN false;
        END IF;
        EXECUTE format('CREATE TABLE %I (LIKE billing_auditevent INCLUDING DEFAULTS)', wanted);
        PERFORM korely_audit_wall(wanted);
        EXECUTE format(
            'ALTER TABLE billing_auditevent ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
            wanted, first::timestamptz, (first + interval '1 month')::timestamptz
        );
        RETURN true;
    EXCEPTION WHEN check_violation THEN
        RETURN false;
    END
    $make$;

    CREATE FUNCTION korely_audit_wall(wanted text) RETURNS void LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $wall$
    BEGIN
        EXECUTE replace($policies${policies("a_partition")}$policies$, 'a_partition', wanted);
        EXECUTE format('REVOKE ALL ON TABLE %I FROM korely_app, korely_ops', wanted);
        EXECUTE format(
            'CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON %I'
            ' FOR EACH STATEMENT EXECUTE FUNCTION korely_audit_guard()', wanted
        );
        -- Nothing is ever updated: new pages are what index-only scans wait for.
        EXECUTE format(
            'ALTER TABLE %I SET (autovacuum_vacuum_insert_scale_factor = 0.05)', wanted
        );
    END
    $wall$;

    CREATE FUNCTION korely_audit_partitions() RETURNS integer LANGUAGE sql SECURITY DEFINER
    SET search_path = public, pg_temp AS $ahead$
        SELECT count(*) FILTER (WHERE korely_audit_partition(month::date))::integer
        FROM generate_series(
            date_trunc('month', now() AT TIME ZONE 'UTC'),
            date_trunc('month', now() AT TIME ZONE 'UTC') + interval '3 months',
            interval '1 month'
        ) month
    $ahead$;

    REVOKE EXECUTE ON FUNCTION korely_audit_partition(date), korely_audit_wall(text),
        korely_audit_partitions() FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION korely_audit_partitions() TO korely_app, korely_ops;
"""

# In one transaction: the table is locked from the first statement on, and its owner, whom no
# policy hits until both are forced again, takes the rows of all projects over at once.
_REBUILD = f"""
    ALTER TABLE billing_auditevent NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE billing_auditevent RENAME TO billing_auditevent_before;
    CREATE TABLE billing_auditevent (LIKE billing_auditevent_before INCLUDING DEFAULTS)
        PARTITION BY RANGE (ts);

    CREATE TABLE billing_auditevent_rest PARTITION OF billing_auditevent DEFAULT;
    SELECT korely_audit_wall('billing_auditevent_rest');
    SELECT count(korely_audit_partition(month)) FROM (
        SELECT DISTINCT date_trunc('month', ts AT TIME ZONE 'UTC')::date AS month
        FROM billing_auditevent_before
    ) months;
    SELECT korely_audit_partitions();

    INSERT INTO billing_auditevent SELECT * FROM billing_auditevent_before;
    DROP TABLE billing_auditevent_before;

    ALTER TABLE billing_auditevent ADD CONSTRAINT billing_auditevent_pkey
        PRIMARY KEY (project_id, ts, id);
    CREATE INDEX audit_of_user ON billing_auditevent (project_id, user_id, ts, id)
        INCLUDE (action);
    CREATE INDEX audit_of_action ON billing_auditevent (project_id, action, ts, id);
    ALTER TABLE billing_auditevent ADD CONSTRAINT billing_auditevent_project_fk
        FOREIGN KEY (project_id) REFERENCES accounts_project (id);
    {policies("billing_auditevent")}

    REVOKE UPDATE, DELETE, TRUNCATE ON billing_auditevent FROM korely_app, korely_ops;
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON billing_auditevent FOR EACH ROW
        WHEN (current_setting('korely.audit_removal', true) IS DISTINCT FROM 'on')
        EXECUTE FUNCTION korely_audit_guard();
    CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON billing_auditevent
        FOR EACH STATEMENT EXECUTE FUNCTION korely_audit_guard();
"""

_SEALS = """
    REVOKE UPDATE, DELETE, TRUNCATE ON billing_auditseal FROM korely_app, korely_ops;
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON billing_auditseal
        FOR EACH ROW EXECUTE FUNCTION korely_audit_guard();
    CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON billing_auditseal
        FOR EACH STATEMENT EXECUTE FUNCTION korely_audit_guard();
"""

# The only way out for events: whole sealed intervals of the project whose scope is active. The
# seal stays, with its digest.
_REMOVAL = """
    CREATE FUNCTION korely_audit_remove(project uuid, only_number integer DEFAULT NULL)
    RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $remove$
    DECLARE
        seal record;
        gone bigint;
        removed bigint := 0;
    BEGIN
        IF nullif(current_setting('korely.project_id', true), '')::uuid IS DISTINCT FROM project
        THEN
            RAISE EXCEPTION 'events are removed in the scope of their own project'
                USING ERRCODE = 'insufficient_privilege';
        END IF;
        PERFORM set_config('korely.audit_removal', 'on', true);
        FOR seal IN
            SELECT id, from_ts, to_ts FROM public.billing_auditseal
            WHERE project_id = project AND removed_at IS NULL
                AND (only_number IS NULL OR number = only_number)
            ORDER BY number FOR UPDATE
        LOOP
            DELETE FROM public.billing_auditevent
            WHERE project_id = project AND ts <= seal.to_ts
                AND (seal.from_ts IS NULL OR ts > seal.from_ts);
            GET DIAGNOSTICS gone = ROW_COUNT;
            removed := removed + gone;
            UPDATE public.billing_auditseal SET removed_at = clock_timestamp()
            WHERE id = seal.id;
        END LOOP;
        PERFORM set_config('korely.audit_removal', '', true);
        RETURN removed;
    END
    $remove$;
    REVOKE EXECUTE ON FUNCTION korely_audit_remove(uuid, integer) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION korely_audit_remove(uuid, integer) TO korely_app, korely_ops;
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_initial"), ("billing", "0003_top_ups_and_agents_by_project")]

    operations = [
        migrations.RunSQL(_GUARD + _PARTITIONS, migrations.RunSQL.noop),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(_REBUILD, migrations.RunSQL.noop)],
            state_operations=[
                migrations.RemoveIndex("auditevent", "audit_newest"),
                migrations.AlterField("auditevent", "ts", models.DateTimeField()),
                migrations.AddIndex(
                    "auditevent",
                    models.Index(
                        fields=["project", "user_id", "ts", "id"],
                        include=["action"],
                        name="audit_of_user",
                    ),
                ),
                migrations.AddIndex(
                    "auditevent",
                    models.Index(fields=["project", "action", "ts", "id"], name="audit_of_action"),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AuditSeal",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=korely.kernel.ids.uuid7,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("project_id", models.UUIDField()),
                ("number", models.PositiveIntegerField()),
                ("version", models.PositiveSmallIntegerField(default=1)),
                ("from_ts", models.DateTimeField(null=True)),
                ("to_ts", models.DateTimeField()),
                ("events", models.PositiveBigIntegerField()),
                ("previous", models.CharField(blank=True, default="", max_length=64)),
                ("digest", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(default=korely.kernel.clock.now)),
                ("removed_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project_id", "number"), name="audit_seal_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("from_ts", None),
                            ("from_ts__lt", django.db.models.expressions.F("to_ts")),
                            _connector="OR",
                        ),
                        name="audit_seal_has_a_span",
                    ),
                ],
            },
        ),
        migrations.RunSQL(_SEALS + _REMOVAL, migrations.RunSQL.noop),
    ]

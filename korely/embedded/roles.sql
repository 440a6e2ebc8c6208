-- Roles, extension and rights of a Korely database. Plain SQL that may be run again at any time.
--
-- On a PostgreSQL of your own, as a superuser:
--   createdb --encoding=UTF8 korely
--   psql --dbname=korely --file=roles.sql
--   then ALTER ROLE … PASSWORD for each of the four (psql: \password korely_app)
--
-- korely_owner   owns the objects and runs migrations; subject to row-level security
-- korely_app     web and worker: rows only, inside the tenant that was set
-- korely_ops     the operators' site: sees every project, and of its rows only the columns that
--                migrations grant it: neither texts nor secrets; changes no data
-- korely_backup  pg_dump: reads every row, writes none

DO $$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['korely_owner', 'korely_app', 'korely_ops', 'korely_backup']
  LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
      EXECUTE format('CREATE ROLE %I', wanted);
    END IF;
  END LOOP;
END
$$;

ALTER ROLE korely_owner LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
ALTER ROLE korely_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
ALTER ROLE korely_ops LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
ALTER ROLE korely_backup LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION BYPASSRLS;
ALTER ROLE korely_backup SET default_transaction_read_only = on;

CREATE EXTENSION IF NOT EXISTS vector;

DO $$
BEGIN
  EXECUTE format('ALTER DATABASE %I OWNER TO korely_owner', current_database());
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format(
    'GRANT CONNECT ON DATABASE %I TO korely_app, korely_ops, korely_backup', current_database()
  );
END
$$;

ALTER SCHEMA public OWNER TO korely_owner;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO korely_app, korely_ops, korely_backup;

ALTER DEFAULT PRIVILEGES FOR ROLE korely_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO korely_app;
ALTER DEFAULT PRIVILEGES FOR ROLE korely_owner IN SCHEMA public
  GRANT USAGE, SELECT ON SEQUENCES TO korely_app;
ALTER DEFAULT PRIVILEGES FOR ROLE korely_owner IN SCHEMA public
  REVOKE ALL ON TABLES FROM korely_ops;
ALTER DEFAULT PRIVILEGES FOR ROLE korely_owner IN SCHEMA public
  REVOKE ALL ON SEQUENCES FROM korely_ops;
ALTER DEFAULT PRIVILEGES FOR ROLE korely_owner IN SCHEMA public
  GRANT SELECT ON TABLES TO korely_backup;
ALTER DEFAULT PRIVILEGES FOR ROLE korely_owner IN SCHEMA public
  GRANT SELECT ON SEQUENCES TO korely_backup;

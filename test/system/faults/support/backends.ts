import { query } from '../../../helpers/places/postgres-server.ts'

/** Ends every backend that serves a store, and returns how many there were, once they are gone. */
export async function endBackends(url: string): Promise<number> {
  const others = `FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'animal-store'`
  return (await query(url, `SELECT pg_terminate_backend(pid, 30000) ${others}`)).length
}

/** What is done to a table when a backend is ended. */
export type Access = 'SELECT' | 'INSERT' | 'INSERT OR UPDATE'

/**
 * Lets a table end the backend that accesses a row of it: at the accesses with these numbers,
 * counted from now on. PostgreSQL does that itself, so no access is too fast or too slow for it.
 */
export async function endBackendAt(
  url: string,
  access: Access,
  table: string,
  numbers: readonly number[],
): Promise<void> {
  await query(
    url,
    `CREATE SEQUENCE IF NOT EXISTS accesses;
     SELECT setval('accesses', 1, false);
     CREATE OR REPLACE FUNCTION end_backend() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('accesses') IN (${numbers.join()}) THEN
         PERFORM pg_terminate_backend(pg_backend_pid());
         PERFORM pg_sleep(60);
       END IF;
       RETURN true;
     END $$;
     ${access === 'SELECT' ? endInView(table) : endInTrigger(access, table)}`,
  )
}

function endInView(table: string): string {
  return `ALTER TABLE IF EXISTS ${table} RENAME TO ${table}_kept;
    CREATE VIEW ${table} AS SELECT * FROM ${table}_kept WHERE end_backend()`
}

function endInTrigger(access: Access, table: string): string {
  return `CREATE FUNCTION end_in_trigger() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM end_backend(); RETURN NEW; END';
    CREATE TRIGGER end_in_trigger BEFORE ${access} ON ${table}
      FOR EACH ROW EXECUTE FUNCTION end_in_trigger()`
}

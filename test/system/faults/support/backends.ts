import { query } from '../../../helpers/places/postgres-server.ts'

/** Ends every backend that serves a store, and returns how many there were, once they are gone. */
export async function endBackends(url: string): Promise<number> {
  const others = `FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'animal-store'`
  return (await query(url, `SELECT pg_terminate_backend(pid, 30000) ${others}`)).length
}

/**
 * Lets the table of the animals end the backend that accesses a row of it: at the accesses with
 * these numbers, counted from now on. PostgreSQL does that itself, so no access is too fast for it.
 */
export async function endBackendAt(
  url: string,
  access: 'SELECT' | 'INSERT',
  numbers: readonly number[],
): Promise<void> {
  const atInsert = `CREATE FUNCTION end_in_trigger() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM end_backend(); RETURN NEW; END';
    CREATE TRIGGER end_in_trigger BEFORE INSERT ON animals
      FOR EACH ROW EXECUTE FUNCTION end_in_trigger()`
  const atSelect = `ALTER TABLE animals RENAME TO animals_kept;
    CREATE VIEW animals AS SELECT * FROM animals_kept WHERE end_backend()`
  await query(
    url,
    `CREATE SEQUENCE accesses;
     CREATE FUNCTION end_backend() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('accesses') IN (${numbers.join()}) THEN
         PERFORM pg_terminate_backend(pg_backend_pid());
         PERFORM pg_sleep(60);
       END IF;
       RETURN true;
     END $$;
     ${access === 'SELECT' ? atSelect : atInsert}`,
  )
}

import { reasonOf } from '../../reason.ts'
import { StoreRefused } from '../store-refused.ts'
import { isUnprepared, poolerAdvice } from './faults.ts'
import { type PostgresOptions, placeOf, sslModeNote, toPoolOptions } from './options.ts'
import { type ConnectionPool, createConnectionPool } from './pool.ts'
import { createRuns, type Run, type Runs } from './runs.ts'
import { update } from './update.ts'

/** An open database. */
export interface Database extends Runs {
  /** Reads on a connection of its own, so that a pool that is busy is not taken for a lost database. */
  readonly probe: Run
  /** The connections that requests share. */
  readonly connections: ConnectionPool['state']
  readonly close: ConnectionPool['close']
}

/** Opens a database and brings its tables up to date. */
export async function openDatabase(url: string, options: PostgresOptions): Promise<Database> {
  try {
    const poolOptions = toPoolOptions(url, options)
    await update(poolOptions)
    const pool = createConnectionPool(poolOptions)
    const probes = createConnectionPool({ ...poolOptions, max: 1 })
    return {
      ...createRuns(pool, options.patience),
      probe: createRuns(probes).read,
      connections: pool.state,
      close: async () => void (await Promise.all([pool.close(), probes.close()])),
    }
  } catch (cause) {
    const message = `Cannot open PostgreSQL at ${placeOf(url)}: ${reasonOf(cause)}.`
    throw new StoreRefused(`${message} ${adviceFor(cause, url)}`, { cause })
  }
}

function adviceFor(cause: unknown, url: string): string {
  if (isUnprepared(cause)) return poolerAdvice
  const advice = 'Check DATABASE_URL, and that the database runs and lets the service in.'
  const note = sslModeNote(url)
  return note === undefined ? advice : `${advice} ${note}`
}

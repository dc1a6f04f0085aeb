import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type TestContext } from 'vitest'
import { findFreePort } from '../../../helpers/free-port.ts'
import { createSchema, query } from '../../../helpers/places/postgres-server.ts'
import { startCommand } from '../../../helpers/program.ts'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'

type PoolMode = 'session' | 'transaction'

/** PgBouncer in front of the database of a test file. */
export interface Pooler {
  readonly url: string
  /** Reloads the configuration with another pool mode. */
  readonly reload: (mode: PoolMode) => void
}

/** Skips a test where there is no PgBouncer. */
export function needPooler({ skip }: Pick<TestContext, 'skip'>): void {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' })
  } catch {
    skip('no pgbouncer on the PATH; install the package of that name')
  }
}

/** Starts PgBouncer; resolves once it accepts connections. */
export async function startPooler(mode: PoolMode): Promise<Pooler> {
  const server = new URL(await createSchema())
  const port = await findFreePort()
  const folder = createTemporaryFolder()
  const file = join(folder, 'pgbouncer.ini')
  const write = (mode: PoolMode) => writeFileSync(file, configuration(server, port, mode))
  write(mode)
  // It does not run as root, and reads the file again as the user that it has become.
  chmodSync(folder, 0o755)
  const user = process.getuid?.() === 0 ? ['--user=nobody'] : []
  const { kill, ended } = startCommand('pgbouncer', [...user, file])
  const url = `postgres://${server.username || 'postgres'}@127.0.0.1:${port}${server.pathname}`
  const end = ended.then((end) => Promise.reject(new Error(JSON.stringify(end))))
  const isUp = () => query(url, 'SELECT 1').then(() => true, String)
  await Promise.race([expect.poll(isUp, { timeout: 60_000 }).toBe(true), end])
  return {
    url,
    reload(mode) {
      write(mode)
      void kill('SIGHUP')
    },
  }
}

// From 1.21 on it can keep prepared statements; before, it does not know the setting.
function withoutStatements(): string {
  const version = execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' })
  return /PgBouncer 1\.(\d|1\d|20)\./.test(version) ? '' : 'max_prepared_statements = 0'
}

function configuration({ hostname, port, username, password }: URL, own: number, mode: PoolMode) {
  const secret = password && `password=${decodeURIComponent(password)}`
  return `[databases]
* = host=${hostname} port=${port || 5432} user=${username} ${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout
${withoutStatements()}
`
}

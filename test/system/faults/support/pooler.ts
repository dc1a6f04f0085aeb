import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type TestContext } from 'vitest'
import { createSchema, query } from '../../../helpers/databases/postgres-server.ts'
import { findFreePort } from '../../../helpers/free-port.ts'
import { needCommand, startCommand } from '../../../helpers/program.ts'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'

type PoolMode = 'session' | 'transaction'

/**
 * Starts PgBouncer in front of the database of a test file; resolves once it accepts connections. Its
 * configuration can be reloaded with another pool mode.
 */
export async function startPooler(context: Pick<TestContext, 'skip'>) {
  // From 1.21 on it can keep prepared statements; before, it does not know the setting.
  const command = needCommand(context, 'pgbouncer')
  const { output } = await startCommand(command, ['--version']).ended
  const isOld = /PgBouncer 1\.(\d|1\d|20)\./.test(output)
  const { hostname, port, username, password, pathname } = new URL(await createSchema())
  const own = await findFreePort()
  const folder = createTemporaryFolder()
  const file = join(folder, 'pgbouncer.ini')
  const write = (mode: PoolMode) =>
    writeFileSync(
      file,
      `[databases]
* = host=${hostname} port=${port || 5432} user=${username} ${password && `password=${decodeURIComponent(password)}`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout
${isOld ? '' : 'max_prepared_statements = 0'}
`,
    )
  write('session')
  // It does not run as root, and reads the file again as the user that it has become.
  chmodSync(folder, 0o755)
  const user = process.getuid?.() === 0 ? ['--user=nobody'] : []
  const { kill, ended } = startCommand(command, [...user, file])
  const url = `postgres://${username || 'postgres'}@127.0.0.1:${own}${pathname}`
  const end = ended.then((end) => Promise.reject(new Error(JSON.stringify(end))))
  const isUp = () => query(url, 'SELECT 1').then(() => true, String)
  await Promise.race([expect.poll(isUp).toBe(true), end])
  return {
    url,
    reload(mode: PoolMode) {
      write(mode)
      void kill('SIGHUP')
    },
  }
}

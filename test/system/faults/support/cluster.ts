import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { findFreePort } from '../../../helpers/free-port.ts'

/** A PostgreSQL server of a test's own. */
export interface Cluster {
  readonly url: string
  readonly start: () => Promise<void>
  /** Ends it at once, and every connection with it. */
  readonly stop: () => Promise<void>
}

// Debian keeps the programs of the server out of the PATH, in a folder for each version.
const folders = [
  ...(process.env['PATH'] ?? '').split(delimiter),
  ...globSync('/usr/lib/postgresql/*/bin'),
]
const programs = folders.find((folder) => globSync(join(folder, 'initdb')).length > 0)

/** Why no test can have a server of its own here; undefined where it can. */
export const whyNoCluster =
  programs === undefined ? 'the programs of a PostgreSQL server are not installed' : undefined

/** Makes a server on a free port, and starts it; it is gone when the test is finished. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-cluster-'))
  const user = userOf()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const port = await findFreePort()
  // Beside this process, in which a service may run that has to meet the outage.
  const run = async (program: string, ...args: readonly string[]): Promise<void> => {
    const options = { cwd: folder, stdio: 'ignore', ...user } as const
    const [status] = await once(spawn(join(programs ?? '', program), args, options), 'exit')
    if (status !== 0) throw new Error(`${program} ended with status ${status}.`)
  }
  const data = join(folder, 'data')
  const options = '-U postgres -A trust -E UTF8 --no-locale -N'.split(' ')
  await run('initdb', '-D', data, ...options)
  const stop = () => run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop')
  const start = () =>
    run('pg_ctl', '-D', data, '-w', '-o', `-p ${port} -h 127.0.0.1 -k ${folder}`, 'start')
  onTestFinished(async () => {
    try {
      await stop()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
  await start()
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, start, stop }
}

// The server does not run as root; the one that is installed has a user of its own.
function userOf(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

// How long a million animals take to import, export and copy, and the most memory that takes:
// node bench/bulk.ts [postgres://USER@HOST/DATABASE] [COUNT]
// In PostgreSQL it works in schemas of its own, which it drops at the end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from 'pg'

const [, , server, count = '1000000'] = process.argv
const folder = mkdtempSync(join(tmpdir(), 'bulk-'))
const commands = resolve(import.meta.dirname, '../server/commands')
const statuses = ['available', 'pending', 'sold', undefined]

async function writeFiles(): Promise<void> {
  const csv = createWriteStream(join(folder, 'animals.csv'))
  const ndjson = createWriteStream(join(folder, 'animals.ndjson'))
  csv.write('name,categoryId,status\n')
  for (let number = 0; number < Number(count); number++) {
    const [name, categoryId] = [`Animal, number ${number} of many`, number % 500]
    const status = statuses[number % statuses.length]
    const isRoomy = csv.write(`"${name}",${categoryId},${status ?? ''}\n`)
    if (!ndjson.write(`${JSON.stringify({ name, categoryId, status })}\n`)) {
      await once(ndjson, 'drain')
    }
    if (!isRoomy && csv.writableNeedDrain) await once(csv, 'drain')
  }
  for (const file of [csv, ndjson]) {
    file.end()
    await once(file, 'close')
  }
}

/** The most memory that a process has had so far, in MiB. */
function peakOf(pid: number | undefined): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}

async function measure(what: string, url: string, words: readonly string[]): Promise<void> {
  const [command = '', ...args] = words
  const from = performance.now()
  const file = join(commands, `${command}.ts`)
  const env = { PATH: process.env['PATH'], DATABASE_URL: url }
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'ignore', 2] })
  let peak = 0
  const looks = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid))
  }, 100)
  const [status] = await once(child, 'exit')
  clearInterval(looks)
  if (status !== 0) throw new Error(`${what} ended with ${status}.`)
  const seconds = (performance.now() - from) / 1000
  console.log(`${what}: ${seconds.toFixed(1)} s, ${peak.toFixed(0)} MiB`)
}

async function run(engine: string, url: string, copy: string): Promise<void> {
  const [csv, ndjson] = [join(folder, 'animals.csv'), join(folder, 'animals.ndjson')]
  await measure(`${engine}, import of CSV`, url, ['import', csv])
  await measure(`${engine}, export of CSV`, url, ['export', '--out', join(folder, 'out.csv')])
  await measure(`${engine}, export of NDJSON`, url, ['export', '--out', join(folder, 'out.ndjson')])
  await measure(`${engine}, copy`, url, ['migrate-store', '--from', url, '--to', copy])
  await measure(`${engine}, import of NDJSON, beside as many`, url, ['import', ndjson])
}

try {
  await writeFiles()
  const file = (name: string): string => `sqlite:${join(folder, name)}`
  if (server === undefined) {
    await run('SQLite', file('one.sqlite'), file('two.sqlite'))
  } else {
    const client = new Client({ connectionString: server })
    await client.connect()
    const schema = async (name: string): Promise<string> => {
      await client.query(`CREATE SCHEMA ${name}`)
      const url = new URL(server)
      url.searchParams.set('options', `-csearch_path=${name}`)
      return url.href
    }
    await run('SQLite to PostgreSQL', file('one.sqlite'), await schema('bulk_one'))
    await run('PostgreSQL to SQLite', await schema('bulk_two'), file('three.sqlite'))
    await client.query('DROP SCHEMA bulk_one CASCADE; DROP SCHEMA bulk_two CASCADE')
    await client.end()
  }
} finally {
  rmSync(folder, { recursive: true })
}

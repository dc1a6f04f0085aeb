/** Sends the recorded requests to the service and compares its responses with the recorded ones. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync, gzipSync } from 'node:zlib'
import { runCommand } from '../../../scripts/pipeline/failure.ts'
import { parseOptions } from '../../../server/process/options.ts'
import { project, startProgram } from '../../helpers/program.ts'
import { receive } from '../../helpers/raw.ts'
import { type Contents, fillStore } from '../kept-store/fill-store.ts'

interface Exchange {
  /** Bytes as latin1; `{key:NAME}` stands for an API key of the store. */
  readonly request: string
  readonly response: string
}

/** Requests to one configuration of the service, in their order. */
interface Section {
  readonly name: string
  /** Which program serves, relative to the checkout. */
  readonly program: string
  readonly env: Readonly<Record<string, string>>
  readonly requests: Exchange[]
}

/** A service to send requests to. */
interface Checkout {
  readonly folder: string
  /** A folder with a store that this checkout has filled. */
  readonly store: string
  readonly keys: Contents['keys']
}

/** The header fields that depend on when a request is sent. */
const timeDependent = /^(date|retry-after|x-ratelimit-(?:remaining|reset)): .*$/

const file = new URL('./responses.ndjson.gz', import.meta.url)
const shown = 20

const usage = `usage: npm run compare-responses -- [--with FOLDER | --record]

Compares the responses of this checkout with the record, or with those of the service in another
checkout; --record writes them to the record. Exits with 1 when a response differs.`

const folder = mkdtempSync(join(tmpdir(), 'animal-store-responses-'))
process.once('exit', () => rmSync(folder, { recursive: true }))
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => process.exit(1))
}

await runCommand(usage, async () => {
  const { values } = parseOptions({
    options: { with: { type: 'string' }, record: { type: 'boolean', default: false } },
  })
  const sections = readRecord()
  const current = await prepareCheckout(project, 'current')
  const other =
    values.with === undefined ? undefined : await prepareCheckout(resolve(values.with), 'other')
  const received: Section[] = []
  let different = 0

  for (const section of sections) {
    const expected = other === undefined ? section : await sendSection(other, section)
    const actual = await sendSection(current, section)
    const differences = compare(expected, actual)
    console.log(`${section.name}: ${section.requests.length} requests`)

    if (!values.record) {
      const room = Math.max(0, shown - different)
      for (const difference of differences.slice(0, room)) {
        print(section.name, difference)
      }
    }

    different += differences.length
    received.push(actual)
  }

  if (values.record) {
    writeRecord(received)
  } else if (different > 0) {
    const printed = Math.min(shown, different)
    console.error(`${different} responses differ; the first ${printed} are above.`)
    process.exitCode = 1
  } else {
    console.log('All responses are the same.')
  }
})

/** A request with two responses that are not the same. */
interface Difference {
  readonly request: string
  readonly expected: string
  readonly actual: string
}

/** Returns the requests to which two services have sent other responses. */
function compare(expected: Section, actual: Section): readonly Difference[] {
  const pairs = expected.requests.map(({ request, response }, index) => {
    return { request, expected: response, actual: actual.requests[index]?.response ?? 'none' }
  })
  return pairs.filter((pair) => pair.expected !== pair.actual)
}

function print(section: string, { request, expected, actual }: Difference): void {
  const excerpt = (text: string) => JSON.stringify(text).slice(0, 600)
  console.error(`${section}: ${excerpt(request)}\n  expected ${excerpt(expected)}`)
  console.error(`  received ${excerpt(actual)}\n`)
}

// A line for each section, followed by a line for each of its requests.
function readRecord(): Section[] {
  const sections: Section[] = []
  for (const line of gunzipSync(readFileSync(file)).toString().split('\n')) {
    if (line === '') {
      continue
    }
    const read: object = JSON.parse(line)
    if ('name' in read) {
      sections.push({ ...(read as Section), requests: [] })
    } else {
      sections.at(-1)?.requests.push(read as Exchange)
    }
  }
  return sections
}

function writeRecord(sections: readonly Section[]): void {
  const lines = sections.flatMap(({ requests, ...section }) => [section, ...requests])
  writeFileSync(
    file,
    gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { level: 9 }),
  )
}

/** Lets the programs of a checkout fill a store, in which pets and cursors are always the same. */
async function prepareCheckout(checkout: string, name: string): Promise<Checkout> {
  const store = join(folder, name)
  mkdirSync(store)
  const file = join(store, 'store.sqlite')
  const execute = async (sql: string) => {
    using database = new DatabaseSync(file, { timeout: 60_000 })
    database.exec(sql)
  }
  const empty = { url: `sqlite:${file}`, engine: 'sqlite', execute } as const
  const { keys } = await fillStore(empty, checkout)
  return { folder: checkout, store, keys }
}

/**
 * Starts the service of a checkout on a copy of its store, sends every request on a connection
 * of its own, and returns them with the responses, in which what differs between runs is masked.
 */
async function sendSection(checkout: Checkout, section: Section): Promise<Section> {
  for (const name of ['store.sqlite', 'store.sqlite-wal']) {
    copyFileSync(join(checkout.store, name), join(folder, name))
  }
  rmSync(join(folder, 'store.sqlite-shm'), { force: true })
  const DATABASE_URL = `sqlite:${join(folder, 'store.sqlite')}`
  const usual = { PORT: '0', LOG_LEVEL: 'silent', NODE_ENV: 'production' }
  const env = { ...usual, DATABASE_URL, ...section.env }
  const options = { project: checkout.folder, env, isShared: true }
  const program = startProgram(join(checkout.folder, section.program), [], options)
  const kill = () => void program.kill('SIGKILL')
  process.once('exit', kill)
  try {
    const [, port] = await program.waitForOutput(/http:\/\/[^:/\s]+:(\d+)/)
    const requests: Exchange[] = []

    for (const { request } of section.requests) {
      const bytes = request.replaceAll(
        /\{key:(\w+)\}/g,
        (_, name: keyof Contents['keys']) => checkout.keys[name].key,
      )
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
      socket.setTimeout(10_000, () => socket.destroy()).write(bytes, 'latin1')
      requests.push({ request, response: mask(await receive(socket), bytes) })
    }

    return { ...section, requests }
  } finally {
    process.off('exit', kill)
    await program.kill('SIGKILL')
  }
}

function mask(response: string, request: string): string {
  const parts = response.split(/(?=HTTP\/1\.1 \d{3} )/)
  return parts.map((part) => maskOne(part, request)).join('\n---\n')
}

// Header fields are sorted by name: their order means nothing (RFC 9110, section 5.3).
function maskOne(response: string, request: string): string {
  const [head = '', ...rest] = response.split('\r\n\r\n')
  const [statusLine, ...fields] = head.split('\r\n')
  const lines = fields.map((field) => {
    const [name = '', ...value] = field.split(':')
    const line = `${name.toLowerCase()}:${value.join(':')}`
    if (!line.startsWith('x-request-id: ')) {
      return line.replace(timeDependent, '$1: *')
    }
    return request.includes(line.slice(14)) ? line : 'x-request-id: *'
  })
  const body = rest.join('\r\n\r\n').replaceAll(/Retry in \d+ seconds?/g, 'Retry in *')
  return [statusLine, ...lines.sort(), '', body].join('\n')
}

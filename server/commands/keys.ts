import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { explain } from '../plain-error.ts'
import type { KeyStore } from '../store/key-store.ts'
import { openStore } from '../store/open-store.ts'
import { CommandRefused, issue, list, type Printed, revoke, rotate } from './key-commands.ts'
import { toDuration, toKeyTerms } from './key-options.ts'
import { UsageError } from './usage-error.ts'

const usage = `npm run keys -- issue --plan free|pro|business|enterprise [--name TEXT]
                      [--per-minute N --per-day N] [--expires ISO-DATE] [--json]
npm run keys -- list [--json]
npm run keys -- rotate ID [--overlap 24h] [--json]
npm run keys -- revoke ID [--json]`

const text = { type: 'string' } as const
const json = { type: 'boolean', default: false } as const

type Run = (keys: KeyStore) => Promise<Printed>

const commands: Readonly<Record<string, (words: string[]) => Run>> = {
  issue(args) {
    const options = { plan: text, name: text, expires: text, 'per-minute': text, 'per-day': text }
    const { values } = parseArgs({ args, options: { ...options, json } })
    const terms = toKeyTerms(values)
    return (keys) => issue(keys, terms, values.json)
  },
  list(args) {
    const { values } = parseArgs({ args, options: { json } })
    return (keys) => list(keys, values.json)
  },
  rotate(args) {
    const options = { overlap: { type: 'string', default: '0s' }, json } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const id = onlyId(positionals)
    const overlap = toDuration(values.overlap)
    return (keys) => rotate(keys, id, overlap, values.json)
  },
  revoke(args) {
    const { values, positionals } = parseArgs({ args, options: { json }, allowPositionals: true })
    const id = onlyId(positionals)
    return (keys) => revoke(keys, id, values.json)
  },
}

function onlyId([id, ...more]: readonly string[]): string {
  if (id !== undefined && more.length === 0) return id
  throw new UsageError('Name one key by its id. See: npm run keys -- list')
}

function toRun([name = '', ...words]: readonly string[]): Run {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined) return command(words)
  const known = Object.keys(commands).join(', ')
  throw new UsageError(`Name a command: ${known}. For their options: npm run keys -- --help`)
}

async function main(args: readonly string[]): Promise<void> {
  if (args[0] === '--help' || args[0] === 'help') {
    console.log(usage)
    return
  }
  const run = toRun(args)
  const { databaseUrl } = readConfig(process.env)
  if (databaseUrl === 'sqlite::memory:') {
    throw new CommandRefused('sqlite::memory: is seen by one process alone. Name a file instead.')
  }
  const store = await openStore(databaseUrl)
  try {
    const { out, note } = await run(store.keys)
    if (note !== undefined) console.error(note)
    console.log(out)
  } finally {
    await store.close()
  }
}

function isUsageError(error: unknown): boolean {
  if (error instanceof UsageError) return true
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('ERR_PARSE_ARGS')
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isUsage = isUsageError(error)
  console.error(isUsage && error instanceof Error ? error.message : explain(error))
  process.exitCode = isUsage ? 2 : 1
}

import type { Store } from '../store/store.ts'
import { runCommand } from './command.ts'
import { issue, list, type Printed, revoke, rotate } from './key-commands.ts'
import { toDuration, toKeyTerms } from './key-options.ts'
import { openNamedStore } from './named-store.ts'
import { parseOptions } from './options.ts'
import { UsageError } from './usage-error.ts'

const usage = `npm run keys -- issue --plan free|pro|business|enterprise [--name TEXT]
                      [--per-minute N --per-day N] [--expires ISO-DATE] [--json]
npm run keys -- list [--json]
npm run keys -- rotate ID [--overlap 24h] [--json]
npm run keys -- revoke ID [--json]`

const text = { type: 'string' } as const
const json = { type: 'boolean', default: false } as const

type Run = (store: Store) => Promise<Printed>

const commands: Readonly<Record<string, (words: string[]) => Run>> = {
  issue(args) {
    const options = { plan: text, name: text, expires: text, 'per-minute': text, 'per-day': text }
    const { values } = parseOptions({ args, options: { ...options, json } })
    const terms = toKeyTerms(values)
    return ({ keys }) => issue(keys, terms, values.json)
  },
  list(args) {
    const { values } = parseOptions({ args, options: { json } })
    return (store) => list(store, values.json)
  },
  rotate(args) {
    const options = { overlap: { type: 'string', default: '0s' }, json } as const
    const { values, positionals } = parseOptions({ args, options, allowPositionals: true })
    const id = onlyId(positionals)
    const overlap = toDuration(values.overlap)
    return ({ keys }) => rotate(keys, id, overlap, values.json)
  },
  revoke(args) {
    const { values, positionals } = parseOptions({
      args,
      options: { json },
      allowPositionals: true,
    })
    const id = onlyId(positionals)
    return ({ keys }) => revoke(keys, id, values.json)
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

await runCommand(usage, async (args) => {
  const run = toRun(args)
  const store = await openNamedStore()
  try {
    const { out, note } = await run(store)
    if (note !== undefined) console.error(note)
    console.log(out)
  } finally {
    await store.close()
  }
})

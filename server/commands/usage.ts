import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { apiName } from '../process/names.ts'
import { OperatorError, reasonOf } from '../process/operator-error.ts'
import { parseOptions, UsageError } from '../process/options.ts'
import { dayOf, toDate } from '../security/usage-counter.ts'
import type { KeyRecord } from '../store/key-store.ts'
import type { Store } from '../store/store.ts'
import { keptDays, type OperationUse } from '../store/usage-store.ts'
import { assertWritable, count, runCommand, withExistingStore } from './command.ts'

const usage = `npm run usage -- [--out FILE] [--days N]

Writes which API keys, and which other callers, called which operations on which days, as JSON, for:
npm run diff -- --usage FILE
--out FILE  writes a file, in place of an older one; without it, standard output
--days N    the last N days, today included: 30, or 1 to ${keptDays}`

function readCommand(args: string[]) {
  const out = { type: 'string' } as const
  const days = { type: 'string', default: '30' } as const
  const { values } = parseOptions({ args, options: { out, days } })
  const number = /^\d{1,4}$/.test(values.days) ? Number(values.days) : 0
  if (number < 1 || number > keptDays) {
    throw new UsageError(`--days must be a whole number from 1 to ${keptDays}.`)
  }
  return { out: values.out, days: number }
}

/** Returns the use of operations in the last days, as it is written. */
async function readUsage({ keys, usage: uses }: Store, days: number) {
  const now = Date.now()
  const today = dayOf(now)
  const firstDay = (await uses.firstDay()) ?? today
  // What was called before the service began to count is unknown.
  const from = Math.max(today - days + 1, firstDay)
  const calls = Map.groupBy(await uses.listCalls(from), ({ keyId }) => keyId)
  const usedKeys = (await keys.list()).filter(({ id }) => calls.has(id))
  const knownIds = new Set(usedKeys.map(({ id }) => id))
  const unknownIds = [...calls.keys()].filter((id) => !knownIds.has(id))
  return {
    format: 1,
    api: apiName,
    writtenAt: new Date(now).toISOString(),
    from: toDate(from),
    to: toDate(today),
    keys: [
      ...usedKeys.map((record) => toKey(record, calls.get(record.id) ?? [])),
      ...unknownIds.map((id) => toOtherCaller(id, calls.get(id) ?? [])),
    ],
  }
}

function toKey(record: KeyRecord, calls: readonly OperationUse[]) {
  const { id, name, plan, prefix } = record
  const operations = toOperations(calls)
  return { id, name: name ?? null, plan, prefix, isValid: isValid(record), operations }
}

/** Returns a caller with other credentials, such as tokens, of which the store knows only the ID. */
function toOtherCaller(id: string, calls: readonly OperationUse[]) {
  const operations = toOperations(calls)
  return { id, name: null, plan: null, prefix: null, isValid: true, operations }
}

function toOperations(calls: readonly OperationUse[]) {
  const byOperation = Map.groupBy(calls, ({ operationId }) => operationId)
  return Array.from(byOperation, ([operationId, uses]) => {
    const days = uses.map(({ day, requests }) => ({ day: toDate(day), requests }))
    return { operationId, days }
  })
}

function isValid({ revokedAt, expiresAt }: KeyRecord): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > Date.now())
}

/** Writes a file that appears when it is complete. */
function write(file: string, text: string): void {
  const partial = `${file}.${randomUUID()}.partial`
  try {
    writeFileSync(partial, text, { flag: 'wx' })
    renameSync(partial, file)
  } catch (cause) {
    rmSync(partial, { force: true })
    throw new OperatorError(`Cannot write ${file}: ${reasonOf(cause)}.`, { cause })
  }
}

await runCommand(usage, async (args) => {
  const { out, days } = readCommand(args)
  if (out !== undefined) {
    assertWritable(out)
  }
  await withExistingStore(async (store) => {
    const read = await readUsage(store, days)
    const text = JSON.stringify(read, null, 2)
    if (out === undefined) {
      console.log(text)
      return
    }
    write(out, `${text}\n`)
    const { keys, from, to } = read
    const noun = keys.some(({ plan }) => plan === null) ? 'caller' : 'key'
    console.log(`Wrote to ${out}: what ${count(keys.length, noun)} called from ${from} to ${to}.`)
  })
})

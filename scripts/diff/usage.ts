import { readFileSync } from 'node:fs'
import packageJson from '../../package.json' with { type: 'json' }
import { isObject, toObject } from '../../server/description/json.ts'
import { toPointer } from '../../server/description/pointer.ts'
import { UsageError } from '../../server/process/options.ts'
import { shortPath } from '../pipeline/project.ts'
import type { Sources } from '../pipeline/sources.ts'
import type { Change, ContractDiff } from './contract-diff.ts'

/** The days before the file was written that are looked at. */
const shownDays = 30
/** How many days old a file may be without a note, and at most. */
const freshDays = 7
const oldestDays = 30
/** How many keys are named at a change. */
const shownKeys = 10
const dayLength = 86_400_000

/** Which operations API keys have called, as `npm run usage` writes it. */
export interface Usage {
  readonly file: string
  readonly writtenAt: string
  /** The first and the last day, such as `2026-11-20`. */
  readonly from: string
  readonly to: string
  readonly keys: readonly KeyUsage[]
}

interface KeyUsage {
  readonly id: string
  readonly name: string | null
  /** Null for a caller with other credentials than an API key. */
  readonly plan: string | null
  /** Whether it was neither revoked nor expired when the file was written. */
  readonly isValid: boolean
  readonly operations: readonly OperationUsage[]
}

interface OperationUsage {
  readonly operationId: string
  readonly days: readonly { readonly day: string; readonly requests: number }[]
}

/** How often a key has called the operations that a change concerns. */
export interface Caller {
  readonly id: string
  readonly name: string | null
  readonly plan: string | null
  readonly isValid: boolean
  readonly requests: number
  /** Such as `2026-11-20`. */
  readonly lastDay: string
}

/** The days that a report on the use of operations is about. */
export interface UsagePeriod extends Pick<Usage, 'file' | 'writtenAt' | 'to'> {
  /** How many days it looks back from the last one. */
  readonly days: number
  /** The first day of these on which calls were counted. */
  readonly from: string
  /** How many days ago the file was written. */
  readonly age: number
}

/** Reads a file that `npm run usage` has written; throws a `UsageError` if it is another one. */
export function readUsage(file: string): Usage {
  const name = shortPath(file)
  const value = toObject(parse(file, name))
  const { format, api } = value
  const advice = 'write it with: npm run usage -- --out FILE'
  if (format === undefined || api === undefined) {
    throw new UsageError(`${name} does not say who has called which operations; ${advice}`)
  }
  if (format !== 1) {
    throw new UsageError(
      `${name} has the format ${format}, which another version writes; ${advice}`,
    )
  }
  if (api !== packageJson.name) {
    throw new UsageError(`${name} is about ${api}, and this project is ${packageJson.name}`)
  }
  const { writtenAt, from, to, keys } = value
  const hasDays = isDay(from) && isDay(to) && from <= to
  const isTime = typeof writtenAt === 'string' && !Number.isNaN(Date.parse(writtenAt))
  if (!hasDays || !isTime || !Array.isArray(keys) || !keys.every(isKeyUsage)) {
    throw new UsageError(`${name} is damaged; ${advice}`)
  }
  return { file: name, writtenAt, from, to, keys }
}

function parse(file: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code } = toObject(error)
    if (code === 'ENOENT') {
      throw new UsageError(`there is no file ${name}`)
    }
    const reason = error instanceof SyntaxError ? 'is no JSON' : `cannot be read: ${code}`
    throw new UsageError(`${name} ${reason}`)
  }
}

function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) {
    return false
  }
  return !Number.isNaN(Date.parse(value))
}

function isKeyUsage(value: unknown): value is KeyUsage {
  const { id, name, plan, isValid, operations } = toObject(value)
  const hasTexts = [name, plan].every((text) => text === null || typeof text === 'string')
  const isKey = typeof id === 'string' && hasTexts
  if (!isKey || typeof isValid !== 'boolean' || !Array.isArray(operations)) {
    return false
  }
  return operations.every(isOperationUsage)
}

function isOperationUsage(value: unknown): value is OperationUsage {
  const { operationId, days } = toObject(value)
  if (typeof operationId !== 'string' || !Array.isArray(days)) {
    return false
  }
  return days.every((each) => {
    return isObject(each) && isDay(each['day']) && Number.isSafeInteger(each['requests'])
  })
}

/** Adds to each breaking change of operations the keys that have called them. */
export function addCallers(
  diff: ContractDiff,
  base: Sources,
  usage: Usage,
  today: Date,
): ContractDiff {
  const period = toPeriod(usage, today)
  if (period.age > oldestDays) {
    return { ...diff, usage: period }
  }
  const changes = diff.changes.map((change) => {
    const operationIds = change.breaking ? operationsOf(change, base) : []
    if (operationIds.length === 0) {
      return change
    }
    return { ...change, callers: findCallers(usage, operationIds, period.from) }
  })
  return { ...diff, changes, usage: period }
}

function toPeriod({ file, writtenAt, from, to }: Usage, today: Date): UsagePeriod {
  const first = firstDayBefore(to)
  const age = Math.floor((today.getTime() - Date.parse(writtenAt)) / dayLength)
  return { file, writtenAt, to, days: shownDays, from: from > first ? from : first, age }
}

/** Returns the first of the days that a period has, by its last one. */
function firstDayBefore(to: string): string {
  return new Date(Date.parse(to) - (shownDays - 1) * dayLength).toISOString().slice(0, 10)
}

/** Returns the operationIds, in the base, of the operations that a change concerns. */
function operationsOf({ operations }: Change, base: Sources): readonly string[] {
  const { paths } = toObject(base.root)
  return operations.flatMap(({ name, operationId }) => {
    const [method = '', path = ''] = name.split(' ')
    const hasPath = Object.hasOwn(toObject(paths), path)
    const pathItem = hasPath
      ? base.valueAt({ file: base.file, pointer: toPointer(['paths', path]) })
      : undefined
    // Usage was counted under the name that the operation had before the change.
    const before = toObject(toObject(pathItem)[method.toLowerCase()])['operationId']
    const counted = typeof before === 'string' ? before : operationId
    return counted === undefined ? [] : [counted]
  })
}

function findCallers(usage: Usage, operationIds: readonly string[], from: string): Caller[] {
  const callers = usage.keys.flatMap(({ id, name, plan, isValid, operations }) => {
    const days = operations
      .filter(({ operationId }) => operationIds.includes(operationId))
      .flatMap((operation) => operation.days)
      .filter(({ day }) => day >= from)
    const lastDay = days
      .map(({ day }) => day)
      .sort()
      .at(-1)
    if (lastDay === undefined) {
      return []
    }
    const requests = days.reduce((sum, day) => sum + day.requests, 0)
    return [{ id, name, plan, isValid, requests, lastDay }]
  })
  return callers.toSorted((one, other) => other.requests - one.requests)
}

/** Returns who has called the operations of a change, in one sentence; undefined where nothing is known. */
export function describeCallers({ callers }: Change, { usage }: ContractDiff): string | undefined {
  if (callers === undefined || usage === undefined) {
    return undefined
  }
  const { days, from, to } = usage
  const isCutShort = from > firstDayBefore(to)
  const countedSince = isCutShort ? ` (counted since ${from})` : ''
  const period = `called it in ${days} days${countedSince}`
  if (callers.length === 0) {
    return `No key ${period}.`
  }
  const noun = callers.some(({ plan }) => plan === null) ? 'caller' : 'key'
  const names = callers.slice(0, shownKeys).map(describeCaller)
  const more = callers.length - names.length
  const omitted = more === 0 ? '' : `; and ${count(more, `more ${noun}`)}`
  return `${count(callers.length, noun)} ${period}: ${names.join('; ')}${omitted}.`
}

function describeCaller({ id, name, plan, isValid, requests, lastDay }: Caller): string {
  const nameWithId = name === null ? id : `${name} (${id})`
  const ofPlan = plan === null ? '' : `, plan ${plan}`
  const ended = isValid ? '' : ', no longer valid'
  const caller = `${nameWithId}${ofPlan}${ended}, ${count(requests, 'request')}, last on ${lastDay}`
  return toLine(caller)
}

/** Returns a text without line breaks and other control characters, which a file may hold. */
export function toLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}

/** Returns where the use of operations is from, and of which days. */
export function describeUsage({ file, from, to, age }: UsagePeriod): string {
  const advice = `${file} was written ${age} days ago; write it again: npm run usage -- --out FILE`
  if (age > oldestDays) {
    return `It is not known who is affected: ${advice}`
  }
  const where = `The usage of operations is from ${file}: requests from ${from} to ${to}.`
  return age > freshDays ? `${where} What was called since is unknown: ${advice}` : where
}

/** Returns a number as people read it, with its noun. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`
}

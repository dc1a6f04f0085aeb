import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleDescription, openDescription } from '../pipeline/bundle.ts'
import { isObject, type JsonObject, toObject } from '../pipeline/description.ts'
import { outsidePath } from './pointer.ts'
import { type Difference, runRedoclyDiff } from './redocly-diff.ts'

/** Two descriptions to compare, each in one piece. */
export interface Pair {
  readonly base: JsonObject
  readonly current: JsonObject
}

/** Reads both descriptions, with everything that they refer to in other files. */
export async function readPair(base: string, current: string): Promise<Pair> {
  const [first, second] = await Promise.all([readComparable(base), readComparable(current)])
  return { base: first, current: second }
}

/** The differences between two descriptions; each of their pointers is one into the pair. */
export async function findDifferences({ base, current }: Pair): Promise<readonly Difference[]> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-diff-'))
  try {
    const files = [join(folder, 'base.json'), join(folder, 'current.json')] as const
    await Promise.all([
      writeFile(files[0], JSON.stringify(base)),
      writeFile(files[1], JSON.stringify(current)),
    ])
    return await runRedoclyDiff(...files)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The version that a description says it has. */
export function versionOf(description: JsonObject): string {
  return String(toObject(description['info'])['version'])
}

/** Reads a description in one piece; what its extensions refer to stays shared. */
export async function readDescription(file: string): Promise<JsonObject> {
  const opened = await openDescription(file)
  // As it was written: bundling puts the responses themselves where extensions refer to them.
  const written = toObject(structuredClone(opened.document.parsed))
  const bundled = await bundleDescription(opened)
  const { [outside]: responses, [framing]: response } = written
  return {
    ...bundled,
    ...(isObject(responses) && {
      [outside]: mapValues(responses, (name, value) =>
        keepReference(value, toObject(bundled[outside])[name]),
      ),
    }),
    ...(isObject(response) && { [framing]: keepReference(response, bundled[framing]) }),
  }
}

/** Reads a description so that what is answered outside operations is one of its paths. */
export async function readComparable(file: string): Promise<JsonObject> {
  // Redocly does not look into extensions.
  const { [outside]: responses, [framing]: response, ...rest } = await readDescription(file)
  const all = { ...toObject(responses), ...(isObject(response) && { default: response }) }
  if (Object.keys(all).length === 0) return rest
  return {
    ...rest,
    paths: { ...toObject(rest['paths']), [outsidePath]: { get: { responses: all } } },
  }
}

const outside = 'x-outside-operations'
const framing = 'x-framing-response'

function keepReference(written: unknown, bundled: unknown): unknown {
  const { $ref } = toObject(written)
  return typeof $ref === 'string' && $ref.startsWith('#/') ? { $ref } : bundled
}

function mapValues(object: JsonObject, change: (key: string, value: unknown) => unknown) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(key, value)]))
}

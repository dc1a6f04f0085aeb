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

/** Reads a description in one piece, with what is answered outside operations as a path. */
export async function readComparable(file: string): Promise<JsonObject> {
  const opened = await openDescription(file)
  // As it was written: bundling puts the responses themselves where extensions refer to them.
  const written = toObject(structuredClone(opened.document.parsed))
  return showOutside(await bundleDescription(opened), written)
}

// Redocly does not look into extensions: what is answered outside operations is shown as a path.
function showOutside(bundled: JsonObject, written: JsonObject): JsonObject {
  const { 'x-outside-operations': outside, 'x-framing-response': framing, ...rest } = bundled
  const responses = { ...toObject(outside), ...(isObject(framing) ? { default: framing } : {}) }
  if (Object.keys(responses).length === 0) return rest
  const references: JsonObject = {
    ...toObject(written['x-outside-operations']),
    default: written['x-framing-response'],
  }
  const restored = Object.entries(responses).map(([status, response]) => {
    const { $ref } = toObject(references[status])
    return [status, typeof $ref === 'string' && $ref.startsWith('#/') ? { $ref } : response]
  })
  const operation = { get: { responses: Object.fromEntries(restored) } }
  return { ...rest, paths: { ...toObject(rest['paths']), [outsidePath]: operation } }
}

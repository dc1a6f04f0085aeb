import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type JsonObject, toObject } from '../pipeline/description.ts'
import { type Difference, runRedoclyDiff } from './redocly-diff.ts'
import { Usages } from './usage.ts'
import { readComparable } from './whole-description.ts'

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

/**
 * Leaves out the paths that are the same in both and show of no component a way that others do not,
 * so that it is the change that takes time, not the description.
 */
export function cutDown({ base, current }: Pair): Pair {
  const [before, after] = [toObject(base['paths']), toObject(current['paths'])]
  // Where nothing is said of who may call, that is said once for all.
  const isOpenTo = isDeepStrictEqual(base['security'], current['security'])
  const isSame = (path: string) => isOpenTo && isDeepStrictEqual(before[path], after[path])
  const same = Object.keys(before).filter(isSame)
  const usages = [new Usages(base), new Usages(current)]
  const addPath = (path: string) => usages.map((each) => each.add('paths', path)).some(Boolean)
  const others = [...Object.keys(before), ...Object.keys(after)]
  for (const path of others.filter((path) => !same.includes(path))) addPath(path)
  const left = new Set(same.filter((path) => !addPath(path)))
  const keep = (paths: JsonObject) =>
    Object.fromEntries(Object.entries(paths).filter(([path]) => !left.has(path)))
  return {
    base: { ...base, paths: keep(before) },
    current: { ...current, paths: keep(after) },
  }
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

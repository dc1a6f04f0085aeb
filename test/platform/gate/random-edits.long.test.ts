import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { compareDescriptions } from '../../../scripts/diff/compare.ts'
import { isObject } from '../../../server/description/json.ts'
import { createRandom } from '../../helpers/random.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { readBase, writeSpec } from '../pipeline/support/workspace.ts'

type Path = readonly string[]

/** Keys below which values are data, or which only name something. */
const skipped = /^(?:openapi|version|\$ref|mapping)$/

/** Edits that change nothing that is described, by the reason. */
function meansNothing(path: Path, kind: string): boolean {
  const [last = '', parent = ''] = path.toReversed()
  // What a reference does not lead to any more is an error, and no comparison.
  if (kind === 'remove' && path[0] === 'components') {
    return true
  }
  // Each error response states its own status and code.
  if (path.join(' ').startsWith('components schemas Error properties status m')) {
    return true
  }
  // Responses keep the headers that x-common gives to all of them.
  if (path[0] === 'x-common') {
    return true
  }
  return last === 'required' && parent !== '' && kind === 'add'
}

/** Returns every path of a description. */
function pathsOf(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) {
    return [at]
  }
  return [at, ...Object.entries(value).flatMap(([key, child]) => pathsOf(child, [...at, key]))]
}

/** Returns another value of the same kind. */
function alter(value: unknown, isText: boolean): unknown {
  if (typeof value === 'number') {
    return value + 1
  }
  if (typeof value === 'boolean') {
    return !value
  }
  return isText ? `${value} and more` : `${value}x`
}

const text = await readBase()
const description: unknown = parse(text)
const random = createRandom(48)
const paths = pathsOf(description).filter(
  (path) => path.length > 1 && !path.some((key) => skipped.test(key)),
)

function valueAt(path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (isObject(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined),
    description,
  )
}

/** Returns some edits: a value that is altered, a keyword that is removed, or an unknown one that is added. */
function* createEdits(count: number) {
  for (let index = 0; index < count; index += 1) {
    const path = paths[Math.floor(random() * paths.length)] ?? []
    const value = valueAt(path)
    const kind = isObject(value)
      ? index % 2 === 0
        ? 'add'
        : 'remove'
      : index % 3 === 0
        ? 'remove'
        : 'alter'
    if (!meansNothing(path, kind)) {
      yield { path, kind, value }
    }
  }
}

/** Returns the description after an edit, as JSON, which is read faster than YAML. */
function edit({
  path,
  kind,
  value,
}: ReturnType<typeof createEdits> extends Generator<infer Each> ? Each : never) {
  const edited: UncheckedJson = structuredClone(description)
  const [last = '', ...holders] = path.toReversed()
  const holder = holders.toReversed().reduce((node, key) => node[key], edited)
  if (kind === 'remove' && Array.isArray(holder)) {
    Array.prototype.splice.call(holder, Number(last), 1)
  } else if (kind === 'remove') {
    Reflect.deleteProperty(holder, last)
  } else if (kind === 'add') {
    Reflect.set(holder[last], 'x-unheard', 1)
  } else {
    Reflect.set(holder, last, alter(value, /^(?:description|summary|title)$/.test(last)))
  }
  return JSON.stringify(edited)
}

test('of random single edits, each is found, or is an error with its line', {
  timeout: 300_000,
}, async () => {
  const base = await writeSpec(JSON.stringify(description))
  const missed: string[] = []
  for (const each of createEdits(80)) {
    const current = await writeSpec(edit(each))
    try {
      const { changes } = compareDescriptions(base, current)
      if (changes.length === 0) {
        missed.push(`${each.kind} ${each.path.join(' ')}`)
      }
    } catch (error) {
      expect(String(error)).toMatch(/:\d+:\d+ |info\.version/)
    }
  }
  expect(missed).toEqual([])
})

test('the order of keys, and the style of YAML, mean nothing', async () => {
  const other = stringify(description, { sortMapEntries: true, defaultStringType: 'QUOTE_DOUBLE' })
  const { changes } = compareDescriptions(await writeSpec(text), await writeSpec(other))
  expect(changes).toEqual([])
})

import { isDeepStrictEqual } from 'node:util'
import type { Description } from '../model/description.ts'
import { type Located, toKey } from '../model/location.ts'
import { isObject } from '../pipeline/description.ts'
import { shortPath } from '../pipeline/project.ts'
import type { SchemaComparison } from './compare-schemas.ts'
import type { Recorder } from './recorder.ts'
import { toRefPath } from './released.ts'
import { findElsewhere, isSameComponent } from './relocations.ts'
import { meanTheSame } from './same-meaning.ts'
import type { Pair } from './words.ts'

/** Compares the names of components, and the content of those to which nothing refers. */
export function compareComponents(
  pair: Pair,
  recorder: Recorder,
  schemas: SchemaComparison,
  ref: string,
): void {
  const { base, current } = pair
  const used = { base: findUsed(base), current: findUsed(current) }
  const isUnused = (one: Located, other: Located) =>
    !used.base.has(toKey(one)) && !used.current.has(toKey(other))
  for (const kind of new Set([...base.components.keys(), ...current.components.keys()])) {
    const [before, after] = [base, current].map(({ components }) => components.get(kind))
    const gained = [...(after ?? [])].filter(([name]) => !before?.has(name))
    for (const [name, node] of before ?? []) {
      const known = after?.get(name)
      if (known === undefined) recordLost(pair, recorder, kind, name, node, gained)
      else if (isUnused(node, known))
        compareUnused(pair, recorder, schemas, kind, name, node, known)
    }
    for (const [name, node] of gained) {
      recordGained(pair, recorder, { kind, name, node, ref, isUsed: used.current.has(toKey(node)) })
    }
  }
}

function compareUnused(
  pair: Pair,
  recorder: Recorder,
  schemas: SchemaComparison,
  kind: string,
  name: string,
  before: Located,
  after: Located,
): void {
  const [one, other] = [pair.base.schemas.get(name), pair.current.schemas.get(name)]
  if (kind === 'schemas' && one !== undefined && other !== undefined) {
    schemas.compare(one(), other(), { slot: 'response-property', mode: 'unused' })
    return
  }
  // Security schemes are compared by what they say.
  if (kind === 'securitySchemes' || isDeepStrictEqual(before.value, after.value)) return
  const at = { base: before, current: after }
  recorder.record('unused-component-changed', { subject: pair.nameOf(at) }, at)
}

/** Records that a component is gone, or has another name or place; takes a new name from the gained ones. */
function recordLost(
  pair: Pair,
  recorder: Recorder,
  kind: string,
  name: string,
  node: Located,
  gained: [string, Located][],
): void {
  const { base, current } = pair
  const isSchema = kind === 'schemas'
  const at = { base: node }
  const index = gained.findIndex(([other, place]) =>
    isSame(pair, kind, [name, node], [other, place]),
  )
  const [renamed] = index < 0 ? [] : gained.splice(index, 1)
  if (renamed !== undefined) {
    const names = { before: name, after: `components.${kind}.${renamed[0]}` }
    const id = isSchema ? 'api-schema-renamed' : 'component-renamed'
    recorder.record(id, names, { base: node, current: renamed[1] })
    return
  }
  const elsewhere = findElsewhere(base, current, node)
  if (elsewhere === undefined) {
    recorder.record(isSchema ? 'api-schema-removed' : 'component-removed', { name }, at)
    return
  }
  const file = elsewhere.kind === 'moved' ? shortPath(elsewhere.file) : undefined
  recorder.record(isSchema ? 'api-schema-moved' : 'component-moved', { name, file }, at)
}

/** A component that only the current description has. */
interface Gained {
  readonly kind: string
  readonly name: string
  readonly node: Located
  /** What the base was read from. */
  readonly ref: string
  readonly isUsed: boolean
}

function recordGained(
  pair: Pair,
  recorder: Recorder,
  { kind, name, node, ref, isUsed }: Gained,
): void {
  const at = { current: node }
  const elsewhere = isUsed ? findElsewhere(pair.current, pair.base, node) : undefined
  if (elsewhere !== undefined) {
    const file = elsewhere.kind === 'moved' ? toRefPath(elsewhere.file, ref) : undefined
    recorder.record('component-extracted', { name, file }, at)
  } else if (!isUsed && kind !== 'securitySchemes') {
    recorder.record('unused-component-added', { name }, at)
  }
}

/** Returns whether a component that is gone is a new one, under another name. */
function isSame(
  { base, current }: Pair,
  kind: string,
  [name, node]: readonly [string, Located],
  [other, place]: readonly [string, Located],
): boolean {
  if (kind === 'securitySchemes') {
    return isDeepStrictEqual(sentBy(base, name), sentBy(current, other))
  }
  const [before, after] = [base.schemas.get(name), current.schemas.get(other)]
  const hasMeaning = kind === 'schemas' && before !== undefined && after !== undefined
  return hasMeaning ? meanTheSame(before(), after()) : isSameComponent(base, current, node, place)
}

/** Returns how the credentials of a scheme are sent. */
function sentBy({ securitySchemes }: Description, name: string): unknown {
  const scheme = securitySchemes.get(name)
  return [scheme?.form, scheme?.flows]
}

/** Returns the components to which something refers that is not itself such a component. */
function findUsed({ sources, components }: Description): ReadonlySet<string> {
  const used = new Set<string>()
  const next: Located[] = []
  const { file } = sources
  const root = isObject(sources.root) ? sources.root : {}
  for (const [key, value] of Object.entries(root)) {
    if (key !== 'components') next.push({ file, pointer: `#/${key}`, value })
  }
  const collect = (node: Located) => {
    if (typeof node.value !== 'object' || node.value === null) return
    const { $ref, discriminator } = Object.assign(
      { $ref: undefined, discriminator: undefined },
      node.value,
    )
    const names =
      isObject(discriminator) && isObject(discriminator['mapping'])
        ? Object.values(discriminator['mapping'])
        : []
    for (const name of [$ref, ...names]) {
      if (typeof name !== 'string') continue
      const isName = components.get('schemas')?.has(name) === true
      const value = { $ref: isName ? `#/components/schemas/${name}` : name }
      const target = sources.tryNext({ ...node, value })
      if (target === undefined || used.has(toKey(target))) continue
      used.add(toKey(target))
      next.push(target)
    }
    for (const value of Object.values(node.value)) collect({ ...node, value })
  }
  for (const node of next) collect(node)
  return used
}

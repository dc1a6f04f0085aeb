import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '../../server/description/description.ts'
import { toObject } from '../../server/description/json.ts'
import { type Located, toKey } from '../../server/description/location.ts'
import { schemesOf } from '../../server/description/security.ts'
import { shortPath } from '../pipeline/project.ts'
import type { SchemaComparison } from './compare-schemas.ts'
import { isSameScheme } from './compare-security-schemes.ts'
import type { ComparedDescription } from './compared-description.ts'
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
  const kinds = new Set([...base.components.keys(), ...current.components.keys()])
  // An example is compared where it is shown; no type and no program has the name of its component.
  kinds.delete('examples')
  for (const kind of kinds) {
    const [before, after] = [base, current].map(({ components }) => components.get(kind))
    const gained = [...(after ?? [])].filter(([name]) => !before?.has(name))
    for (const [name, node] of before ?? []) {
      const nodeAfter = after?.get(name)
      if (nodeAfter === undefined) {
        recordLost(pair, recorder, kind, name, node, gained)
      } else if (isUnused(node, nodeAfter)) {
        compareUnused(pair, recorder, schemas, kind, node, nodeAfter)
      }
    }
    for (const [name, node] of gained) {
      recordGained(pair, recorder, { name, node, ref, isUsed: used.current.has(toKey(node)) })
    }
  }
}

function compareUnused(
  pair: Pair,
  recorder: Recorder,
  schemas: SchemaComparison,
  kind: string,
  before: Located,
  after: Located,
): void {
  const { base, current } = pair
  if (kind === 'schemas') {
    const schemaBefore = base.readSchema(before)
    const schemaAfter = current.readSchema(after)
    schemas.compare(schemaBefore, schemaAfter, { slot: 'response-property', mode: 'unused' })
    return
  }
  if (isDeepStrictEqual(before.value, after.value)) {
    return
  }
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
  readonly name: string
  readonly node: Located
  /** What the base was read from. */
  readonly ref: string
  readonly isUsed: boolean
}

function recordGained(pair: Pair, recorder: Recorder, { name, node, ref, isUsed }: Gained): void {
  // The platform has parts that not every API uses.
  if (node.file === pair.current.sources.platform?.file) {
    return
  }
  const at = { current: node }
  const elsewhere = isUsed ? findElsewhere(pair.current, pair.base, node) : undefined
  if (elsewhere !== undefined) {
    const file = elsewhere.kind === 'moved' ? toRefPath(elsewhere.file, ref) : undefined
    recorder.record('component-extracted', { name, file }, at)
  } else if (!isUsed) {
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
    const [before, after] = [base.securitySchemes.get(name), current.securitySchemes.get(other)]
    return before !== undefined && after !== undefined && isSameScheme(before, after)
  }
  if (kind === 'schemas') {
    return meanTheSame(base.readSchema(node), current.readSchema(place))
  }
  return isSameComponent(base, current, node, place)
}

/**
 * Returns the components to which something refers that is itself no component, or one of these, and the
 * security schemes that are required.
 */
function findUsed(description: ComparedDescription): ReadonlySet<string> {
  const { sources, operations, webhooks } = description
  const used = findRequiredSchemes(description, [...operations, ...webhooks])
  const { components: _, ...withoutComponents } = toObject(sources.root)
  const next: Located[] = [{ file: sources.file, pointer: '#', value: withoutComponents }]
  for (const node of next) {
    for (const target of targetsOf(description, node)) {
      const key = toKey(target)
      if (!used.has(key)) {
        next.push(target)
      }
      used.add(key)
    }
  }
  return used
}

/** Returns the security schemes that operations and their callbacks require. */
function findRequiredSchemes(
  { components }: ComparedDescription,
  operations: readonly Operation[],
): Set<string> {
  const schemes = components.get('securitySchemes')
  const required = new Set<string>()
  const passed = new Set<string>()
  const next = [...operations]
  for (const { at, security, callbacks } of next) {
    for (const name of schemesOf(security)) {
      const node = schemes?.get(name)
      if (node !== undefined) {
        required.add(toKey(node))
      }
    }
    // A callback may have itself as a callback.
    const isKnown = passed.has(toKey(at))
    next.push(...(isKnown ? [] : callbacks))
    passed.add(toKey(at))
  }
  return required
}

/** Returns what a node refers to, and what is in it. */
function targetsOf(description: ComparedDescription, node: Located): readonly Located[] {
  const { value } = node
  if (typeof value !== 'object' || value === null) {
    return []
  }
  const { $ref, discriminator } = toObject(value)
  const { mapping, defaultMapping } = toObject(discriminator)
  const mapped = [...Object.values(toObject(mapping)), defaultMapping]
  const targets = [$ref, ...mapped].flatMap((name) => {
    if (typeof name !== 'string') {
      return []
    }
    const isName = description.components.get('schemas')?.has(name) === true
    const reference = { $ref: isName ? `#/components/schemas/${name}` : name }
    return description.documents.tryNext({ ...node, value: reference }) ?? []
  })
  const inner = Object.values(value).flatMap((each) =>
    targetsOf(description, { ...node, value: each }),
  )
  return [...targets, ...inner]
}

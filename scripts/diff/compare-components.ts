import { isDeepStrictEqual } from 'node:util'
import type { Description } from '../model/description.ts'
import type { Located, Location } from '../model/location.ts'
import { toKey } from '../model/location.ts'
import { isObject } from '../pipeline/description.ts'
import type { SchemaComparison } from './compare-schemas.ts'
import type { Recorder } from './recorder.ts'
import { meanTheSame } from './same-meaning.ts'
import type { Pair } from './words.ts'

/** Compares the names of components, and the content of those to which nothing refers. */
export function compareComponents(pair: Pair, recorder: Recorder, schemas: SchemaComparison): void {
  const { base, current } = pair
  const used = { base: findUsed(base), current: findUsed(current) }
  const isUnused = (one: Located, other: Located) =>
    !used.base.has(toKey(one)) && !used.current.has(toKey(other))
  compareSchemaNames(pair, recorder, used.current)
  for (const [name, later] of current.schemas) {
    const before = base.schemas.get(name)
    const [one, other] = [find(base, 'schemas', name), find(current, 'schemas', name)]
    if (before === undefined || one === undefined || other === undefined || !isUnused(one, other))
      continue
    schemas.compare(before(), later(), { slot: 'response-property', mode: 'unused' })
  }
  for (const kind of new Set([...base.components.keys(), ...current.components.keys()])) {
    if (kind !== 'schemas') compareKind(pair, recorder, kind, isUnused, used.current)
  }
}

function compareSchemaNames(pair: Pair, recorder: Recorder, used: ReadonlySet<string>): void {
  const { base, current } = pair
  const gained = [...current.schemas].filter(([name]) => !base.schemas.has(name))
  for (const [name, later] of base.schemas) {
    if (current.schemas.has(name)) continue
    const at = { base: toPlace(base, 'schemas', name) }
    const index = gained.findIndex(([, other]) => meanTheSame(later(), other()))
    const [renamed] = index < 0 ? [] : gained.splice(index, 1)
    if (renamed === undefined) {
      recorder.record('api-schema-removed', { subject: pair.nameOf(at) }, at)
    } else {
      const [after] = renamed
      const places = { ...at, current: toPlace(current, 'schemas', after) }
      recorder.record('api-schema-renamed', toNames('schemas', name, after), places)
    }
  }
  for (const [name] of gained) {
    const at = toPlace(current, 'schemas', name)
    if (used.has(toKey(at))) continue
    recorder.record(
      'unused-component-added',
      { subject: pair.nameOf({ current: at }) },
      { current: at },
    )
  }
}

function compareKind(
  pair: Pair,
  recorder: Recorder,
  kind: string,
  isUnused: (one: Located, other: Located) => boolean,
  used: ReadonlySet<string>,
): void {
  const { base, current } = pair
  const [before, after] = [base, current].map(
    ({ components }) => components.get(kind) ?? new Map<string, Located>(),
  )
  if (before === undefined || after === undefined) return
  const gained = [...after].filter(([name]) => !before.has(name))
  for (const [name, node] of before) {
    const known = after.get(name)
    if (known !== undefined) {
      const isChanged = isUnused(node, known) && !isDeepStrictEqual(node.value, known.value)
      const at = { base: node, current: known }
      // Security schemes are compared by what they say.
      if (isChanged && kind !== 'securitySchemes') {
        recorder.record('unused-component-changed', { subject: pair.nameOf(at) }, at)
      }
      continue
    }
    const isRenamed = (other: string, value: unknown) =>
      kind === 'securitySchemes'
        ? isDeepStrictEqual(sentBy(current, other), sentBy(base, name))
        : isDeepStrictEqual(value, node.value)
    const index = gained.findIndex(([other, { value }]) => isRenamed(other, value))
    const [renamed] = index < 0 ? [] : gained.splice(index, 1)
    if (renamed === undefined) {
      recorder.record('component-removed', { subject: pair.nameOf({ base: node }) }, { base: node })
    } else {
      recorder.record('component-renamed', toNames(kind, name, renamed[0]), {
        base: node,
        current: renamed[1],
      })
    }
  }
  for (const [, node] of gained) {
    if (used.has(toKey(node)) || kind === 'securitySchemes') continue
    recorder.record(
      'unused-component-added',
      { subject: pair.nameOf({ current: node }) },
      { current: node },
    )
  }
}

/** Returns how the credentials of a scheme are sent. */
function sentBy({ securitySchemes }: Description, name: string): unknown {
  const scheme = securitySchemes.get(name)
  return [scheme?.form, scheme?.flows]
}

function toNames(kind: string, before: string, after: string) {
  return { before, after: `components.${kind}.${after}` }
}

function find({ components }: Description, kind: string, name: string): Located | undefined {
  return components.get(kind)?.get(name)
}

function toPlace(description: Description, kind: string, name: string): Location {
  return find(description, kind, name) ?? description.root.at
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

import { toChild, toObject } from '../pipeline/description.ts'
import type { Sources } from '../pipeline/sources.ts'
import { type Location, toKey } from './location.ts'
import { keywordAt } from './part-keywords.ts'
import type { Discriminator } from './schema.ts'
import type { Part } from './schema-parts.ts'

/** Returns the discriminator of a part; none if it has none. */
export function readDiscriminator(part: Part, sources: Sources): readonly Discriminator[] {
  const stated = toObject(part.keywords['discriminator'])
  const { propertyName, mapping, defaultMapping, ...others } = stated
  if (typeof propertyName !== 'string') return []
  const at = keywordAt(part, 'discriminator')
  const mappingAt = { ...at, pointer: toChild(at.pointer, 'mapping') }
  const entries = Object.entries(toObject(mapping)).flatMap(([value, name]) => {
    const entryAt = { ...mappingAt, pointer: toChild(mappingAt.pointer, value) }
    const target = toMapped(sources, entryAt, String(name))
    return target.pointer === `#/components/schemas/${value}`
      ? []
      : [[value, toKey(target)] as const]
  })
  const defaultAt = { ...at, pointer: toChild(at.pointer, 'defaultMapping') }
  const defaultTarget =
    typeof defaultMapping === 'string'
      ? toKey(toMapped(sources, defaultAt, defaultMapping))
      : undefined
  return [{ at, propertyName, mapping: new Map(entries), defaultTarget, others }]
}

/** Returns where the schema is that a mapping names, by the name of its component or by a reference. */
function toMapped(sources: Sources, { file, pointer }: Location, name: string): Location {
  const isName = /^[\w.-]+$/.test(name)
  const named = `#/components/schemas/${name}`
  const hasName = isName && sources.read(sources.file, named).value !== undefined
  const $ref = hasName ? named : name
  const holder = { file: hasName ? sources.file : file, pointer, value: { $ref } }
  return sources.next(holder) ?? { file, pointer: name }
}

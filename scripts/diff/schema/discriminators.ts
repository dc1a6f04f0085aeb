import type { Documents } from '../../../server/description/documents.ts'
import { toObject } from '../../../server/description/json.ts'
import { type Location, toKey } from '../../../server/description/location.ts'
import { toChild } from '../../../server/description/pointer.ts'
import { keywordAt } from './part-keywords.ts'
import type { Discriminator } from './schema.ts'
import type { Part } from './schema-parts.ts'

/** Returns the discriminator of a part; none if it has none. */
export function readDiscriminator(part: Part, documents: Documents): readonly Discriminator[] {
  const stated = toObject(part.keywords['discriminator'])
  const { propertyName, mapping, defaultMapping, ...otherFields } = stated
  if (typeof propertyName !== 'string') {
    return []
  }
  const at = keywordAt(part, 'discriminator')
  const mappingAt = { ...at, pointer: toChild(at.pointer, 'mapping') }
  const entries = Object.entries(toObject(mapping)).flatMap(([value, name]) => {
    const entryAt = { ...mappingAt, pointer: toChild(mappingAt.pointer, value) }
    const target = toMapped(documents, entryAt, String(name))
    return target.pointer === `#/components/schemas/${value}`
      ? []
      : [[value, toKey(target)] as const]
  })
  const defaultAt = { ...at, pointer: toChild(at.pointer, 'defaultMapping') }
  const defaultTarget =
    typeof defaultMapping === 'string'
      ? toKey(toMapped(documents, defaultAt, defaultMapping))
      : undefined
  return [{ at, propertyName, mapping: new Map(entries), defaultTarget, others: otherFields }]
}

/** Returns where the schema is that a mapping names, by the name of its component or by a reference. */
function toMapped(documents: Documents, { file, pointer }: Location, name: string): Location {
  const isName = /^[\w.-]+$/.test(name)
  const named = `#/components/schemas/${name}`
  const hasName =
    isName && documents.at({ file: documents.file, pointer: named }).value !== undefined
  const $ref = hasName ? named : name
  const holder = { file: hasName ? documents.file : file, pointer, value: { $ref } }
  return documents.next(holder) ?? { file, pointer: name }
}

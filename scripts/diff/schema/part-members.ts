import { toObject } from '../../../server/description/json.ts'
import type { Located } from '../../../server/description/location.ts'
import { matches, memberAt, namesProperty, schemaUnder } from './part-keywords.ts'
import type { Part } from './schema-parts.ts'

/** Returns the schemas of a part that a property of a name, or of a pattern of names, must match. */
export function schemasOfMember(part: Part, keyword: string, name: string): readonly Located[] {
  const { closing } = part
  if (closing?.kind === 'properties') {
    const isNamed = closing.beside.some((each) => namesProperty(each, keyword, name))
    return isNamed ? [] : [closing.schema]
  }
  const members = toObject(part.keywords[keyword])
  const isListed = Object.hasOwn(members, name)
  const listed = isListed ? [{ ...memberAt(part, keyword, name), value: members[name] }] : []
  const matching = keyword === 'properties' ? matchingPatterns(part, name) : []
  const schemas = [...listed, ...matching]
  return schemas.length > 0 ? schemas : additionalOf(part)
}

function matchingPatterns(part: Part, name: string): readonly Located[] {
  return Object.entries(toObject(part.keywords['patternProperties'])).flatMap(([pattern, value]) =>
    matches(pattern, name) ? [{ ...memberAt(part, 'patternProperties', pattern), value }] : [],
  )
}

/** Returns the schema of the properties of a part that are not listed. */
export function additionalOf(part: Part): readonly Located[] {
  if (part.closing?.kind === 'properties') {
    return [part.closing.schema]
  }
  const node = schemaUnder(part, 'additionalProperties')
  return node === undefined ? [] : [node]
}

import { isObject, type JsonObject } from '../../../server/description/json.ts'

/** A value that a keyword must have, with the words for one that is another. */
interface Kind {
  readonly keywords: readonly string[]
  readonly reason: string
  readonly matches: (value: unknown) => boolean
}

const kinds: readonly Kind[] = [
  {
    keywords: ['enum', 'x-extensible-enum', 'prefixItems'],
    reason: 'is no list',
    matches: Array.isArray,
  },
  { keywords: ['required'], reason: 'is no list of names', matches: isListOfNames },
  {
    keywords: ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
    reason: 'is no object of schemas',
    matches: isObject,
  },
  {
    keywords: ['dependentRequired'],
    reason: 'is no object of lists of names',
    matches: (value) => isObject(value) && Object.values(value).every(isListOfNames),
  },
  {
    keywords: ['discriminator'],
    reason: 'is no object with a propertyName and a mapping of names',
    matches: isDiscriminator,
  },
  {
    keywords: ['uniqueItems', 'readOnly', 'writeOnly', 'deprecated', 'nullable'],
    reason: 'is neither true nor false',
    matches: (value) => typeof value === 'boolean',
  },
  {
    keywords: ['minContains', 'maxContains'],
    reason: 'is no number',
    matches: (value) => typeof value === 'number',
  },
  {
    keywords: ['exclusiveMinimum', 'exclusiveMaximum'],
    reason: 'is no limit',
    matches: (value) => typeof value === 'number' || typeof value === 'boolean',
  },
  {
    keywords: ['$ref'],
    reason: 'is no text',
    matches: (value) => typeof value === 'string',
  },
]

/** A keyword whose value has no meaning, and why. */
interface Malformed {
  readonly keyword: string
  readonly reason: string
}

/** Returns the first keyword of a schema that would be read as if it were not there. */
export function findMalformed(schema: JsonObject): Malformed | undefined {
  for (const { keywords, reason, matches } of kinds) {
    const keyword = keywords.find((name) => name in schema && !matches(schema[name]))
    if (keyword !== undefined) {
      return { keyword, reason }
    }
  }
  return undefined
}

function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

function isDiscriminator(value: unknown): boolean {
  if (!isObject(value)) {
    return false
  }
  const { propertyName, mapping = {}, defaultMapping = '' } = value
  const areNames =
    isObject(mapping) && Object.values(mapping).every((name) => typeof name === 'string')
  return typeof propertyName === 'string' && areNames && typeof defaultMapping === 'string'
}

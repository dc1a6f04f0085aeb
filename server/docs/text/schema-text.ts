import { childOf, childrenOf } from '../../description/fields.ts'
import { isObject, toList, toObject } from '../../description/json.ts'
import type { Located } from '../../description/location.ts'
import { pointerKeys } from '../../description/pointer.ts'
import { findKeyword, partsOf, type References } from '../../description/schemas.ts'
import { deprecationNotice, deprecationOf } from './deprecation-notice.ts'
import { joinBlocks, joinWords, printTable, toBlock, toCode, toText } from './markdown.ts'

/** Keywords that the type and the fields say, and those that mean nothing to a reader. */
const printedElsewhere: ReadonlySet<string> = new Set([
  ...['$ref', 'type', 'format', 'properties', 'required', 'items', 'prefixItems', 'allOf'],
  ...['oneOf', 'anyOf', 'const', 'enum', 'title', 'description', 'example', 'examples', '$comment'],
  ...['deprecated', 'x-deprecated-at', 'x-sunset', 'x-replaced-by', '$id', '$anchor', '$defs'],
  ...['contentSchema'],
])

/** Keywords that are on unless they are `false`, or off unless they are `true`. */
const flags: ReadonlyMap<string, string> = new Map([
  ['uniqueItems', 'no item twice'],
  ['readOnly', 'in responses alone'],
  ['writeOnly', 'in requests alone'],
])

/** Keywords that combine schemas, with the words before these. */
const combining: Readonly<Record<string, string>> = {
  oneOf: 'one of ',
  anyOf: 'any of ',
  allOf: 'all of ',
}

/** Prints the schemas of a description, in which a schema of the components has its name. */
export class SchemaText {
  readonly #references: References

  constructor(references: References) {
    this.#references = references
  }

  /**
   * Returns what values a schema allows, in a few words, such as `array of Order`. `outer` are the schemas that it
   * is part of.
   */
  typeOf(schema: Located | undefined, outer: readonly unknown[] = []): string {
    const value = schema?.value
    if (schema === undefined || !isObject(value)) {
      return value === false ? 'nothing' : 'any value'
    }

    const name = nameOf(value)
    if (name !== undefined) {
      return toCode(name)
    }
    if (outer.includes(value)) {
      return 'the same again'
    }

    const within = [...outer, value]
    const target = this.#references.tryNext(schema)
    return target === undefined ? this.#typeOfKeywords(schema, within) : this.typeOf(target, within)
  }

  #typeOfKeywords(schema: Located, outer: readonly unknown[]): string {
    const value = toObject(schema.value)
    const values = 'const' in value ? [value['const']] : toList(value['enum'])
    if (values.length > 0) {
      const printed = values.map((each) => toCode(JSON.stringify(each)))
      return printed.join(' or ')
    }
    if (value['contentSchema'] !== undefined) {
      return `JSON of ${this.typeOf(childOf(schema, 'contentSchema'), outer)}`
    }
    const combined = 'properties' in value ? '' : this.#combinationOf(schema, outer)
    if (combined !== '') {
      return combined
    }

    const types = [value['type'] ?? []].flat().map((type) => this.#nameType(schema, type, outer))
    const format = typeof value['format'] === 'string' ? ` (${value['format']})` : ''
    return types.length === 0 ? 'any value' : types.join(' or ') + format
  }

  /** Returns the schemas that a schema combines; the empty text if there are none. */
  #combinationOf(schema: Located, outer: readonly unknown[]): string {
    const combinations = Object.entries(combining).map(([key, words]) => {
      const parts = childrenOf(schema, key).map((part) => this.typeOf(part, outer))
      return parts.length > 1 ? words + parts.join(', ') : parts.join('')
    })
    return combinations.find((each) => each !== '') ?? ''
  }

  #nameType(schema: Located, type: unknown, outer: readonly unknown[]): string {
    const { items, additionalProperties } = toObject(schema.value)
    if (type === 'array' && items !== undefined) {
      return `array of ${this.typeOf(childOf(schema, 'items'), outer)}`
    }
    if (type === 'object' && isObject(additionalProperties)) {
      return `object with values of ${this.typeOf(childOf(schema, 'additionalProperties'), outer)}`
    }
    return String(type)
  }

  /** Returns what a schema and its parts say beside the type: bounds, patterns, defaults and the like. */
  constraintsOf(schema: Located | undefined): string {
    if (schema === undefined) {
      return ''
    }

    const entries = this.#ownParts(schema).flatMap((part) => Object.entries(toObject(part.value)))
    const ofKeywords = entries.flatMap(([key, value]) => printKeyword(key, value))
    const largestFile = largestFileOf(schema, this.#references)
    const ofFiles = largestFile === undefined ? [] : [`at most ${largestFile} bytes each`]

    const constraints = new Set([...ofKeywords, ...ofFiles])
    return constraints.size === 0 ? '' : `(${[...constraints].join(', ')})`
  }

  /** Returns the parts of a schema that are printed in its place: those of the components have a section. */
  #ownParts(schema: Located): readonly Located[] {
    const parts = partsOf(schema, this.#references)
    const namedParts = parts.filter(({ value }) => nameOf(value) !== undefined)
    const partsOfNamed = namedParts.flatMap((part) => partsOf(part, this.#references))
    const valuesInSections = new Set(partsOfNamed.map(({ value }) => value))
    return parts.filter((part) => part === parts[0] || !valuesInSections.has(part.value))
  }

  /** Returns the description of a schema, with its deprecation. */
  descriptionOf(schema: Located | undefined, linkTo: (operationId: string) => string): string {
    const value = toObject(schema?.value)
    return joinWords(deprecationNotice(deprecationOf(value), linkTo), toText(value['description']))
  }

  /** Returns the first example of a schema or of its parts; undefined if there is none. */
  exampleOf(schema: Located | undefined): unknown {
    const read = (keyword: string) => findKeyword(schema, keyword, this.#references)?.value
    const [first] = toList(read('examples'))
    return first ?? read('example')
  }

  /** Returns the example of a field in words. */
  #exampleText(field: Located): string {
    const example = isNamed(field) ? undefined : this.exampleOf(field)
    return example === undefined ? '' : `Example: ${toCode(JSON.stringify(example))}.`
  }

  /** Returns the fields of a schema without a name, and those of its alternatives. */
  contentOf(schema: Located | undefined, linkTo: (operationId: string) => string): string {
    if (schema === undefined) {
      return ''
    }
    return joinBlocks(this.fieldsOf(schema, linkTo), this.#alternativesOf(schema, linkTo))
  }

  /**
   * Returns the table of the fields of a schema: those of objects in it, too, unless they have a schema of the
   * components. It is the empty text if there are none.
   */
  fieldsOf(schema: Located | undefined, linkTo: (operationId: string) => string): string {
    const rows = this.#rowsOf(schema, '', []).map(({ path, isRequired, field }) => [
      toCode(path),
      this.typeOf(field),
      isRequired ? 'yes' : '',
      joinWords(
        this.descriptionOf(field, linkTo),
        this.constraintsOf(field),
        this.#exampleText(field),
      ),
    ])
    return printTable(['field', 'type', 'required', 'description'], rows)
  }

  /** Returns the rows of the fields of a schema; their paths begin with `start`. */
  #rowsOf(schema: Located | undefined, start: string, outer: readonly unknown[]): readonly Row[] {
    if (schema === undefined || outer.includes(schema.value)) {
      return []
    }

    const within = [...outer, schema.value]
    const parts = this.#ownParts(schema)
    const required = new Set(parts.flatMap(({ value }) => toList(toObject(value)['required'])))
    const fields = parts.flatMap((part) => childrenOf(part, 'properties'))
    const rows = fields.flatMap((field) => {
      const path = start + field.key
      const innerRows = isNamed(field) ? [] : this.#rowsOf(field, `${path}.`, within)
      return [{ path, isRequired: required.has(field.key), field }, ...innerRows]
    })

    const isDescribed = (part: Located) => isObject(part.value) && !isNamed(part)
    const items = parts.map((part) => childOf(part, 'items')).filter(isDescribed)
    const contents = parts.map((part) => childOf(part, 'contentSchema')).filter(isDescribed)
    return [
      ...rows,
      ...items.flatMap((item) => this.#rowsOf(item, `${start}[].`, within)),
      ...contents.flatMap((content) => this.#rowsOf(content, start, within)),
    ]
  }

  /** Returns the section of a schema of the components. */
  sectionOf(schema: Located, linkTo: (operationId: string) => string): string {
    const example = this.exampleOf(schema)
    return joinBlocks(
      this.descriptionOf(schema, linkTo),
      joinWords('Type:', this.typeOf(schema), this.constraintsOf(schema)),
      this.contentOf(schema, linkTo),
      example === undefined ? '' : toBlock(example, true),
    )
  }

  /** Returns the fields of alternatives that have no names. */
  #alternativesOf(schema: Located, linkTo: (operationId: string) => string): string {
    const alternatives = ['oneOf', 'anyOf'].flatMap((key) => childrenOf(schema, key))
    const tables = alternatives.map((each, index) => {
      const fields = isNamed(each) ? '' : this.fieldsOf(each, linkTo)
      return fields === '' ? '' : `Alternative ${index + 1}:\n\n${fields}`
    })
    return joinBlocks(...tables)
  }
}

interface Row {
  readonly path: string
  readonly isRequired: boolean
  readonly field: Located
}

/** Returns whether a schema, or that of its items, has a section of its own. */
function isNamed({ value }: Located): boolean {
  const { items } = toObject(value)
  return nameOf(value) !== undefined || nameOf(items) !== undefined
}

/** Returns the name of the schema of the components that a reference leads to. */
function nameOf(value: unknown): string | undefined {
  const { $ref } = toObject(value)
  if (typeof $ref !== 'string') {
    return undefined
  }

  const pointer = $ref.slice($ref.indexOf('#'))
  const [section, kind, name, ...innerKeys] = pointerKeys(pointer)
  const isComponent = section === 'components' && kind === 'schemas' && innerKeys.length === 0
  return isComponent ? name : undefined
}

/** Returns how large each file of a list may be, in bytes. */
function largestFileOf(schema: Located, references: References): unknown {
  const items = findKeyword(schema, 'items', references)
  return findKeyword(items, 'x-max-bytes', references)?.value
}

/** Returns what a keyword says of a value, as a list; an empty one if it says nothing to a reader. */
function printKeyword(key: string, value: unknown): readonly string[] {
  const flag = flags.get(key)
  if (flag !== undefined) {
    return value === true ? [flag] : []
  }
  if (key === 'additionalProperties' || key === 'unevaluatedProperties') {
    return value === false ? ['no other fields'] : []
  }
  if (key === 'discriminator') {
    return [`told apart by ${toCode(String(toObject(value)['propertyName']))}`]
  }
  if (key === 'x-max-bytes') {
    return [`at most ${value} bytes`]
  }
  if (printedElsewhere.has(key)) {
    return []
  }

  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return [`${key} ${toCode(text)}`]
}

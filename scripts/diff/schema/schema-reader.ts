import type { Documents } from '../../../server/description/documents.ts'
import { toList, toObject } from '../../../server/description/json.ts'
import type { Located, Location } from '../../../server/description/location.ts'
import { readAnnotations } from './annotations.ts'
import type { ToCurrentForm } from './current-form.ts'
import { readDiscriminator } from './discriminators.ts'
import { typesOfBounds, typesOfLimits } from './keywords.ts'
import { type KeywordSource, readBounds, readLimits } from './limits.ts'
import {
  appliesTo,
  findKey,
  findTrue,
  itemAt,
  keysOf,
  keywordAt,
  memberAt,
  readDependentRequired,
  readRequired,
  requiredAlone,
  schemaUnder,
  toId,
} from './part-keywords.ts'
import { additionalOf, schemasOfMember } from './part-members.ts'
import {
  type Alternatives,
  type Condition,
  type Contains,
  isListed,
  isPlain,
  type JsonType,
  jsonTypes,
  type Later,
  later,
  type Schema,
} from './schema.ts'
import {
  circular,
  createUnion,
  type Group,
  isNull,
  type Part,
  PartReader,
  type Union,
} from './schema-parts.ts'
import {
  areApart,
  excludeEachOther,
  filterValues,
  haveNoCommonValue,
  includes,
  isSameSize,
  isTypeAlone,
  joinValues,
  keepCommon,
  splitByType,
} from './values.ts'

const numbers: readonly JsonType[] = ['integer', 'fraction']
const isLabel = /^(?:title|description|\$comment)$/

/** Reads schemas in the form in which two can be compared; what is written in the same places is read once. */
export class SchemaReader {
  readonly #documents: Documents
  readonly #parts: PartReader
  readonly #source: KeywordSource
  readonly #schemas = new Map<string, Schema>()
  readonly #reading = new Set<string>()

  constructor(documents: Documents, toCurrent: ToCurrentForm) {
    this.#documents = documents
    const parts = new PartReader(documents, toCurrent)
    this.#parts = parts
    this.#source = { reject: (at, reason) => parts.reject(at, reason) }
  }

  /** Reads a schema; `undefined` and `true` allow any value. */
  read(node: Located): Schema {
    return this.#build(this.#parts.read(node), node)
  }

  /** Reads a schema; undefined if it is an alternative of itself, which a discriminator may lead to. */
  #readUnlessBegun(node: Located): Schema | undefined {
    const parts = this.#parts.read(node)
    return this.#reading.has(toId(parts, node)) ? undefined : this.#build(parts, node)
  }

  #build(readParts: readonly Part[], at: Location): Schema {
    // A schema may lead to the same part in several ways.
    const partsByKey = new Map(readParts.map((part) => [part.key, part]))
    const parts = [...partsByKey.values()]
    const id = toId(parts, at)
    const builtSchema = this.#schemas.get(id)
    if (builtSchema !== undefined) {
      return builtSchema
    }
    if (this.#reading.has(id)) {
      this.#documents.reject(at, circular)
    }
    this.#reading.add(id)
    const schema = this.#create(id, parts, parts[0]?.at ?? at)
    this.#reading.delete(id)
    this.#schemas.set(id, schema)
    return schema
  }

  #create(id: string, parts: readonly Part[], at: Location): Schema {
    const simpler = this.#merge(parts)
    if (simpler !== undefined) {
      return this.#build(simpler, at)
    }

    const allowed = this.#readTypes(parts, at)
    const alternatives = this.#readAlternatives(parts)
    for (const group of parts.flatMap(({ groups }) => groups)) {
      this.#limitTypes(allowed.types, group)
    }
    const not = this.#readNot(parts, allowed.types)
    const bounds = readBounds(parts, allowed.types, this.#source)
    const limits = readLimits(parts, allowed.types, this.#source)
    const { types, values } = filterValues(allowed, bounds, limits)
    const isFree = (applying: readonly JsonType[]) =>
      applying.some((type) => types.has(type) && !values.has(type))
    const ofType = (type: JsonType) =>
      types.has(type) ? parts.filter((part) => appliesTo(part, [type])) : []
    const objects = ofType('object')
    const arrays = ofType('array')

    return {
      id,
      at,
      ...allowed,
      types,
      values,
      // What other keywords leave of a list is that of the whole.
      valuesAt: isSameSize(values, allowed.values) ? allowed.valuesAt : at,
      isExtensible: parts.some(({ keywords }) => Array.isArray(keywords['x-extensible-enum'])),
      extensibleTypes: this.#readStatedTypes(parts),
      bounds: new Map([...bounds].filter(([name]) => isFree(typesOfBounds[name]))),
      limits: new Map([...limits].filter(([name]) => isFree(typesOfLimits[name]))),
      uniqueItems: findTrue(arrays, 'uniqueItems'),
      ...this.#readObject(objects, at),
      ...this.#readArray(arrays, at),
      alternatives,
      not,
      conditions: parts.flatMap((part) => this.#readCondition(part)),
      unevaluatedProperties: this.#readOpenEnded(objects, 'unevaluatedProperties'),
      unevaluatedItems: this.#readOpenEnded(arrays, 'unevaluatedItems'),
      discriminators: parts.flatMap((part) => readDiscriminator(part, this.#documents)),
      ...readAnnotations(parts),
    }
  }

  /** Returns the parts of which one has its alternatives merged into it; undefined if none can be. */
  #merge(parts: readonly Part[]): readonly Part[] | undefined {
    for (const part of parts) {
      for (const group of part.groups) {
        const merged = this.#mergeGroup(group, 'discriminator' in part.keywords)
        if (merged === undefined) {
          continue
        }
        const groups = part.groups.filter((each) => each !== group)
        const withoutGroup = { ...part, key: `${part.key}-${group.kind}`, groups }
        return [...parts.map((each) => (each === part ? withoutGroup : each)), ...merged]
      }
    }
    return undefined
  }

  /**
   * Returns parts that mean the same as alternatives: lists of values become one list, and schemas of
   * different types one schema of all of these types. Undefined where this cannot be.
   */
  #mergeGroup(group: Group, isDiscriminated: boolean): readonly Part[] | undefined {
    const branches = group.branches.flatMap((node) => {
      const schema = this.#readUnlessBegun(node)
      return schema === undefined || !isPlain(schema) ? [] : [{ node, schema }]
    })
    if (isDiscriminated || branches.length < group.branches.length) {
      return undefined
    }
    const schemas = branches.map(({ schema }) => schema)
    const types = new Set(schemas.flatMap((schema) => [...schema.types]))
    types.delete('null')
    const isList = schemas.every((schema) => isListed(schema) && !schema.isExtensible)
    const isApart = areApart(schemas)
    const isJoinable = isList && (group.kind === 'anyOf' || haveNoCommonValue(schemas))
    if (!isApart && !isJoinable) {
      return undefined
    }

    if (this.#acceptsNull(group)) {
      types.add('null')
    }
    const union = createUnion({ types, values: joinValues(schemas), at: group.at })
    if (!isApart) {
      return [union]
    }
    const partsByType = branches.flatMap(({ node, schema }) => {
      const only = new Set([...schema.types].filter((type) => type !== 'null'))
      const key = [...only].join()
      return this.#parts.read(node).map((part) => ({ ...part, key: `${part.key}|${key}`, only }))
    })
    return [union, ...partsByType]
  }

  /** Leaves out the types that no alternative allows. */
  #limitTypes(types: Set<JsonType>, group: Group): void {
    const schemas = group.branches.map((branch) => this.#readUnlessBegun(branch))
    for (const type of types) {
      if (type === 'null') {
        continue
      }
      if (schemas.every((schema) => schema?.types.has(type) === false)) {
        types.delete(type)
      }
    }
    if (!this.#acceptsNull(group)) {
      types.delete('null')
    }
  }

  #acceptsNull({ kind, branches, hasNull, isNullable }: Group): boolean {
    if (isNullable) {
      return true
    }
    const accepting = branches.filter((branch) =>
      this.#readUnlessBegun(branch)?.types.has('null'),
    ).length
    const count = accepting + (hasNull ? 1 : 0)
    return kind === 'anyOf' ? count > 0 : count === 1
  }

  #readTypes(parts: readonly Part[], at: Location) {
    const types = new Set<JsonType>(jsonTypes)
    const values = new Map<JsonType, readonly unknown[]>()
    let typesAt = at
    let valuesAt = at
    for (const part of parts) {
      const stated = part.union ?? this.#readUnion(part)
      if (stated === undefined) {
        continue
      }
      keepCommon(types, values, stated)
      if (stated.values.size > 0) {
        valuesAt = stated.at
      }
      if ('type' in part.keywords) {
        typesAt = keywordAt(part, 'type')
      }
    }
    for (const [type, allowed] of values) {
      if (allowed.length === 0) {
        types.delete(type)
      }
    }
    const allowedValues = [...values].filter(([type]) => types.has(type))
    const nullAt = parts.find((part) => part.nullAt !== undefined)?.nullAt ?? typesAt
    return { types, typesAt, nullAt, values: new Map(allowedValues), valuesAt }
  }

  /** Returns the types that the parts allow, whatever the values. */
  #readStatedTypes(parts: readonly Part[]): ReadonlySet<JsonType> {
    const types = new Set<JsonType>(jsonTypes)
    for (const part of parts) {
      const { type } = part.keywords
      const isLimited = type !== undefined && part.only === undefined
      const stated = isLimited ? this.#toTypes(part, type) : part.union?.types
      if (stated === undefined) {
        continue
      }
      const allowed = new Set(stated)
      for (const each of types) {
        if (!allowed.has(each)) {
          types.delete(each)
        }
      }
    }
    return types
  }

  /** Returns what `type`, `enum` and the like of a part allow; undefined if it has none of them. */
  #readUnion(part: Part): Union | undefined {
    if (part.only !== undefined) {
      return undefined
    }
    const { type, enum: listed, const: constant, 'x-extensible-enum': open } = part.keywords
    const types = new Set(type === undefined ? jsonTypes : this.#toTypes(part, type))
    const lists = [listed, constant === undefined ? undefined : [constant], open].filter(
      Array.isArray,
    )
    if (type === undefined && lists.length === 0) {
      return undefined
    }
    const allowed: unknown[] | undefined = lists[0]?.filter((value) =>
      lists.every((list) => includes(list, value)),
    )
    const values = allowed === undefined ? new Map() : splitByType(types, allowed)
    if (part.allowsNull) {
      types.add('null')
    }
    return {
      types,
      values,
      at: keywordAt(part, findKey(part, ['enum', 'const', 'x-extensible-enum'])),
    }
  }

  #toTypes(part: Part, stated: unknown): readonly JsonType[] {
    return [stated].flat().flatMap((name) => {
      if (name === 'number') {
        return numbers
      }
      const type = jsonTypes.find((each) => each === name && each !== 'fraction')
      return type ?? this.#parts.reject(keywordAt(part, 'type'), `has the unknown type ${name}`)
    })
  }

  #readNot(parts: readonly Part[], types: Set<JsonType>): readonly Later[] {
    return parts.flatMap((part) => {
      const node = schemaUnder(part, 'not')
      if (node === undefined) {
        return []
      }
      if (this.#allowsNone(node)) {
        return []
      }
      const excluded = this.#typesAlone(node)
      if (excluded === undefined) {
        return [later(() => this.read(node))]
      }
      for (const type of excluded) {
        if (type !== 'null' || !part.allowsNull) {
          types.delete(type)
        }
      }
      return []
    })
  }

  /** Returns the types of a schema that says nothing else; undefined if it does. */
  #typesAlone(node: Located): Iterable<JsonType> | undefined {
    const { value } = this.#parts.inCurrentForm(node)
    if (isNull(value)) {
      return ['null']
    }
    if (this.#allowsAll(node)) {
      return jsonTypes
    }
    return isTypeAlone(value) ? this.read(node).types : undefined
  }

  #readObject(parts: readonly Part[], at: Location) {
    const names = new Set(parts.flatMap((part) => keysOf(part, 'properties')))
    const patterns = new Set(parts.flatMap((part) => keysOf(part, 'patternProperties')))
    const additional = later(() =>
      this.#buildFrom(
        parts.flatMap((part) => additionalOf(part)),
        at,
      ),
    )
    const toMember = (keyword: string, name: string) => {
      const holder = parts.find((part) => keysOf(part, keyword).includes(name))
      const place = holder === undefined ? at : memberAt(holder, keyword, name)
      const schema = later(() => {
        const nodes = parts.flatMap((part) => schemasOfMember(part, keyword, name))
        return this.#buildFrom(nodes, place)
      })
      return [name, { at: place, schema }] as const
    }
    return {
      required: readRequired(parts),
      properties: new Map([...names].map((name) => toMember('properties', name))),
      patternProperties: new Map(
        [...patterns].map((pattern) => toMember('patternProperties', pattern)),
      ),
      additional,
      propertyNames: this.#readPropertyNames(parts),
      dependentRequired: readDependentRequired(parts),
      dependentSchemas: new Map(
        parts.flatMap((part) =>
          keysOf(part, 'dependentSchemas').flatMap((name) => {
            const place = memberAt(part, 'dependentSchemas', name)
            const node = { ...place, value: toObject(part.keywords['dependentSchemas'])[name] }
            // One that only requires properties is read with those of `dependentRequired`.
            const isRead = requiredAlone(node.value) !== undefined || this.#allowsAll(node)
            return isRead
              ? []
              : [[name, { at: place, schema: later(() => this.read(node)) }] as const]
          }),
        ),
      ),
    }
  }

  /** Returns the schema that all names match, put together from those of the parts. */
  #readPropertyNames(parts: readonly Part[]): readonly Later[] {
    const nodes = parts.flatMap((part) => schemaUnder(part, 'propertyNames') ?? [])
    const limiting = nodes.filter((node) => !this.#allowsAll(node, 'string'))
    const [first] = limiting
    return first === undefined ? [] : [later(() => this.#buildFrom(limiting, first))]
  }

  /** Returns whether a schema visibly allows all values, or all of a type. */
  #allowsAll(node: Located, type?: JsonType): boolean {
    const isOpen = (part: Part) => {
      if (part.groups.length > 0 || part.union !== undefined || part.closing !== undefined) {
        return false
      }
      const keys = Object.keys(part.keywords).filter((key) => !isLabel.test(key))
      if (keys.length === 0) {
        return true
      }
      const isOfType = type !== undefined && keys.length === 1 && keys[0] === 'type'
      return isOfType && this.#toTypes(part, part.keywords['type']).includes(type)
    }
    return this.#parts.read(node).every(isOpen)
  }

  /** Returns whether a schema visibly allows no value. */
  #allowsNone(node: Located): boolean {
    return this.#parts.read(node).some(({ union }) => union?.types.size === 0)
  }

  #readArray(parts: readonly Part[], at: Location) {
    const counts = parts.map((part) => toList(part.keywords['prefixItems']).length)
    const count = Math.max(0, ...counts)
    const positions = Array.from({ length: count }, (_, index) =>
      later(() =>
        this.#buildFrom(
          parts.flatMap((part) => itemAt(part, index)),
          at,
        ),
      ),
    )
    const items = later(() =>
      this.#buildFrom(
        parts.flatMap((part) => itemAt(part, count)),
        at,
      ),
    )
    return { positions, items, contains: parts.flatMap((part) => this.#readContains(part)) }
  }

  #readContains(part: Part): readonly Contains[] {
    const node = schemaUnder(part, 'contains')
    if (node === undefined) {
      return []
    }
    const { minContains = 1, maxContains } = part.keywords
    const minimum = typeof minContains === 'number' ? minContains : 1
    const maximum = typeof maxContains === 'number' ? maxContains : undefined
    if (minimum === 0 && maximum === undefined) {
      return []
    }
    return [{ at: node, schema: later(() => this.read(node)), minimum, maximum }]
  }

  #readAlternatives(parts: readonly Part[]): readonly Alternatives[] {
    return parts.flatMap(({ groups }) =>
      groups.map(({ kind, at, branches: nodes }) => {
        const branches = nodes.map((node) => later(() => this.read(node)))
        const readKind = () => (kind === 'anyOf' || excludeEachOther(branches) ? 'anyOf' : 'oneOf')
        return { kind: later(readKind), keyword: kind, at, branches }
      }),
    )
  }

  #readCondition(part: Part): readonly Condition[] {
    const node = schemaUnder(part, 'if')
    const readLater = (keyword: 'then' | 'else') => {
      const result = schemaUnder(part, keyword)
      const hasEffect = result !== undefined && !this.#allowsAll(result)
      return hasEffect ? later(() => this.read(result)) : undefined
    }
    const [then, otherwise] = [readLater('then'), readLater('else')]
    // Without either of them it has no effect.
    if (node === undefined || (then === undefined && otherwise === undefined)) {
      return []
    }
    return [{ at: node, if: later(() => this.read(node)), then, else: otherwise }]
  }

  #readOpenEnded(parts: readonly Part[], keyword: string): readonly Later[] {
    return this.#readLater(
      parts.filter(({ isOpenEnded }) => isOpenEnded === true),
      keyword,
    )
  }

  #readLater(parts: readonly Part[], keyword: string): readonly Later[] {
    return parts.flatMap((part) => {
      const node = schemaUnder(part, keyword)
      return node === undefined ? [] : [later(() => this.read(node))]
    })
  }

  #buildFrom(nodes: readonly Located[], at: Location): Schema {
    return this.#build(
      nodes.flatMap((node) => this.#parts.read(node)),
      nodes[0] ?? at,
    )
  }
}

import { kindOf as kindOfContent } from '../description/content-kind.ts'
import { isUsuallyExploded, usualStyle } from '../description/parameter-form.ts'
import { escapeToken } from '../description/pointer.ts'
import type { Shape } from '../description/value-shape.ts'
import type { FormField, Operation, Parameter } from './operation.ts'
import type { StyledParameter } from './parameter-style.ts'
import { typesOf } from './text-value.ts'

/** The locations of parameters, as OpenAPI names them, with the names that values and errors have. */
export const locationNames = {
  path: 'path',
  query: 'query',
  header: 'headers',
  cookie: 'cookies',
} as const

export type ParameterLocation = keyof typeof locationNames

/** The location of a value that is read as a parameter is: that of a parameter, or a form of one of two kinds. */
export type ValueLocation = ParameterLocation | 'form' | 'multipart'

/** Returns whether a location is a form. */
export function isForm(location: ValueLocation): location is 'form' | 'multipart' {
  return location === 'form' || location === 'multipart'
}

/** Returns the place of a parameter, or of a part of it, as errors name it. */
export function pathOf(location: ValueLocation, name: string, part = ''): string {
  const shownName = location === 'header' ? name.toLowerCase() : name
  const start = isForm(location) ? 'body' : locationNames[location]
  return `/${start}/${escapeToken(shownName)}${part}`
}

/** How the value of a parameter is read: JSON, a list of JSON values, one text, a structure, or what fits of several. */
export type Kind = 'json' | 'jsonList' | 'text' | 'array' | 'object' | 'several'

/** A parameter as it is read. */
export interface ReadParameter extends StyledParameter {
  readonly location: ValueLocation
  readonly kind: Kind
}

/** The parameters of one location of an operation. */
export interface LocationRows {
  readonly location: ValueLocation
  readonly parameters: readonly ReadParameter[]
  /** By the name that is sent. */
  readonly byName: ReadonlyMap<string, ReadParameter>
  /** The objects whose members are sent by names of their own. */
  readonly byMember: ReadonlyMap<string, ReadParameter>
  /** The objects whose members are sent by names such as `filter[from]`. */
  readonly deep: ReadonlyMap<string, ReadParameter>
  /** The object that takes the names that no other parameter has. */
  readonly open: ReadParameter | undefined
  /** Whether a name is one that objects inherit, such as `constructor`. */
  readonly hasInheritedName: boolean
}

/** Returns the parameters of one location of an operation. */
export function readRows({ parameters }: Operation, location: ParameterLocation): LocationRows {
  return toRows(parameters[location], location)
}

/** Returns the headers of a response, which are read as parameters in headers. */
export function readHeaderRows(headers: Readonly<Record<string, FormField>>): LocationRows {
  return toRows(headers, 'header')
}

/** Returns the fields of a form of a media type, which are read as parameters of a query. */
export function readFormRows(
  fields: Readonly<Record<string, FormField>>,
  mediaType: string,
): LocationRows {
  const texts = Object.entries(fields).filter(([, { file }]) => file !== true)
  return toRows(
    Object.fromEntries(texts),
    kindOfContent(mediaType) === 'form' ? 'form' : 'multipart',
  )
}

function toRows(
  parameters: Readonly<Record<string, FormField>>,
  location: ValueLocation,
): LocationRows {
  const rows = Object.entries(parameters).map(([name, row]) => {
    return toReadParameter(name, row, location)
  })
  const deep = rows.filter(({ style }) => style === 'deepObject')
  const exploded = rows.filter(isSentByMembers)
  const members = exploded.flatMap((parameter) => {
    const names = Object.keys(parameter.row.properties ?? {})
    return names.map((name) => [name, parameter] as const)
  })
  const whole = rows.filter((parameter) => !isSentInParts(parameter))
  // Others have cookies of their own.
  const open = location === 'cookie' ? undefined : exploded.find(isOpen)
  return {
    location,
    parameters: rows,
    byName: byNameOf(whole),
    byMember: new Map(members.reverse()),
    deep: byNameOf(deep),
    open,
    hasInheritedName: rows.some(({ name }) => name in Object.prototype),
  }
}

/** Returns whether a parameter is sent by the names of its members alone. */
function isSentInParts(parameter: ReadParameter): boolean {
  const isObject = parameter.kind === 'object'
  return isObject && (parameter.style === 'deepObject' || isSentByMembers(parameter))
}

/** Returns whether a value is of one simple type, or an array of such values. */
export function isSimple(row: Parameter): boolean {
  const kind = kindOf(row)
  const shape = kind === 'array' ? (row.items ?? {}) : row
  const types = typesOf(shape)
  const isOfOne = types.length < 2 && !types.includes('array') && !types.includes('object')
  return isOfOne && (kind === 'text' || (kind === 'array' && typesOf(row).length === 1))
}

function byNameOf(parameters: readonly ReadParameter[]): ReadonlyMap<string, ReadParameter> {
  return new Map(parameters.map((parameter) => [parameter.name, parameter]))
}

function toReadParameter(name: string, row: FormField, location: ValueLocation): ReadParameter {
  const isUsuallyForm = isForm(location) || usualStyle(location) === 'form'
  const style = row.style ?? (isUsuallyForm ? 'form' : 'simple')
  const explode = row.explode ?? isUsuallyExploded(style)
  return { name, row, location, style, explode, kind: kindOf(row) }
}

function kindOf(row: FormField): Kind {
  if (row.content === 'json') {
    return row.list === true ? 'jsonList' : 'json'
  }
  if (row.style === 'deepObject') {
    return 'object'
  }

  const types = typesOf(row).filter((type) => type !== 'null')
  const [only = 'string', ...otherTypes] = types
  if (otherTypes.length > 0) {
    return 'several'
  }
  return only === 'array' || only === 'object' ? only : 'text'
}

/** Returns whether the members of an object are parameters of their own, in the query or in cookies. */
function isSentByMembers({ kind, style, explode, row }: ReadParameter): boolean {
  const mayBeObject = kind === 'object' || (kind === 'several' && typesOf(row).includes('object'))
  return mayBeObject && explode && (style === 'form' || style === 'cookie')
}

function isOpen({ row: { additionalProperties } }: ReadParameter): boolean {
  return additionalProperties !== false
}

/** Returns the shape of a member of an object; undefined if the object has no such member. */
export function memberShape(shape: Shape, name: string): Shape | undefined {
  const { properties = {}, additionalProperties = {} } = shape
  if (Object.hasOwn(properties, name)) {
    return properties[name]
  }
  return additionalProperties === false ? undefined : additionalProperties
}

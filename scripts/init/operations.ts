import { isDeepStrictEqual } from 'node:util'
import { Script } from 'node:vm'
import { findUnreadForm } from '../../spec/rules/parameter-form.ts'
import { isObject, toList } from '../pipeline/description.ts'
import { methods } from '../pipeline/operation-entries.ts'
import { type Conversion, type Draft, ensure, follow, toDraft, visitObjects } from './draft.ts'
import { freeName } from './references.ts'
import { convertResponses, otherTypes, toJsonContent } from './responses.ts'

/** Header parameters that OpenAPI ignores: it has other places for what they say. */
const ignoredHeaders = ['accept', 'authorization', 'content-type']

/**
 * Converts every operation of a description, or leaves it out with the reason. `usualSecurity` is what
 * the description required of operations that do not say.
 */
export function convertOperations(conversion: Conversion, usualSecurity: unknown): void {
  const { root, report } = conversion
  renameTemplates(conversion)
  const paths = ensure(root, 'paths')
  // If some operations are secured, those without security are public on purpose.
  const isSecured = JSON.stringify(paths).includes('"security":[{')
  const taken = new Set<string>()
  for (const path of Object.keys(paths).filter((name) => name.startsWith('/'))) {
    // Two paths may refer to one path item, but operations have one name each.
    const item = structuredClone(follow(root, paths[path]))
    paths[path] = item
    convertParameters(conversion, item, path, path)
    for (const method of methods.filter((name) => name in item)) {
      const where = `${method.toUpperCase()} ${path}`
      const operation = toDraft(item[method])
      const security = operation['security'] ?? usualSecurity
      delete operation['security']
      if (security === undefined ? isSecured : allowsAnyone(security)) {
        operation['security'] = []
        report(where, 'stays public, without an API key')
      }
      declareParameters(conversion, item, operation, where, path)
      const reason =
        rejectPlace(method, path) ?? convertOperation(conversion, operation, where, path)
      if (reason === undefined) {
        nameOperation(conversion, operation, where, taken)
      } else {
        delete item[method]
        report(where, `operation removed: ${reason}`)
      }
    }
    if (!methods.some((method) => method in item)) delete paths[path]
  }
}

/** Renames path parameters with characters that the linter does not find in a path: `{proxy+}`. */
function renameTemplates({ root, report }: Conversion): void {
  const paths = Object.entries(ensure(root, 'paths'))
  const template = /\{([^{}]+)\}/g
  const taken = Object.fromEntries(
    paths.flatMap(([path]) => Array.from(path.matchAll(template), ([, name = '']) => [name, true])),
  )
  const names = new Map<string, string>()
  for (const name of Object.keys(taken).filter((each) => !/^[\w.-]+$/.test(each))) {
    const plain = freeName(name.replaceAll(/[^\w.-]/g, '') || 'parameter', taken)
    taken[plain] = true
    names.set(name, plain)
    const reason = 'such a name has ASCII letters, digits, ".", "_" and "-"'
    report(
      '#/paths',
      `{${name}} renamed to {${plain}}${/[+*]$/.test(name) ? ', which is one segment' : ''}: ${reason}`,
    )
  }
  const rename = (name: unknown) => names.get(String(name)) ?? name
  root['paths'] = Object.fromEntries(
    paths.map(([path, item]) => {
      return [path.replaceAll(template, (_, name: string) => `{${rename(name)}}`), item]
    }),
  )
  visitObjects(root, (object) => {
    if (object['in'] === 'path') object['name'] = rename(object['name'])
  })
}

function allowsAnyone(security: unknown): boolean {
  const alternatives = toList(security).map((one) => Object.keys(toDraft(one)))
  return alternatives.length === 0 || alternatives.some((schemes) => schemes.length === 0)
}

function rejectPlace(method: string, path: string): string | undefined {
  if (method === 'trace') return 'proxies and browsers reject TRACE'
  if (method === 'head') return 'the service responds to HEAD as to GET'
  return /[?#]/.test(path) ? 'a path has no query and no fragment' : undefined
}

/** Converts an operation; returns why it cannot be served, or undefined. */
function convertOperation(
  conversion: Conversion,
  operation: Draft,
  where: string,
  path: string,
): string | undefined {
  convertParameters(conversion, operation, where, path)
  if (operation['deprecated'] === false) delete operation['deprecated']
  const body = follow(conversion.root, operation['requestBody'])
  const types = Object.keys(toDraft(body['content']))
  if (types.length === 0) {
    delete operation['requestBody']
  } else {
    const content = toJsonContent(conversion.root, body['content'])
    if (content === undefined) return `the service does not read ${types.join(', ')}`
    const others = otherTypes(types, Object.keys(content))
    if (others !== '')
      conversion.report(where, `${others} of requests removed: the service reads JSON`)
    body['content'] = content
    if (!('x-max-bytes' in body)) {
      body['x-max-bytes'] = 100_000
      conversion.report(where, 'x-max-bytes: 100000 added, the size of a body that is accepted')
    }
  }
  return convertResponses(conversion, operation, where)
}

/** Replaces the Idempotency-Key by that of the platform, and removes what is no parameter. */
function convertParameters(
  { root, report }: Conversion,
  holder: Draft,
  where: string,
  path: string,
): void {
  if (!('parameters' in holder)) return
  holder['parameters'] = toList(holder['parameters']).flatMap((row) => {
    const parameter = follow(root, row)
    const { name, in: location, schema } = parameter
    const nonNull = withoutNull(root, schema)
    if (!isDeepStrictEqual(nonNull, schema)) {
      parameter['schema'] = nonNull
      report(where, `null removed from ${location} parameter ${name}: no text is null`)
    }
    const form = findUnreadForm(parameter, (value) => follow(root, value))
    const field = location === 'header' ? String(name).toLowerCase() : ''
    const isOutside = location === 'path' && !path.includes(`{${name}}`)
    if (location === 'querystring' || isOutside || ignoredHeaders.includes(field)) {
      report(where, `${location} parameter ${name} removed: nothing reads it`)
      return []
    }
    if (form !== undefined) {
      report(where, `${location} parameter ${name} removed: the service does not read ${form}`)
      return []
    }
    if (field !== 'idempotency-key') return [row]
    // Without an API key, the service ignores it.
    const isPublic = 'security' in holder
    report(
      where,
      `Idempotency-Key ${isPublic ? 'removed: it needs an API key' : 'of the platform'}`,
    )
    return isPublic ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]
  })
}

/** Returns the schema of a parameter without null; the schema itself where nothing in it allows null. */
function withoutNull(root: Draft, given: unknown, depth = 0): unknown {
  const { $ref: _, ...own } = toDraft(given)
  const whole = { ...follow(root, given), ...own }
  // No parameter has more levels, and a schema may be part of itself.
  if (!isObject(given) || depth > 3) return given
  const inner = (part: unknown) => withoutNull(root, part, depth + 1)
  const schema: Draft = { ...whole }
  const { type, enum: values, items, properties } = schema
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== 'null')
    schema['type'] = types.length === 1 ? types[0] : types
  }
  const others = toList(values).filter((value) => value !== null)
  if (others.length > 0) schema['enum'] = others
  if (schema['default'] === null) delete schema['default']
  if (items !== undefined) schema['items'] = inner(items)
  if (isObject(properties)) {
    schema['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, inner(property)]),
    )
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf'].filter((name) => name in schema)) {
    const forms = toList(schema[keyword])
    const left = forms.filter((form) => !isNull(follow(root, form))).map(inner)
    schema[keyword] = left
    if (left.length !== 1 || forms.length === 1) continue
    delete schema[keyword]
    Object.assign(schema, { ...toDraft(left[0]), ...schema })
  }
  return isDeepStrictEqual(schema, whole) ? given : schema
}

function isNull({ type, const: constant, enum: values = [type] }: Draft): boolean {
  const isNamed = type === 'null' || constant === null
  return isNamed || toList(values).every((value) => value === null)
}

/** Declares the parameters that the path has and the description has not. */
function declareParameters(
  { root, report }: Conversion,
  item: Draft,
  operation: Draft,
  where: string,
  path: string,
): void {
  const all = [item, operation].flatMap(({ parameters }) => toList(parameters))
  const known = all.map((row) => follow(root, row)).filter((row) => row['in'] === 'path')
  for (const [, name] of path.matchAll(/\{([^{}]+)\}/g)) {
    if (known.some((row) => row['name'] === name)) continue
    const added = { name, in: 'path', required: true, schema: { type: 'string' } }
    operation['parameters'] = [...toList(operation['parameters']), added]
    report(where, `path parameter ${name} added, a string: the path has it`)
  }
}

/** Gives an operation a camelCase name that no other has: it becomes a method and a file. */
function nameOperation(
  { report }: Conversion,
  operation: Draft,
  where: string,
  taken: Set<string>,
): void {
  const { operationId = '' } = operation
  const given = toCamelCase(String(operationId))
  const wanted = isReserved(given)
    ? toCamelCase(where.replaceAll('{', 'by {').toLowerCase())
    : given
  let name = wanted
  // Some file systems ignore case.
  for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${wanted}${count}`
  taken.add(name.toLowerCase())
  operation['operationId'] = name
  if (operationId === '') report(where, 'operationId added, from the method and the path')
  else if (name !== operationId) {
    report(where, 'operationId replaced: it names a method and a file, and is camelCase and unique')
  }
}

/** Returns whether a variable, or a method of the client, cannot have a name. */
function isReserved(name: string): boolean {
  if (name === 'raw' || name === 'then') return true
  try {
    return !new Script(`'use strict'; let ${name} = 0`)
  } catch {
    return true
  }
}

function toCamelCase(text: string): string {
  const [first = '', ...others] = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const capitalized = others.map((word) => word[0]?.toUpperCase() + word.slice(1))
  // An acronym at the start is one word: `APIKeys` becomes `apiKeys`.
  const acronym = /^(?:[A-Z]+(?![a-z])|[A-Z])/
  const start = first.replace(acronym, (letters) => letters.toLowerCase())
  return [start, ...capitalized].join('').replace(/^\d/, 'n$&')
}

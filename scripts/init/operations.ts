import { isDeepStrictEqual } from 'node:util'
import { toDocuments } from '../../server/description/documents.ts'
import { type JsonObject, toList } from '../../server/description/json.ts'
import { servedMethods } from '../../server/description/operations.ts'
import { findUnreadForm } from '../../server/description/parameter-form.ts'
import {
  type Conversion,
  type Draft,
  ensure,
  follow,
  NotServed,
  type OperationDraft,
  toDraft,
} from './draft.ts'
import { convertResponses, otherTypes, toJsonContent } from './responses.ts'

/** Header parameters that OpenAPI ignores: it has other places for what they say. */
const ignoredHeaders = ['accept', 'authorization', 'content-type']

/** Converts every operation of a description, and removes those that the service cannot serve. */
export function convertOperations({ root, report }: Conversion): void {
  const paths = ensure(root, 'paths')
  const takenNames = new Set<string>()
  for (const path of Object.keys(paths).filter((name) => name.startsWith('/'))) {
    // Two paths may refer to one path item, but each operation needs a name of its own.
    const item = structuredClone(follow(root, paths[path]))
    paths[path] = item
    convertParameters(root, item, (what) => report(path, what))
    for (const method of servedMethods.filter((name) => name in item)) {
      const operation = toDraft(item[method])
      const where = `${method.toUpperCase()} ${path}`
      const draft = { root, method, path, operation, report: (what: string) => report(where, what) }
      try {
        convertOperation(draft)
        nameOperation(draft, takenNames)
      } catch (error) {
        if (!(error instanceof NotServed)) {
          throw error
        }
        delete item[method]
        draft.report(`operation removed: ${error.message}`)
      }
    }
    if (!servedMethods.some((method) => method in item)) {
      delete paths[path]
    }
  }
}

function convertOperation(draft: OperationDraft): void {
  const { root, method, path, operation, report } = draft
  if (method === 'trace') {
    throw new NotServed('proxies and browsers reject TRACE')
  }
  if (method === 'head') {
    throw new NotServed('the service responds to HEAD as to GET')
  }
  if (/[?#]/.test(path)) {
    throw new NotServed('a path has no query and no fragment')
  }
  convertParameters(root, operation, report)
  if (operation['deprecated'] === false) {
    delete operation['deprecated']
  }
  convertBody(draft)
  convertResponses(draft)
}

/** Removes the media types of a request body that are not JSON, and limits its size. */
function convertBody({ root, operation, report }: OperationDraft): void {
  const body = follow(root, operation['requestBody'])
  const types = Object.keys(toDraft(body['content']))
  if (types.length === 0) {
    delete operation['requestBody']
    return
  }
  const content = toJsonContent(root, body['content'])
  if (content === undefined) {
    throw new NotServed(`the service does not read ${types.join(', ')}`)
  }
  const others = otherTypes(types, Object.keys(content))
  if (others !== '') {
    report(`${others} of requests removed: the service reads JSON`)
  }
  body['content'] = content
  if ('x-max-bytes' in body) {
    return
  }
  body['x-max-bytes'] = 100_000
  report('x-max-bytes: 100000 added, the size of a body that is accepted')
}

/**
 * Removes the parameters of an operation or a path item that the service does not read, and replaces an
 * Idempotency-Key by that of the platform.
 */
function convertParameters(root: Draft, holder: Draft, report: (what: string) => void): void {
  if (!('parameters' in holder)) {
    return
  }
  holder['parameters'] = toList(holder['parameters']).flatMap((row) => {
    const parameter = follow(root, row)
    const { name, in: location } = parameter
    const schema = toDocuments(root).followValue(parameter['schema'])
    const nonNull = withoutNull(root, schema)
    if (!isDeepStrictEqual(nonNull, schema)) {
      parameter['schema'] = nonNull
      report(`null removed from ${location} parameter ${name}: no text is null`)
    }
    const field = location === 'header' ? String(name).toLowerCase() : ''
    if (location === 'querystring' || ignoredHeaders.includes(field)) {
      report(`${location} parameter ${name} removed: nothing reads it`)
      return []
    }
    const form = findUnreadForm(parameter, '', toDocuments(root))
    if (form !== undefined) {
      report(`${location} parameter ${name} removed: the service does not read ${form}`)
      return []
    }
    if (field !== 'idempotency-key') {
      return [row]
    }
    report('Idempotency-Key of the platform')
    return [{ $ref: 'platform.yaml#/components/parameters/IdempotencyKey' }]
  })
}

/** Returns the schema of a parameter without null where it is one of the types, values or forms. */
function withoutNull(root: Draft, schema: JsonObject): JsonObject {
  const result: Draft = { ...schema }
  if (schema['default'] === null) {
    delete result['default']
  }
  const types = toList(schema['type']).filter((type) => type !== 'null')
  if (types.length > 0) {
    result['type'] = types.length === 1 ? types[0] : types
  }
  const values = toList(schema['enum']).filter((value) => value !== null)
  if (values.length > 0) {
    result['enum'] = values
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    const forms = toList(schema[keyword])
    const others = forms.filter((form) => toDraft(form)['type'] !== 'null')
    if (others.length === 0 || others.length === forms.length) {
      continue
    }
    result[keyword] = others
    if (others.length > 1) {
      continue
    }
    delete result[keyword]
    return { ...toDocuments(root).followValue(others[0]), ...result }
  }
  return result
}

/** Gives an operation a camelCase name that no other has: it names a method and a file. */
function nameOperation(
  { method, path, operation, report }: OperationDraft,
  taken: Set<string>,
): void {
  const { operationId = '' } = operation
  const given = toCamelCase(String(operationId))
  // The client has raw already, and with then it would be a promise.
  const isName = !['', 'raw', 'then'].includes(given)
  const wanted = isName ? given : toCamelCase(`${method} ${path.replaceAll('{', 'by {')}`)
  let name = wanted
  // Some file systems ignore case.
  for (let count = 2; taken.has(name.toLowerCase()); count++) {
    name = `${wanted}${count}`
  }
  taken.add(name.toLowerCase())
  operation['operationId'] = name
  if (operationId === '') {
    report('operationId added, from the method and the path')
  } else if (name !== operationId) {
    report('operationId replaced: it names a method and a file, and is camelCase and unique')
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

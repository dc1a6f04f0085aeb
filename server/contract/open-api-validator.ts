import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { middleware } from 'express-openapi-validator'
import type { Description, Parameter } from '../description/description.ts'
import type { Documents } from '../description/documents.ts'
import { isObject, type JsonObject } from '../description/json.ts'
import { editNodes, ofSchemas } from '../description/nodes.ts'
import { compilePattern } from '../description/pattern.ts'
import { escapeToken, unescapeToken } from '../description/pointer.ts'
import { describedOperation } from './contract.ts'
import type { Detail } from './errors.ts'
import type { Operation } from './operation.ts'
import { isSimple } from './parameter-rows.ts'
import type { ParametersByLocation } from './parameters.ts'

type ApiSpec = Exclude<Parameters<typeof middleware>[0]['apiSpec'], string>
type Values = Readonly<Record<string, unknown>>

/** The parts of a request that have parameters, by their names in OpenAPI. */
const parts = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const

/**
 * Validates parameters with express-openapi-validator. Each operation has a path of its own there, and each
 * parameter is one of the query, in the style `form`, whatever its location and style are: its values are
 * decoded already, and the validator takes values of that style as they are.
 */
export class OpenApiValidator {
  readonly #description: Description
  readonly #operations: readonly Operation[]
  /** Loaded for the first request that needs it. */
  #loaded: Promise<RequestHandler> | undefined

  constructor(description: Description, operations: readonly Operation[]) {
    this.#description = description
    this.#operations = operations
  }

  /** Returns what is wrong with the parameters of a request. */
  async validate(
    operation: Operation,
    values: ParametersByLocation<Values>,
  ): Promise<readonly Detail[]> {
    this.#loaded ??= this.#load()
    const validator = await this.#loaded
    const request = toRequest(this.#pathOf(operation), values)
    // It reads nothing else of a request, and writes nothing to a response.
    const error = await new Promise((resolve) => {
      validator(request as unknown as Request, {} as Response, resolve)
    })
    return error === undefined ? [] : readDetails(error)
  }

  async #load(): Promise<RequestHandler> {
    const { middleware } = await import('express-openapi-validator')
    const paths = this.#operations.map((operation) => {
      const { parameters } = describedOperation(this.#description, operation)
      const adapted = parameters.map((parameter) => {
        return toQueryParameter(parameter, operation, this.#description.documents)
      })
      return [this.#pathOf(operation), { get: { parameters: adapted, responses: {} } }] as const
    })
    const info = { title: '', version: '' }
    // Its types of schemas are narrower than JSON Schema, and its types of OpenAPI 3.1 ask for all components.
    const apiSpec: unknown = { openapi: '3.1.0', info, paths: Object.fromEntries(paths) }
    return Router().use(
      middleware({
        apiSpec: apiSpec as ApiSpec,
        validateApiSpec: false,
        validateRequests: { allErrors: true, allowUnknownQueryParameters: false },
        validateResponses: false,
        // API keys are checked before.
        validateSecurity: false,
        fileUploader: false,
      }),
    )
  }

  #pathOf(operation: Operation): string {
    return `/${this.#operations.indexOf(operation)}`
  }
}

/** Returns a request that has what the validator reads of one. */
function toRequest(path: string, values: ParametersByLocation<Values>) {
  const query = Object.values(parts).flatMap((part) => {
    return Object.entries(values[part]).map(([name, value]) => [toQueryName(part, name), value])
  })
  return {
    method: 'GET',
    url: path,
    originalUrl: path,
    path,
    // It converts values where they are, and those of the request belong to the handler.
    query: structuredClone(Object.fromEntries(query)),
    headers: {},
    app: { param: () => undefined, enabled: () => true },
  }
}

/** Returns the name of a parameter in the query; the validator would take a bracket for a part of a form. */
function toQueryName(part: string, name: string): string {
  return encodeURIComponent(`${part}/${name}`)
}

function toQueryParameter(
  { location, name, isRequired, schema }: Parameter,
  { parameters }: Operation,
  documents: Documents,
) {
  const part = Object.entries(parts).find(([ofPart]) => ofPart === location)?.[1] ?? location
  const rows = Object.entries(parameters).find(([ofRows]) => ofRows === location)?.[1] ?? {}
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined
  // It would convert values of several types, and read objects and JSON once more.
  const isRead = schema !== undefined && row !== undefined && isSimple(row)
  return {
    name: toQueryName(part, name),
    in: 'query' as const,
    required: isRequired,
    style: 'form' as const,
    explode: true,
    // A default in `allOf` does not hide that the parameter is missing.
    schema: { allOf: isRead ? [toPlainSchema(schema.value, documents, [])] : [] },
  }
}

/** Keywords that the validator applies by other rules, or in quadratic time; the schema of the request has them. `$id` would name a schema twice. */
const omitted = ['multipleOf', 'uniqueItems', 'unevaluatedItems', 'unevaluatedProperties', '$id']

/**
 * Returns a schema without references, of which the validator follows those to whole components alone.
 * `open` are the references that this schema is reached by: one that refers to itself ends there.
 */
function toPlainSchema(schema: unknown, documents: Documents, open: readonly string[]): unknown {
  function writeTarget({ $ref, ...beside }: JsonObject): JsonObject {
    const appliedBeside = Object.fromEntries(Object.entries(beside).filter(isApplied))
    if (typeof $ref !== 'string' || open.includes($ref)) {
      return appliedBeside
    }

    const target = documents.next({ ...documents.root, value: { $ref } })?.value
    return { allOf: [toPlainSchema(target, documents, [...open, $ref]), appliedBeside] }
  }

  return editNodes(schema, 'schema', ofSchemas(writeTarget))
}

/** Keywords whose values are data. */
const ofData: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'example', 'examples'])

function isApplied([key, value]: readonly [string, unknown]): boolean {
  // It compiles patterns with the flag `u` alone.
  if (key === 'pattern') {
    return compilePattern(String(value)).unicode
  }
  // It does not compile an `enum` without values.
  if (key === 'enum' && Array.isArray(value) && value.length === 0) {
    return false
  }
  // It follows a `$ref` in data, too.
  if (ofData.has(key) && JSON.stringify(value).includes('"$ref"')) {
    return false
  }
  return !omitted.includes(key)
}

/** Returns the details of an error of the validator; throws an error that is not about the request. */
function readDetails(error: unknown): readonly Detail[] {
  const { status, errors } = isObject(error) ? error : {}
  if (status !== 400 || !Array.isArray(errors)) {
    throw error
  }
  return errors.filter(isObject).map(({ path, message }) => {
    const [, , key = '', ...rest] = String(path).split('/')
    const [part = '', ...name] = decodeURIComponent(unescapeToken(key)).split('/')
    const token = escapeToken(name.join('/'))
    // Names of header fields have no case.
    const shownToken = part === 'headers' ? token.toLowerCase() : token
    return { path: ['', part, shownToken, ...rest].join('/'), message: String(message) }
  })
}

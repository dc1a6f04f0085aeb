import type { Document, Located } from './document.ts'
import { isObject, type Json, type JsonObject, toObject, toText } from './json.ts'
import type { RequestJudge } from './judge.ts'
import { isJsonType, listOperations, nameOf, type Operation } from './operations.ts'
import { judgeRequests } from './requests.ts'
import { validate } from './schemas.ts'
import { type SentParameters, sendParameter } from './sent-parameters.ts'
import { type Extent, makeValue, readExamples } from './values.ts'

/** Judges requests that are made from a description, and counts them. */
export interface RequestMaker {
  readonly judge: RequestJudge
  /** Returns lines that say how many requests were sent, and which operations have none. */
  readonly summary: () => readonly string[]
}

/** The values of a request. */
interface Values {
  readonly parameters: ReadonlyMap<Located<JsonObject>, Json>
  readonly body: Json | undefined
  readonly bodyType: string | undefined
}

/** Creates what sends a valid and an invalid request to every JSON operation of a description. */
export function createRequestMaker(): RequestMaker {
  const lines: string[] = []

  async function judge(
    judged: Parameters<RequestJudge>[0],
    row: 'valid' | 'invalid',
  ): Promise<readonly string[]> {
    const { document } = judged
    const all = listOperations(document)
    const operations = all.filter((operation) => isJsonOperation(document, operation))
    const make = row === 'valid' ? makeValid : makeInvalid
    const made = operations.map((operation) => make(document, operation))
    const without = operations.filter((_, index) => made[index]?.length === 0)
    const requests = made.flat()
    lines.push(
      `${requests.length} ${row} requests to ${operations.length} JSON operations of ${all.length}`,
    )
    if (without.length > 0) {
      lines.push(`no ${row} request for ${without.length}: ${without.map(nameOf).join(', ')}`)
    }
    return judgeRequests(judged, requests, row === 'valid' ? '[23]XX' : '4XX')
  }

  return { judge, summary: () => lines }
}

/** Returns whether an operation takes and returns JSON or nothing. */
function isJsonOperation(document: Document, { method, located }: Operation): boolean {
  const body = document.follow(document.at(located, 'requestBody'))
  const requestTypes = Object.keys(toObject(body.value['content']))
  const responses = toObject(located.value['responses'])
  const success = Object.keys(responses).find((status) => /^[23]/.test(status)) ?? 'default'
  const response = document.follow(document.at(located, 'responses', success))
  const responseTypes = Object.keys(toObject(response.value['content']))
  const isRequestJson = requestTypes.length === 0 || requestTypes.some(isJsonType)
  const isResponseJson = responseTypes.length === 0 || responseTypes.some(isJsonType)
  return method !== 'TRACE' && isRequestJson && isResponseJson
}

/** Returns a request with what is required, and one with everything, unless they are the same. */
function makeValid(document: Document, operation: Operation): readonly JsonObject[] {
  const extents: readonly Extent[] = ['required', 'all']
  const made = extents.flatMap((extent) => {
    const values = makeValues(document, operation, extent)
    return values === undefined ? [] : [toRequest(document, operation, values)]
  })
  const [first, second] = made
  return JSON.stringify(first) === JSON.stringify(second) ? made.slice(0, 1) : made
}

/** Returns the values of a request; undefined where no valid ones were found. */
function makeValues(
  document: Document,
  { located, parameters }: Operation,
  extent: Extent,
): Values | undefined {
  const values = new Map<Located<JsonObject>, Json>()
  for (const parameter of parameters) {
    const isRequired = parameter.value['required'] === true
    const value = isSent(parameter) && makeParameter(document, parameter)
    if (isRequired && value === undefined) {
      return undefined
    }
    if (value !== undefined && value !== false && (isRequired || extent === 'all')) {
      values.set(parameter, value)
    }
  }

  const body = document.follow(document.at(located, 'requestBody'))
  const bodyType = Object.keys(toObject(body.value['content'])).find(isJsonType)
  if (bodyType === undefined) {
    return { parameters: values, body: undefined, bodyType: undefined }
  }
  const made = makeBody(document, body, bodyType, extent)
  const isMissing = made === undefined && body.value['required'] === true
  return isMissing ? undefined : { parameters: values, body: made, bodyType }
}

/** Returns whether a parameter is sent as one: these headers are described elsewhere. */
function isSent({ value }: Located<JsonObject>): boolean {
  const names = ['accept', 'content-type', 'authorization']
  return value['in'] !== 'header' || !names.includes(toText(value['name']).toLowerCase())
}

function schemaOf(document: Document, parameter: Located<JsonObject>): Located {
  const [type = ''] = Object.keys(toObject(parameter.value['content']))
  const found =
    type === ''
      ? document.at(parameter, 'schema')
      : document.at(parameter, 'content', type, 'schema')
  return found ?? { value: {}, file: parameter.file, pointer: `${parameter.pointer}/schema` }
}

function makeParameter(document: Document, parameter: Located<JsonObject>): Json | undefined {
  const examples = readExamples(document, parameter).filter((example) => example !== '')
  const value = makeValue(document, schemaOf(document, parameter), 'required', examples)
  // An empty list or object is not sent at all.
  const isEmpty = typeof value === 'object' && Object.keys(value ?? {}).length === 0
  return isEmpty || value === '' ? undefined : value
}

function makeBody(
  document: Document,
  body: Located<JsonObject>,
  type: string,
  extent: Extent,
): Json | undefined {
  const content = document.follow(document.at(body, 'content', type))
  const schema = document.at(content, 'schema')
  const examples = extent === 'required' ? [] : readExamples(document, content)
  return schema === undefined ? (examples[0] ?? {}) : makeValue(document, schema, extent, examples)
}

function toRequest(document: Document, operation: Operation, values: Values): JsonObject {
  const sent = [...values.parameters].map(([parameter, value]) =>
    sendParameter(parameter.value, value),
  )
  return {
    ...toTarget(operation, sent),
    headers: toHeaders(document, operation, sent),
    ...(values.body === undefined ? {} : { text: JSON.stringify(values.body) }),
    ...(values.bodyType === undefined ? {} : { bodyType: values.bodyType }),
  }
}

function toTarget(operation: Operation, sent: readonly SentParameters[]): JsonObject {
  const names: Readonly<Record<string, string>> = Object.assign({}, ...sent.map(({ path }) => path))
  const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => names[name] ?? 'a')
  const query = sent.flatMap((parameter) => parameter.query)
  const search = query.length === 0 ? '' : `?${query.join('&')}`
  return { request: `${operation.method} ${operation.basePath}${path}${search}` }
}

function toHeaders(
  document: Document,
  { located }: Operation,
  sent: readonly SentParameters[],
): JsonObject {
  const headers = Object.fromEntries(sent.flatMap((parameter) => parameter.headers))
  const cookies = sent.flatMap((parameter) => parameter.cookies)
  const types = Object.keys(toObject(located.value['responses'])).flatMap((status) => {
    const response = document.follow(document.at(located, 'responses', status))
    return Object.keys(toObject(response.value['content'])).filter(isJsonType)
  })
  return {
    ...headers,
    ...(cookies.length === 0 ? {} : { Cookie: cookies.join('; ') }),
    ...(types.length === 0 ? {} : { Accept: [...new Set(types)].join(', ') }),
  }
}

/** Returns a request with one violation; none if the description allows everything. */
function makeInvalid(document: Document, operation: Operation): readonly JsonObject[] {
  const values = makeValues(document, operation, 'required')
  if (values === undefined) {
    return []
  }
  const wrongBody = makeWrongBody(document, operation, values)
  const changed =
    wrongBody ??
    makeWrongParameter(document, operation, values) ??
    withoutParameter(operation, values)
  return changed === undefined ? [] : [toRequest(document, operation, changed)]
}

function makeWrongBody(
  document: Document,
  { located }: Operation,
  values: Values,
): Values | undefined {
  const body = document.follow(document.at(located, 'requestBody'))
  const schema = document.at(body, 'content', values.bodyType ?? '', 'schema')
  if (schema === undefined || values.body === undefined) {
    return undefined
  }
  const { body: valid } = values
  const withWrongMembers = isObject(valid)
    ? Object.keys(valid).map((name) => ({ ...valid, [name]: { wrong: [{}] } }))
    : []
  const candidates: readonly Json[] = [...withWrongMembers, 'wrong', 7, [], {}, true]
  const wrong = candidates.find((value) => validate(document, schema, 'request', value).length > 0)
  return wrong === undefined ? undefined : { ...values, body: wrong }
}

function makeWrongParameter(
  document: Document,
  { parameters }: Operation,
  values: Values,
): Values | undefined {
  // A text that none of the other types has.
  const wrong = 'no-such-value'
  const found = parameters.filter(isSent).find((parameter) => {
    const isPlain = parameter.value['content'] === undefined && !isStructured(document, parameter)
    return isPlain && validate(document, schemaOf(document, parameter), 'request', wrong).length > 0
  })
  if (found === undefined) {
    return undefined
  }
  return { ...values, parameters: new Map([...values.parameters, [found, wrong]]) }
}

/** Returns whether a value of a parameter may be a list or an object, which a text may stand for. */
function isStructured(document: Document, parameter: Located<JsonObject>): boolean {
  return (
    [['a'], { a: 'a' }, {}].some(
      (value) => validate(document, schemaOf(document, parameter), 'request', value).length === 0,
    ) ||
    /"(?:array|object)"/.test(JSON.stringify(document.follow(schemaOf(document, parameter)).value))
  )
}

function withoutParameter({ parameters }: Operation, values: Values): Values | undefined {
  const found = parameters.find(
    (parameter) => parameter.value['required'] === true && parameter.value['in'] !== 'path',
  )
  if (found === undefined || !isSent(found)) {
    return undefined
  }
  const others = [...values.parameters].filter(([parameter]) => parameter !== found)
  return { ...values, parameters: new Map(others) }
}

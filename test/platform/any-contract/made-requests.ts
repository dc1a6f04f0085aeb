import { toParts } from './content.ts'
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

/** Creates what sends a valid and an invalid request to every operation of a description. */
export function createRequestMaker(): RequestMaker {
  const lines: string[] = []

  async function judge(
    judged: Parameters<RequestJudge>[0],
    row: 'valid' | 'invalid',
  ): Promise<readonly string[]> {
    const { document } = judged
    const all = listOperations(document)
    const operations = all.filter(({ method }) => sentMethods.includes(method))
    const make = row === 'valid' ? makeValid : makeInvalid
    const made = operations.map((operation) => make(document, operation))
    const without = operations.filter((_, index) => made[index]?.length === 0)
    const requests = made.flat()
    lines.push(
      `${requests.length} ${row} requests to ${operations.length} operations of ${all.length}`,
    )
    if (without.length > 0) {
      lines.push(`no ${row} request for ${without.length}: ${without.map(nameOf).join(', ')}`)
    }
    return judgeRequests(judged, requests, '4XX')
  }

  return { judge, summary: () => lines }
}

const sentMethods = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'QUERY']

/** Returns the media types of the success of an operation. */
function typesOfSuccess(document: Document, { located }: Operation): readonly string[] {
  const responses = toObject(located.value['responses'])
  const success = Object.keys(responses).find((status) => /^[23]/.test(status)) ?? 'default'
  const response = document.follow(document.at(located, 'responses', success))
  return Object.keys(toObject(response.value['content']))
}

/** Returns whether a success has content, and none of it is JSON, of which the mock may have no sample. */
function hasOtherSuccess(document: Document, operation: Operation): boolean {
  const types = typesOfSuccess(document, operation)
  return types.length > 0 && !types.some(isJsonType)
}

/** Returns a request with what is required, and one with everything, unless they are the same. */
function makeValid(document: Document, operation: Operation): readonly JsonObject[] {
  const extents: readonly Extent[] = ['required', 'all']
  const made = extents.flatMap((extent) => {
    const values = makeValues(document, operation, extent)
    const status = hasOtherSuccess(document, operation) ? ['[23]XX', '501'] : ['[23]XX']
    return values === undefined ? [] : [{ ...toRequest(document, operation, values), status }]
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
  const types = Object.keys(toObject(body.value['content']))
  const bodyType = types.find(isJsonType) ?? types[0]
  if (bodyType === undefined) {
    return { parameters: values, body: undefined, bodyType: undefined }
  }
  const made = makeBody(document, body, bodyType, extent)
  const isMissing = made === undefined && body.value['required'] === true
  return isMissing ? undefined : { parameters: values, body: made, bodyType }
}

/** Returns whether a parameter is sent as one: these headers follow from the rest of a request. */
function isSent({ value }: Located<JsonObject>): boolean {
  const names = ['accept', 'authorization', 'content-encoding', 'content-length', 'content-type']
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
  if (!isJsonType(type) && !isForm(type)) {
    return makeText(document, content)
  }
  const examples = extent === 'required' ? [] : readExamples(document, content)
  return schema === undefined ? (examples[0] ?? {}) : makeValue(document, schema, extent, examples)
}

/** Returns whether content has fields, whose schema describes an object. */
function isForm(type: string): boolean {
  return /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type)
}

/** Returns the text of content that is neither JSON nor a form: an example, or else any that its schema allows. */
function makeText(document: Document, content: Located<JsonObject>): Json | undefined {
  const schema = document.at(content, 'schema')
  const example = readExamples(document, content).find((value) => typeof value === 'string')
  const isText = document.follow(schema).value['type'] === 'string'
  const made = isText && schema !== undefined ? makeValue(document, schema, 'required') : 'sample'
  return example ?? made
}

/** Returns the content of a request as the description of one has it. */
function toContent(document: Document, { located }: Operation, values: Values): JsonObject {
  const { body, bodyType = '' } = values
  if (body === undefined) {
    return {}
  }
  if (isJsonType(bodyType)) {
    return { text: JSON.stringify(body), bodyType }
  }
  if (!isForm(bodyType)) {
    // A range is no type that content could have.
    return { text: toText(body), bodyType: bodyType.replace('*', 'plain') }
  }
  const holder = document.follow(document.at(located, 'requestBody'))
  const media = document.follow(document.at(holder, 'content', bodyType))
  const isMultipart = /^multipart/i.test(bodyType)
  const schema = document.at(media, 'schema') ?? media
  const fields = toObject(body)
  return isMultipart ? { parts: toParts(document, schema, fields) } : { form: fields }
}

function toRequest(document: Document, operation: Operation, values: Values): JsonObject {
  const sent = [...values.parameters].map(([parameter, value]) =>
    sendParameter(parameter.value, value),
  )
  return {
    ...toTarget(operation, sent),
    headers: toHeaders(document, operation, sent),
    ...toContent(document, operation, values),
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
  operation: Operation,
  sent: readonly SentParameters[],
): JsonObject {
  const headers = Object.fromEntries(sent.flatMap((parameter) => parameter.headers))
  const cookies = sent.flatMap((parameter) => parameter.cookies)
  const { located } = operation
  const isOther = hasOtherSuccess(document, operation)
  const statuses = isOther ? [] : Object.keys(toObject(located.value['responses']))
  const types = statuses.flatMap((status) => {
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
    withoutParameter(operation, values) ??
    withWrongType(document, operation, values)
  return changed === undefined ? [] : [toRequest(document, operation, changed)]
}

function makeWrongBody(
  document: Document,
  { located }: Operation,
  values: Values,
): Values | undefined {
  const body = document.follow(document.at(located, 'requestBody'))
  const { bodyType = '' } = values
  const schema = document.at(body, 'content', bodyType, 'schema')
  if (schema === undefined || values.body === undefined || !isJsonType(bodyType)) {
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

/** Returns a request with content of a type that is not declared; undefined if all types are. */
function withWrongType(
  document: Document,
  { located }: Operation,
  values: Values,
): Values | undefined {
  const body = document.follow(document.at(located, 'requestBody'))
  const types = Object.keys(toObject(body.value['content']))
  const isAny = types.length === 0 || types.includes('*/*')
  return isAny ? undefined : { ...values, body: 'wrong', bodyType: 'x-none/x-wrong' }
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

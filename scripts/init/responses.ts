import { STATUS_CODES } from 'node:http'
import { type JsonObject, toList } from '../../server/description/json.ts'
import { type Draft, ensure, follow, NotServed, type OperationDraft, toDraft } from './draft.ts'

const json = 'application/json'

/** The statuses of errors that the service responds with by itself. */
const ofService = ['400', '401', '405', '406', '413', '415', '429', '500', '503']

/** The codes of the service: of a token without a scope, and of an Idempotency-Key, which may be added later. */
const codesOfService: Readonly<Record<string, string>> = {
  403: 'insufficient_scope',
  409: 'idempotency_in_progress',
  422: 'idempotency_key_reused',
}

/** Returns the media types of a content that are JSON; undefined if there are none. */
export function toJsonContent(root: JsonObject, content: unknown): Draft | undefined {
  const kept: Draft = {}
  for (const [type, media] of Object.entries(toDraft(content))) {
    const name = type.replace(/;.*/s, '').trim().toLowerCase()
    const known = name.replace(/^(?:\*|application)\/\*$/, json)
    const { type: kind, format } = follow(root, toDraft(media)['schema'])
    const isBytes = kind === 'string' && format === 'binary'
    if (/^[^*]*[/+]json$/.test(known) && !isBytes) {
      kept[known] ??= media
    }
  }
  return Object.keys(kept).length === 0 ? undefined : kept
}

/** Returns the media types that are not kept, without their parameters, for people. */
export function otherTypes(types: readonly string[], kept: readonly string[]): string {
  const names = types.map((type) => type.replace(/;.*/s, '').trim())
  return [...new Set(names)].filter((name) => !kept.includes(name.toLowerCase())).join(', ')
}

/** Converts the responses of an operation. */
export function convertResponses(draft: OperationDraft): void {
  const { root, operation, report } = draft
  const responses = ensure(operation, 'responses')
  nameSuccess(responses, report)

  for (const [status, response] of Object.entries(responses)) {
    const isSuccess = /^2\d\d$/.test(status)

    if (isSuccess) {
      convertSuccess(draft, follow(root, response), status)
    } else {
      convertOther(draft, responses, status)
    }
  }

  const hasSuccess = Object.keys(responses).some((status) => status.startsWith('2'))
  if (!hasSuccess) {
    throw new NotServed('it has no response of 2xx')
  }
}

/** Replaces a response that is no success with the platform's own of that status, or removes it. */
function convertOther(draft: OperationDraft, responses: Draft, status: string): void {
  const { root, path, report } = draft
  const response = follow(root, responses[status])
  delete responses[status]

  if (ofService.includes(status)) {
    const list = ofService.join(', ')
    report(`errors that the service gives itself are those of the platform (of ${list})`)
    return
  }

  if (/^[45]\d\d$/.test(status)) {
    const { description = '' } = response
    const $ref = referToError(root, status)
    responses[status] = description === '' ? { $ref } : { $ref, description }
    report('other errors keep their status, with the Error object of the platform')
    return
  }

  report(`${status} removed: the service gives 2xx, and errors by their exact status`)

  const mayBe404 = /^(?:default|4xx)$/i.test(status) && path.includes('{')
  if (!mayBe404 || '404' in responses) {
    return
  }

  responses['404'] = { $ref: referToError(root, '404') }
  report(`404 added, in place of ${status}: the path has a parameter`)
}

/** Names the success that is declared as a range, or as the default and nothing else. */
function nameSuccess(responses: Draft, report: (what: string) => void): void {
  if (Object.keys(responses).some((status) => /^[23]\d\d$/.test(status))) {
    return
  }
  const key = ['2XX', '2xx', 'default'].find((name) => name in responses)
  if (key === undefined) {
    return
  }
  responses['200'] = responses[key]
  delete responses[key]
  report(`${key} taken for 200: the service names each status`)
}

/** The headers that the service sets. */
const serviceHeader =
  /^(?:x-ratelimit-(?:limit|remaining|reset)|x-request-id|cache-control|x-content-type-options|deprecation|sunset|content-(?:type|length))$/i

function convertSuccess(draft: OperationDraft, response: Draft, status: string): void {
  convertContent(draft, response, status)
  response['description'] ??= STATUS_CODES[status] ?? status

  const headers = toDraft(response['headers'])

  for (const name of Object.keys(headers).filter((each) => serviceHeader.test(each))) {
    delete headers[name]
    draft.report(`header ${name} left to the service, which sets it`)
  }
}

/** Keeps one JSON media type of the content of a success; a 204 or a 205 has none. */
function convertContent({ root, report }: OperationDraft, response: Draft, status: string): void {
  const types = Object.keys(toDraft(response['content']))

  if (types.length === 0 || status === '204' || status === '205') {
    delete response['content']
    return
  }

  const content = toJsonContent(root, response['content'])

  if (content === undefined) {
    throw new NotServed(`the service does not send ${types.join(', ')}, as its ${status} has`)
  }

  const [kept = json] = json in content ? [json] : Object.keys(content)
  response['content'] = { [json]: content[kept] }
  if (kept !== json) {
    report(`${kept} of responses sent as ${json}`)
  }

  const others = otherTypes(types, [kept])
  if (others !== '') {
    report(`${others} of responses removed: the service sends ${json}`)
  }
}

/** Returns a reference to the error with a status, which is added to the components if it is new. */
function referToError(root: Draft, status: string): string {
  if (status === '404') {
    return 'platform.yaml#/components/responses/NotFound'
  }
  const text = (STATUS_CODES[status] ?? `Status ${status}`).replaceAll(/[^\w ]/g, '')
  const name = text.replaceAll(' ', '')
  const code = text.toLowerCase().replaceAll(' ', '_')
  const description = `${text}.`
  const codes = [code, codesOfService[status]].filter((each) => each !== undefined)
  const narrowed = {
    code: { type: 'string', enum: codes },
    status: { type: 'integer', const: Number(status) },
  }
  const value = { code, message: description, status: Number(status) }
  const components = ensure(root, 'components')
  ensure(components, 'schemas')[`${name}Error`] ??= {
    description,
    allOf: [
      { $ref: 'platform.yaml#/components/schemas/Error' },
      { type: 'object', properties: narrowed },
    ],
    examples: [value],
  }
  const schema = { $ref: `#/components/schemas/${name}Error` }
  ensure(components, 'responses')[name] ??= {
    description,
    ...(status === '409' && { headers: { 'Retry-After': retryAfter } }),
    content: { [json]: { schema, examples: { [code]: { summary: text, value } } } },
  }
  const schemas = ensure(components, 'schemas')
  addErrorCode(schemas, code)
  return `#/components/responses/${name}`
}

/** Adds a code to the API's own codes of errors, to which the platform adds its own. */
function addErrorCode(schemas: Draft, code: string): void {
  schemas['ErrorCode'] ??= {
    description: 'What went wrong, for programs.',
    type: 'string',
    examples: [code],
  }
  const errorCode = toDraft(schemas['ErrorCode'])
  const codes = toList(errorCode['enum'])
  if (!codes.includes(code)) {
    errorCode['enum'] = [...codes, code]
  }
}

const retryAfter = {
  description: 'Seconds to wait before the next try, if that may succeed.',
  schema: { type: 'integer', minimum: 1 },
  example: 30,
}

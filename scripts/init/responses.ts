import { STATUS_CODES } from 'node:http'
import { type JsonObject, toList } from '../pipeline/description.ts'
import { type Conversion, type Draft, ensure, follow, toDraft } from './draft.ts'
import { hasIdempotencyKey } from './platform-parts.ts'

const json = 'application/json'

/** The errors that the service gives itself, for every operation or outside of them. */
const ofService = ['400', '401', '405', '406', '413', '415', '429', '500', '503']
const codesOfIdempotency: Readonly<Record<string, string>> = {
  409: 'idempotency_in_progress',
  422: 'idempotency_key_reused',
}

/** Returns the part of a content that is JSON; undefined if there is none. */
export function toJsonContent(root: JsonObject, content: unknown): Draft | undefined {
  const kept: Draft = {}
  for (const [type, media] of Object.entries(toDraft(content))) {
    const name = type.replace(/;.*/s, '').trim().toLowerCase()
    const known = name.replace(/^(?:\*|application)\/\*$/, json)
    const { type: kind, format } = follow(root, toDraft(media)['schema'])
    const isBytes = kind === 'string' && format === 'binary'
    if (/^[^*]*[/+]json$/.test(known) && !isBytes) kept[known] ??= media
  }
  return Object.keys(kept).length === 0 ? undefined : kept
}

/** Returns the media types of a content beside those that are kept, for people: without their parameters. */
export function otherTypes(types: readonly string[], kept: readonly string[]): string {
  const names = types.map((type) => type.replace(/;.*/s, '').trim())
  return [...new Set(names)].filter((name) => !kept.includes(name.toLowerCase())).join(', ')
}

/** Converts the responses of an operation; returns why it cannot be served, or undefined. */
export function convertResponses(
  conversion: Conversion,
  operation: Draft,
  where: string,
): string | undefined {
  const { root, report } = conversion
  const responses = ensure(operation, 'responses')
  const isPost = where.startsWith('POST ')
  // The codes of the parameter must be there when it is added.
  const mayRepeat = !('security' in operation) && (isPost || hasIdempotencyKey(root, operation))
  nameSuccess(conversion, responses, where)
  let reason = 'it has no response of 2xx'
  for (const [status, response] of Object.entries(responses)) {
    delete responses[status]
    if (/^2\d\d$/.test(status)) {
      const isDeprecated = operation['deprecated'] === true
      // The headers of a deprecation belong to this operation alone.
      const success = isDeprecated ? structuredClone(follow(root, response)) : response
      const problem = convertSuccess(conversion, follow(root, success), status, where)
      if (problem === undefined) responses[status] = success
      else reason = `${problem}, as its ${status} has`
    } else if (ofService.includes(status)) {
      const list = ofService.join(', ')
      report(where, `errors that the service gives itself are those of the platform (of ${list})`)
    } else if (/^[45]\d\d$/.test(status)) {
      const conflict = mayRepeat ? codesOfIdempotency[status] : undefined
      const { description = '' } = follow(root, response)
      const $ref = referToError(root, status, conflict)
      responses[status] = description === '' ? { $ref } : { $ref, description }
      report(where, 'other errors keep their status, with the Error object of the platform')
    } else {
      report(where, `${status} removed: the service gives 2xx, and errors by their exact status`)
      if (!/^(?:default|4xx)$/i.test(status) || !where.includes('{') || '404' in responses) continue
      responses['404'] = { $ref: referToError(root, '404', undefined) }
      report(where, `404 added, in place of ${status}: the path has a parameter`)
    }
  }
  return Object.keys(responses).some((status) => status.startsWith('2')) ? undefined : reason
}

/** Names the success that is declared as a range, or as the default and nothing else. */
function nameSuccess({ report }: Conversion, responses: Draft, where: string): void {
  if (Object.keys(responses).some((status) => /^[23]\d\d$/.test(status))) return
  const key = ['2XX', '2xx', 'default'].find((name) => name in responses)
  if (key === undefined) return
  responses['200'] = responses[key]
  delete responses[key]
  report(where, `${key} taken for 200: the service names each status`)
}

/** The headers that the service sets, and those of the content. */
const serviceHeader =
  /^(?:x-ratelimit-(?:limit|remaining|reset)|x-request-id|cache-control|x-content-type-options|deprecation|sunset|content-(?:type|length))$/i

/** Converts a 2xx response; returns why it cannot be given, or undefined. */
function convertSuccess(
  { root, report }: Conversion,
  response: Draft,
  status: string,
  where: string,
): string | undefined {
  const types = Object.keys(toDraft(response['content']))
  if (types.length === 0 || status === '204' || status === '205') {
    delete response['content']
  } else {
    const content = toJsonContent(root, response['content'])
    if (content === undefined) return `the service does not send ${types.join(', ')}`
    const [kept = json] = json in content ? [json] : Object.keys(content)
    response['content'] = { [json]: content[kept] }
    if (kept !== json) report(where, `${kept} of responses sent as ${json}`)
    const others = otherTypes(types, [kept])
    if (others !== '') report(where, `${others} of responses removed: the service sends ${json}`)
  }
  response['description'] ??= STATUS_CODES[status] ?? status
  const headers = toDraft(response['headers'])
  for (const name of Object.keys(headers).filter((each) => serviceHeader.test(each))) {
    delete headers[name]
    report(where, `header ${name} left to the service, which sets it`)
  }
  return undefined
}

/** Returns the reference to the error with a status, which becomes one of the platform's if it is new. */
function referToError(root: Draft, status: string, conflict: string | undefined): string {
  if (status === '404') return '#/components/responses/NotFound'
  const text = (STATUS_CODES[status] ?? `Status ${status}`).replaceAll(/[^\w ]/g, '')
  const code = text.toLowerCase().replaceAll(' ', '_')
  const name = `${text.replaceAll(' ', '')}${conflict === undefined ? '' : 'OrIdempotency'}`
  const description = `${text}.`
  const narrowed = {
    code: { enum: conflict === undefined ? [code] : [code, conflict] },
    status: { const: Number(status) },
  }
  const schema = {
    description,
    allOf: [{ $ref: '#/components/schemas/Error' }, { properties: narrowed }],
  }
  const value = { code, message: description, status: Number(status) }
  const components = ensure(root, 'components')
  ensure(components, 'responses')[name] ??= {
    description,
    ...(status === '409' && { headers: { 'Retry-After': retryAfter } }),
    content: { [json]: { schema, examples: { [code]: { summary: text, value } } } },
  }
  const errorCode = toDraft(ensure(components, 'schemas')['ErrorCode'])
  errorCode['enum'] = [...new Set([...toList(errorCode['enum']), code])]
  return `#/components/responses/${name}`
}

const retryAfter = {
  description: 'Seconds to wait before the next try, if that may succeed.',
  schema: { type: 'integer', minimum: 1 },
  example: 30,
}

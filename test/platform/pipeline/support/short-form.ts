import { readFile } from 'node:fs/promises'
import { parse, stringify } from 'yaml'
import { fixtureSpec } from './workspace.ts'

const headers = references([
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  ...['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options'],
])
const keyHeaders = references(['Idempotent-Replayed'])
const deprecationHeaders = references(['Deprecation', 'Sunset', 'Link'])

const common = {
  headers,
  deprecationHeaders,
  responses: {
    400: { $ref: '#/components/responses/InvalidParameters' },
    401: { $ref: '#/components/responses/Unauthorized' },
    406: { $ref: '#/components/responses/NotAcceptable' },
    429: { $ref: '#/components/responses/TooManyRequests' },
    500: { $ref: '#/components/responses/InternalError' },
    503: { $ref: '#/components/responses/Unavailable' },
  },
  requestBodyResponses: {
    400: { $ref: '#/components/responses/InvalidRequest' },
    413: { $ref: '#/components/responses/PayloadTooLarge' },
    415: { $ref: '#/components/responses/UnsupportedMediaType' },
  },
  idempotencyKeyHeaders: keyHeaders,
  idempotencyKeyResponses: {
    409: { $ref: '#/components/responses/IdempotencyInProgress' },
    422: { $ref: '#/components/responses/IdempotencyKeyReused' },
  },
}

interface Response {
  headers?: Record<string, unknown>
}
interface Operation {
  readonly deprecated?: boolean
  readonly responses: Record<string, Response>
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses: Readonly<Record<string, Response>> }
}

/** Returns the fixture API without what all operations have, which `x-common` declares instead. */
export async function readShortForm(): Promise<string> {
  const { components, ...api }: Description = parse(await readFile(fixtureSpec, 'utf8'))
  for (const { parameters: _, ...operations } of Object.values(api.paths)) {
    for (const { responses, deprecated } of Object.values(operations)) {
      for (const [status, response] of Object.entries(responses)) {
        if (status !== '404' && !status.startsWith('2')) delete responses[status]
        removeHeaders(response, {
          ...headers,
          ...keyHeaders,
          ...(deprecated && deprecationHeaders),
        })
      }
    }
  }
  for (const [name, response] of Object.entries(components.responses)) {
    if (name !== 'BadRequestFraming') removeHeaders(response, headers)
  }
  return stringify({ ...api, 'x-common': common, components }, { lineWidth: 0 })
}

function removeHeaders(response: Response, names: object): void {
  const { headers: own = {} } = response
  for (const name of Object.keys(names)) delete own[name]
  if (Object.keys(own).length === 0) delete response.headers
}

function references(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

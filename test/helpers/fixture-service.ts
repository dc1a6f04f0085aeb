import type { Api } from '../../server/served-api.ts'
import { fixtureApi } from '../fixture-api/fixture-api.ts'
import type { TestDatabase } from './databases/test-database.ts'
import { type FixtureService, startTestService, type TestService } from './service.ts'
import type { UncheckedJson } from './unchecked-json.ts'

/** Starts a service on the fixture API; its paths start with `/lending/v2`. */
export function startFixtureService(
  environment: Readonly<Record<string, string>> = {},
  db?: TestDatabase,
): Promise<FixtureService> {
  return startTestService(environment, db)
}

/** The path of the tools in the fixture API. */
export const tools = '/lending/v2/tools'

/** A tool in JSON, of 27 ASCII characters, and the field with its length. */
export const tool = '{"kind":"saw","name":"abc"}'
export const length = `Content-Length: ${tool.length}\r\n`

/** A request that ends the connection; its response shows that both sides agree where it began. */
export const last = 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

/** Writes requests with a service's key, byte by byte. */
export function createRequests({ apiKey }: Pick<TestService, 'apiKey'>) {
  const usual = `Host: a\r\nAuthorization: Bearer ${apiKey}\r\n`
  const create = `POST ${tools} HTTP/1.1\r\n${usual}Content-Type: application/json\r\n`
  return {
    /** A request without content. */
    get: (target = tools, fields = '') => `GET ${target} HTTP/1.1\r\n${usual}${fields}\r\n`,
    /** A create; the fields say how long its content is. */
    post: (fields = length, content = tool) => `${create}${fields}\r\n${content}`,
    /** A create in chunks, as they are written. */
    chunked: (chunks: string, fields = '') =>
      `${create}Transfer-Encoding: chunked\r\n${fields}\r\n${chunks}`,
  }
}

export type Requests = ReturnType<typeof createRequests>

/** How many tools a service has. */
export async function countTools({ send }: Pick<TestService, 'send'>): Promise<number> {
  return Number((await send(tools)).headers.get('x-total'))
}

type Handlers = Awaited<ReturnType<Api['createHandlers']>>

/** Changes of the fixture API. */
export interface Changes {
  readonly handlers?: Handlers
  /** Changes a copy of the description that is served. */
  readonly edit?: (description: UncheckedJson) => void
  /** Changes of what the service knows of operations, by operationId. */
  readonly operations?: Readonly<Record<string, object>>
}

/** Returns the fixture API with other handlers or another description. */
export function fixtureWith({ handlers = {}, edit, operations = {} }: Changes = {}): Api {
  const description: UncheckedJson = structuredClone(fixtureApi.description)
  edit?.(description)
  const changed = Object.entries(fixtureApi.operations).map(([name, operation]) => {
    return [name, { ...operation, ...operations[name] }] as const
  })
  return {
    ...fixtureApi,
    description,
    operations: Object.fromEntries(changed),
    createHandlers: async (options) => {
      return { ...(await fixtureApi.createHandlers(options)), ...handlers }
    },
  }
}

/** Changes after which every operation of the fixture API requires an API key. */
export const secured: Changes = {
  edit: ({ paths }) => Reflect.deleteProperty(paths['/opening-hours'].get, 'security'),
  operations: { getOpeningHours: { security: [{ apiKey: [] }] } },
}

/** Starts a service on the fixture API with changes. */
export function startFixtureWith(
  changes: Changes = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<FixtureService> {
  return startTestService(environment, undefined, {}, fixtureWith(changes))
}

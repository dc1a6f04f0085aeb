import {
  AnimalStoreError,
  type AnimalStoreOptions,
  createAnimalStore,
} from '../../../client/index.ts'
import type { TestService } from '../../helpers/service.ts'

/** A key that is found wherever it is printed. */
export const apiKey = 'ask_Secret0123456789"abc\\d.*'

export const baseUrl = 'https://animals.example/v1'

/** Returns the response to a request; the first request has number 1. */
export type Respond = (request: Request, number: number) => Response | Promise<Response>

/** Creates a client whose `fetch` is a function, and records its requests. */
export function watch(respond: Respond, options: Partial<AnimalStoreOptions> = {}) {
  const requests: Request[] = []
  const store = createAnimalStore({
    baseUrl,
    apiKey,
    retry: false,
    onDeprecation: () => undefined,
    ...options,
    fetch: async (request) => respond(request, requests.push(request)),
  })
  return { store, requests }
}

/** Creates a client of a running service, and records its requests. */
export function watchService(service: TestService, options: Partial<AnimalStoreOptions> = {}) {
  const { baseUrl, apiKey } = service
  return watch((request) => fetch(request), { baseUrl, apiKey, ...options })
}

/** Creates a response with a JSON body. */
export function json(
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const type = { 'Content-Type': 'application/json' }
  return new Response(JSON.stringify(body), { status, headers: { ...type, ...headers } })
}

/** Returns what a call rejects with. */
export async function reasonOf(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call
  } catch (reason) {
    return reason
  }
  throw new Error('The call succeeded.')
}

/** Returns the error that a call rejects with; throws any other reason. */
export async function failureOf(call: PromiseLike<unknown>): Promise<AnimalStoreError> {
  const reason = await reasonOf(call)
  if (reason instanceof AnimalStoreError) return reason
  throw reason
}

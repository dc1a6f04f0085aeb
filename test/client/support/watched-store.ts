import { type AnimalStoreOptions, createAnimalStore } from '../../../client/index.ts'
import type { TestService } from '../../support/service.ts'

/** A key that is found wherever it is printed. */
export const apiKey = 'ask_Secret0123456789"abc\\d.*'

export const baseUrl = 'https://animals.example/v1'

/** Gives an answer to a request, the first being number 1. */
export type Answering = (request: Request, number: number) => Response | Promise<Response>

/** Makes a client whose requests are answered by a function, and notes these requests. */
export function watch(answering: Answering, options: Partial<AnimalStoreOptions> = {}) {
  const requests: Request[] = []
  const store = createAnimalStore({
    baseUrl,
    apiKey,
    retry: false,
    onDeprecation: () => undefined,
    ...options,
    fetch: async (request) => answering(request, requests.push(request)),
  })
  return { store, requests }
}

/** Makes a client of a running service, and notes what it sends there. */
export function watchService(service: TestService, options: Partial<AnimalStoreOptions> = {}) {
  const { baseUrl, apiKey } = service
  return watch((request) => fetch(request), { baseUrl, apiKey, ...options })
}

/** An answer with a JSON body. */
export function json(
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const type = { 'Content-Type': 'application/json' }
  return new Response(JSON.stringify(body), { status, headers: { ...type, ...headers } })
}

import type { TestService } from '../../helpers/service.ts'

export const pet = { name: 'Rex', categoryId: 7 }

export interface PostOptions {
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends `POST /v1/pets` with a body: a text as it is, anything else as JSON. */
export function post(
  { send, apiKey }: TestService,
  body: unknown = pet,
  { key = apiKey, headers }: PostOptions = {},
): Promise<Response> {
  const usual = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return send('/v1/pets', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { ...usual, ...headers },
  })
}

/** Sends `POST /v1/pets` with an idempotency key. */
export function postOnce(
  service: TestService,
  idempotencyKey: string,
  body: unknown = pet,
  key = service.apiKey,
): Promise<Response> {
  return post(service, body, { key, headers: { 'Idempotency-Key': idempotencyKey } })
}

/** Returns the names of all pets of the store. */
export async function allNames({ client }: TestService): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of client.listPets()) names.push(name)
  return names
}

/** Counts the pets of the store. */
export async function count(service: TestService): Promise<number> {
  return (await allNames(service)).length
}

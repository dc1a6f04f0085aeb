import type { TestService } from '../../helpers/service.ts'

export const pet = { name: 'Rex', categoryId: 7 }

/** Sends `POST /v1/pets` with an idempotency key. */
export function postOnce(
  { send, apiKey }: TestService,
  idempotencyKey: string,
  json: unknown = pet,
  key = apiKey,
): Promise<Response> {
  return send('/v1/pets', { json, key, headers: { 'Idempotency-Key': idempotencyKey } })
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

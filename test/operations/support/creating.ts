import type { TestService } from '../../support/service.ts'

export const animal = { name: 'Rex', categoryId: 7 }

/** Adds an animal under an idempotency key. */
export function post(
  { send, apiKey }: TestService,
  key: string,
  body: unknown = animal,
  token = apiKey,
) {
  return send('/v1/pets', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    },
  })
}

/** How many animals there are, up to a hundred. */
export const count = async ({ client }: TestService) =>
  (await client.listPets({ limit: 100 })).length

import type { TestService } from '../../support/service.ts'

/** Milliseconds after which a caller gives up: each is answered before, whatever the database does. */
export const longestWait = 3_000

export const animal = { name: 'Rex', categoryId: 7 }

/** Lists the animals. */
export function list({ send, apiKey }: TestService): Promise<Response> {
  const headers = { Authorization: `Bearer ${apiKey}` }
  return send('/v1/pets?limit=100', { headers })
}

/** Adds an animal once. */
export function add({ send, apiKey }: TestService, key: string): Promise<Response> {
  return send('/v1/pets', {
    method: 'POST',
    body: JSON.stringify(animal),
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    },
  })
}

/** What an answer without a database has to be. */
export async function isUnavailable(response: Response): Promise<boolean> {
  const { code } = await response.json()
  const retryAfter = response.headers.get('retry-after')
  return response.status === 503 && code === 'unavailable' && retryAfter === '1'
}

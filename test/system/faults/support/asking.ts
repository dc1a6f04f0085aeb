import type { TestService } from '../../../helpers/service.ts'

/** Adds a pet under an idempotency key. */
export function add({ send }: TestService, idempotencyKey: string): Promise<Response> {
  const json = { name: 'Rex', categoryId: 7 }
  return send('/v1/pets', { json, headers: { 'Idempotency-Key': idempotencyKey } })
}

/** Lists the pets. */
export function list({ send }: TestService): Promise<Response> {
  return send('/v1/pets?limit=100')
}

/** Returns whether a response is the 503 of a service without its database. */
export async function isUnavailable(response: Response): Promise<boolean> {
  const { code } = await response.json()
  const retryAfter = response.headers.get('retry-after')
  return response.status === 503 && code === 'unavailable' && retryAfter === '1'
}

import type { TestService } from '../../support/service.ts'

export { animal, post as add } from '../../operations/support/creating.ts'

/** Milliseconds after which a caller gives up: each is answered before, whatever the database does. */
export const longestWait = 3_000

/** Lists the animals. */
export function list({ send, apiKey }: TestService): Promise<Response> {
  const headers = { Authorization: `Bearer ${apiKey}` }
  return send('/v1/pets?limit=100', { headers })
}

/** What an answer without a database has to be. */
export async function isUnavailable(response: Response): Promise<boolean> {
  const { code } = await response.json()
  const retryAfter = response.headers.get('retry-after')
  return response.status === 503 && code === 'unavailable' && retryAfter === '1'
}

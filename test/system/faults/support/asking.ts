import type { TestService } from '../../../helpers/service.ts'

export { postOnce as add } from '../../../pets/support/pets.ts'

/** Lists the animals. */
export function list({ send, apiKey }: Pick<TestService, 'send' | 'apiKey'>): Promise<Response> {
  return send('/v1/pets?limit=100', { key: apiKey })
}

/** What a response without a database has to be. */
export async function isUnavailable(response: Response): Promise<boolean> {
  const { code } = await response.json()
  const retryAfter = response.headers.get('retry-after')
  return response.status === 503 && code === 'unavailable' && retryAfter === '1'
}

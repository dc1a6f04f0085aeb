import type { TestService } from './service.ts'

/** Asks once with a key, and gives the status and what the answer says of the limit. */
export async function ask({ send }: TestService, key: string, path = '/v1/pets') {
  const { status, headers } = await send(path, { headers: { Authorization: `Bearer ${key}` } })
  const number = (name: string) => Number(headers.get(name))
  return {
    status,
    limit: number('x-ratelimit-limit'),
    remaining: number('x-ratelimit-remaining'),
    reset: number('x-ratelimit-reset'),
    retryAfter: number('retry-after'),
  }
}

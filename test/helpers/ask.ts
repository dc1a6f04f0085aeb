import { basePath } from '../../generated/operations.ts'
import type { TestService } from './service.ts'

/** Sends a request with a key; returns the status, and what the response says of the limit. */
export async function ask({ send }: TestService, key: string, path = `${basePath}/pets`) {
  const { status, headers } = await send(path, { key })
  const number = (name: string) => Number(headers.get(name))
  return {
    status,
    limit: number('x-ratelimit-limit'),
    remaining: number('x-ratelimit-remaining'),
    reset: number('x-ratelimit-reset'),
    retryAfter: number('retry-after'),
  }
}

import type { components } from '../generated/openapi.d.ts'

export const error: components['schemas']['Error'] = { line: 1 }
// @ts-expect-error
export const other: components['schemas']['Error'] = { code: 'a', message: 'b', status: 400 }
export const code: components['schemas']['ErrorCode'] = 1

import type { paths } from '../generated/openapi.d.ts'

export const path: keyof paths = '/v2/cards/{id}'
// @ts-expect-error
export const other: keyof paths = '/cards/{id}'

import type { components } from '../generated/openapi.d.ts'

type Forecast = components['schemas']['Forecast']

export const cold: Forecast = { degrees: 1, note: null, place: null, sky: null }
// @ts-expect-error
export const wrong: Forecast = { degrees: null, note: 'a' }

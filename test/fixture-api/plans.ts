import type { Plans } from '../../server/served-api.ts'

/** The plans of the fixture API. */
export const fixturePlans: Plans = {
  hobby: { perMinute: 40, perDay: 600 },
  workshop: { perMinute: 200, perDay: 8_000 },
  factory: { perMinute: 900, perDay: 90_000 },
  union: 'custom',
}

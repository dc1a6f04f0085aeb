import type { Plans } from '../served-api.ts'

/** The plans that API keys are issued with; `custom` means that the quota is set for each key. */
export const plans: Plans = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
  enterprise: 'custom',
}

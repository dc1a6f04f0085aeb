/** Requests that a key may make. */
export interface Quota {
  readonly perMinute: number
  readonly perDay: number
}

/** What each plan allows; `custom` is set for each key when it is issued. */
export const plans = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
  enterprise: 'custom',
} as const satisfies Record<string, Quota | 'custom'>

export type Plan = keyof typeof plans

export function isPlan(name: string): name is Plan {
  return Object.hasOwn(plans, name)
}

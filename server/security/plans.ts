/** Requests that an API key may make. */
export interface Quota {
  readonly perMinute: number
  readonly perDay: number
}

/**
 * The quota of each plan by its name, which a key gets when it is issued; that of a `custom` plan is set
 * for each key.
 */
export type Plans = Readonly<Record<string, Quota | 'custom'>>

/** A plan, and the quota that a key of it has. */
interface PlanOfKey extends Quota {
  readonly plan: string
}

/** What a key for development may do where the quota of each plan is set for each key. */
const developmentQuota: Quota = { perMinute: 1_000, perDay: 100_000 }

/** Returns the plan of keys for development: the one with the most requests a minute. */
export function planForDevelopment(plans: Plans): PlanOfKey {
  let largest: PlanOfKey | undefined
  for (const [plan, quota] of Object.entries(plans)) {
    if (quota === 'custom') {
      continue
    }
    const isLarger = quota.perMinute > (largest?.perMinute ?? 0)
    if (isLarger) {
      largest = { plan, ...quota }
    }
  }

  const [customPlan = 'development'] = Object.keys(plans)
  return largest ?? { plan: customPlan, ...developmentQuota }
}

import { OperatorError } from '../process/operator-error.ts'
import type { Plans, Quota } from './plans.ts'

/** How callers without an API key get their plan. */
export interface PlanOptions {
  readonly plans: Plans
  /** The plan of callers that have no other; the first one that has a quota if it is not given. */
  readonly plan?: string | undefined
}

/**
 * Returns the function that finds the quota of a caller by the name of its plan, if it has one. Throws an
 * `OperatorError` if there is no plan for other callers of a security scheme.
 */
export function createPlanChoice(
  schemeName: string,
  { plans, plan }: PlanOptions,
): (name: string | undefined) => Quota {
  const names = Object.keys(plans).filter((name) => plans[name] !== 'custom')
  const usual = quotaOf(plans, plan ?? names[0])
  if (usual === undefined) {
    const choice = names.length === 0 ? 'There is none yet' : `Those are ${names.join(', ')}`
    throw new OperatorError(
      `The callers of the security scheme "${schemeName}" need a plan of server/api/plans.ts that has a quota. ${choice}.`,
    )
  }
  return (name) => quotaOf(plans, name) ?? usual
}

/** Returns the quota of a plan; undefined if there is no such plan, or each of its keys has its own. */
function quotaOf(plans: Plans, name: string | undefined): Quota | undefined {
  if (name === undefined || !Object.hasOwn(plans, name)) {
    return undefined
  }
  const quota = plans[name]
  return quota === 'custom' ? undefined : quota
}

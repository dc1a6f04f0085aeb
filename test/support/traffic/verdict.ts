import { createAnswerFaults } from './answer-faults.ts'
import { createContractIndex } from './contract-index.ts'
import { type Drift, findDrift, type Share } from './drift.ts'
import { describeExchange, type Exchange } from './exchange.ts'

const kinds = ['operations', 'parameters', 'statuses'] as const

/** What is to be told of recorded traffic: a row for the table, and a line for each fault. */
export interface Verdict {
  readonly row: string
  readonly faults: readonly string[]
}

/** Checks every answer against the description, on our own. */
export function judgeAnswers(exchanges: readonly Exchange[]): string[] {
  const faultsOf = createAnswerFaults()
  return exchanges.flatMap((exchange) =>
    faultsOf(exchange).map(
      (fault) => `breaks the contract: ${describeExchange(exchange)}: ${fault}`,
    ),
  )
}

/** Checks answers as above, and holds the traffic of operations against the description by drift. */
export async function judgeTraffic(
  exchanges: readonly Exchange[],
  description?: string,
): Promise<Verdict> {
  const { find } = createContractIndex()
  // To drift, HEAD and what reaches no operation are requests that nobody described.
  const called = exchanges.filter(
    ({ method, url, status, isRequestWhole }) =>
      (isRequestWhole || status >= 300) &&
      method !== 'HEAD' &&
      find(method, new URL(url).pathname)?.isOperation,
  )
  const drift = await findDrift(called, description)
  const faults = [
    ...judgeAnswers(exchanges),
    ...drift.findings.map((finding) => `drifts from the contract: ${finding}`),
    ...drift.missing.map((what) => `described, and in no recorded traffic: ${what}`),
  ]
  return { row: toRow(drift, exchanges.length), faults }
}

function toRow(drift: Drift, count: number): string {
  const shares = kinds.map((kind) => `${kind} ${percent(drift[kind])} (${drift[kind].total})`)
  return `traffic × contract  ${[...shares, `exchanges ${count}`].join('  ')}`
}

/** Rounded down, so that only all is 100 %. */
function percent({ covered, total }: Share): string {
  return `${Math.floor(total === 0 ? 100 : (100 * covered) / total)} %`
}

import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'
import { readDeployFile } from './deployment.ts'

/** A metric that a query looks at, and the labels that it names in doing so. */
export interface Selected {
  readonly metric: string
  readonly labels: readonly string[]
}

/** Reads a query of PromQL as Prometheus does; throws where it is none. */
export function readQuery(query: string): readonly Selected[] {
  const text = withoutVariables(query)
  const selected: { metric: string; labels: string[] }[] = []
  const grouping: string[] = []
  parser.parse(text).iterate({
    enter({ type, from, to }) {
      const word = text.slice(from, to)
      if (type.isError) throw new Error(`no PromQL at ${from}: ${query}`)
      if (type.name === 'Identifier') selected.push({ metric: word, labels: [] })
      if (type.name !== 'LabelName') return
      const isMatcher = /^\s*(=|!)/.test(text.slice(to))
      if (isMatcher) selected.at(-1)?.labels.push(word)
      else grouping.push(word)
    },
  })
  return selected.map(({ metric, labels }) => ({ metric, labels: [...labels, ...grouping] }))
}

// What Grafana puts into a query before it sends it.
function withoutVariables(query: string): string {
  return query.replaceAll(/\$__(?:rate_interval|range)/g, '5m').replaceAll(/\$\w+/g, 'x')
}

interface Target {
  readonly expr: string
  readonly legendFormat: string
}

/** What of a panel is looked at. */
interface Panel {
  readonly id: number
  readonly title: string
  readonly gridPos: {
    readonly x: number
    readonly y: number
    readonly w: number
    readonly h: number
  }
  readonly targets?: readonly Target[]
}

interface Dashboard {
  readonly panels: readonly Panel[]
  readonly annotations: { readonly list: readonly { readonly expr?: string }[] }
}

export const dashboard: Dashboard = JSON.parse(readDeployFile('grafana/animal-store.json'))

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly annotations: Readonly<Record<string, string>>
}

const rules: { readonly groups: readonly { readonly rules: readonly Alert[] }[] } = parse(
  readDeployFile('prometheus/alerts.yaml'),
)

export const alerts = rules.groups.flatMap((group) => group.rules)

/** Every query of the dashboard's panels and of the alerts. */
export const queries: readonly string[] = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.annotations.list.flatMap(({ expr }) => expr ?? []),
  ...alerts.map(({ expr }) => expr),
]

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type TestContext, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../../server/config.ts'
import { findFreePort } from '../../helpers/free-port.ts'
import { engines } from '../../helpers/places/engines.ts'
import { startCommand } from '../../helpers/program.ts'
import { startTestService } from '../../helpers/service.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { compose, project, readDeployFile } from './files.ts'

function needPromtool({ skip }: Pick<TestContext, 'skip'>): void {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
  } catch {
    skip('no promtool on the PATH; on Debian it is in the package prometheus')
  }
}

const requests = 'animal_store_request_duration_seconds_count'
const shed = 'animal_store_requests_shed_total'

/** The alerts that are firing after a quarter of an hour, each with its severity. */
async function firing(series: Readonly<Record<string, string>>, expected: readonly string[]) {
  const rules = {
    rule_files: [join(project, 'deploy/prometheus/alerts.yaml')],
    evaluation_interval: '15s',
    tests: [
      {
        interval: '15s',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [
          {
            expr: 'ALERTS{alertstate="firing", alertname=~"AnimalStore(Failing|Overloaded)"}',
            eval_time: '15m',
            exp_samples: expected.map((labels) => ({
              labels: `ALERTS{alertstate="firing", ${labels}}`,
              value: 1,
            })),
          },
        ],
      },
    ],
  }
  const file = join(createTemporaryFolder(), 'test.json')
  writeFileSync(file, JSON.stringify(rules))
  const { status, output, complaint } = await startCommand('promtool', ['test', 'rules', file])
    .ended
  expect({ status, complaint }, output).toEqual({ status: 0, complaint: '' })
}

const failing = 'alertname="AnimalStoreFailing", severity="page"'
const labels = 'job="animal-store", instance="a"'

test('promtool accepts the Prometheus configuration and the alerts', async (context) => {
  needPromtool(context)
  const file = join(project, 'deploy/prometheus/prometheus.yaml')
  const { status, output, complaint } = await startCommand('promtool', ['check', 'config', file])
    .ended
  expect({ status, complaint }, output).toEqual({ status: 0, complaint: '' })
})

test('requests that overload rejects with 503 page as AnimalStoreOverloaded and AnimalStoreFailing', (context) => {
  needPromtool(context)
  return firing(
    {
      [`${requests}{${labels}, operation="listPets", status="200"}`]: '0+1000x80',
      [`${shed}{${labels}}`]: '0+100x80',
    },
    [failing, `alertname="AnimalStoreOverloaded", severity="page", ${labels}`],
  )
})

test('500 and 503 of the service page as AnimalStoreFailing alone', (context) => {
  needPromtool(context)
  return firing(
    {
      [`${requests}{${labels}, operation="listPets", status="200"}`]: '0+1000x80',
      [`${requests}{${labels}, operation="listPets", status="503"}`]: '0+100x80',
      [`${shed}{${labels}}`]: '0+0x80',
    },
    [failing],
  )
})

test('without errors no alert on errors or overload fires', (context) => {
  needPromtool(context)
  return firing(
    {
      [`${requests}{${labels}, operation="listPets", status="200"}`]: '0+1000x80',
      [`${shed}{${labels}}`]: '0+0x80',
    },
    [],
  )
})

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}

interface Dashboard {
  readonly panels: readonly Panel[]
  readonly annotations: { readonly list: readonly { readonly expr?: string }[] }
}

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string
      readonly expr: string
      readonly annotations: Readonly<Record<string, string>>
    }[]
  }[]
}

const dashboard: Dashboard = JSON.parse(readDeployFile('grafana/animal-store.json'))
const rules: Rules = parse(readDeployFile('prometheus/alerts.yaml'))
const alerts = rules.groups.flatMap((group) => group.rules)
const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const annotated = dashboard.annotations.list.flatMap(({ expr }) => expr ?? [])
const metricsIn = (queries: readonly string[]) =>
  new Set(queries.flatMap((query) => query.match(/\b(?:animal_store|process|nodejs)_\w+/g) ?? []))

test('dashboard and alerts ask for metrics that exist, and each metric of ours has a panel', async () => {
  const engine = engines.find(({ name }) => name !== 'SQLite')
  const REDIS_URL = `redis://127.0.0.1:${await findFreePort()}`
  const service = await startTestService({ OPS_PORT: '0', REDIS_URL }, await engine?.createPlace())
  const text = await (await fetch(service.metricsUrl)).text()
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  const series = types.flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((end) => `${name}_${end}`) : [name],
  )
  const used = metricsIn([...shown, ...annotated, ...alerts.map(({ expr }) => expr)])
  expect(used.size).toBeGreaterThan(10)
  expect([...used].filter((name) => !series.includes(name))).toEqual([])
  const panels = [...metricsIn(shown)].map((name) => name.replace(/_(bucket|count|sum)$/, ''))
  const ours = types.map(([, name = '']) => name).filter((name) => name.startsWith('animal_store_'))
  expect(ours.filter((name) => !panels.includes(name))).toEqual([])
})

test('every alert says what happened, and what to do', () => {
  expect(alerts.length).toBeGreaterThan(4)
  for (const { alert, annotations } of alerts) {
    expect(annotations, alert).toEqual({
      summary: expect.stringMatching(/./),
      description: expect.stringMatching(/\.$/),
    })
  }
})

test('Prometheus scrapes each instance, and Grafana finds Prometheus and the dashboard', () => {
  const { services } = compose
  const { opsPort } = readConfig(services['animal-store']?.environment ?? {})
  const { scrape_configs: jobs, rule_files: files } = parse(
    readDeployFile('prometheus/prometheus.yaml'),
  )
  expect(jobs).toMatchObject([
    { job_name: 'animal-store', dns_sd_configs: [{ names: ['animal-store'], port: opsPort }] },
  ])
  expect(files).toEqual(['alerts.yaml'])
  expect(services['prometheus']?.volumes).toContain('./prometheus:/etc/prometheus:ro')
  const provisioning = 'grafana/provisioning'
  const [source] = parse(readDeployFile(`${provisioning}/datasources/prometheus.yaml`)).datasources
  expect(Object.keys(services)).toContain(new URL(source.url).hostname)
  const [provider] = parse(readDeployFile(`${provisioning}/dashboards/animal-store.yaml`)).providers
  const file = `${provider.options.path}/animal-store.json`
  expect(services['grafana']?.volumes).toContain(`./grafana/animal-store.json:${file}:ro`)
  for (const name of ['prometheus', 'grafana', 'animal-store']) {
    expect(services[name]?.networks).toContain('metrics')
  }
})

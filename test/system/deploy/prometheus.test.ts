import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../../server/config.ts'
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { findFreePort } from '../../helpers/free-port.ts'
import { needCommand, project, startCommand } from '../../helpers/program.ts'
import { startTestService } from '../../helpers/service.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { compose, readDeployFile } from './files.ts'

const labels = 'job="animal-store", instance="a"'
const requests = (status: number) =>
  `animal_store_request_duration_seconds_count{${labels}, operation="listPets", status="${status}"}`
const up = `up{${labels}}`
const shed = `animal_store_requests_shed_total{${labels}}`
const down = `alertname="AnimalStoreDown", severity="page", ${labels}`
const failing = 'alertname="AnimalStoreFailing", severity="page"'
const overloaded = `alertname="AnimalStoreOverloaded", severity="page", ${labels}`

/** Series of a quarter of an hour, and the alerts that fire at its end. */
const situations: readonly (readonly [series: Record<string, string>, firing: string[]])[] = [
  // Overload rejects requests with 503.
  [{ [requests(200)]: '0+1000x80', [shed]: '0+100x80' }, [failing, overloaded]],
  [{ [requests(200)]: '0+1000x80', [requests(503)]: '0+100x80', [shed]: '0+0x80' }, [failing]],
  [{ [requests(200)]: '0+1000x80', [shed]: '0+0x80' }, []],
  [{ [up]: '0x80' }, [down]],
]

test('promtool accepts the configuration, and finds that 503s, overload and an instance that is down page, and nothing else does', async (context) => {
  const promtool = needCommand(context, 'promtool')
  const tests = situations.map(([series, firing]) => ({
    interval: '15s',
    input_series: Object.entries({ [up]: '1x80', ...series }).map(([name, values]) => ({
      series: name,
      values,
    })),
    promql_expr_test: [
      {
        expr: 'ALERTS{alertstate="firing"}',
        eval_time: '15m',
        exp_samples: firing.map((alert) => ({
          labels: `ALERTS{alertstate="firing", ${alert}}`,
          value: 1,
        })),
      },
    ],
  }))
  const file = join(createTemporaryFolder(), 'test.json')
  const rules = [join(project, 'deploy/prometheus/alerts.yaml')]
  writeFileSync(file, JSON.stringify({ rule_files: rules, evaluation_interval: '15s', tests }))
  const config = join(project, 'deploy/prometheus/prometheus.yaml')
  for (const args of [
    ['check', 'config', config],
    ['test', 'rules', file],
  ]) {
    const { status, output, errorOutput } = await startCommand(promtool, args).ended
    expect({ status, errorOutput }, output).toEqual({ status: 0, errorOutput: '' })
  }
})

interface Query {
  readonly expr: string
}

const dashboard = JSON.parse(readDeployFile('grafana/animal-store.json'))
const alerts: Query[] = parse(readDeployFile('prometheus/alerts.yaml')).groups.flatMap(
  ({ rules }: { readonly rules: unknown }) => rules,
)
const metricsIn = (queries: readonly string[]) =>
  new Set(queries.flatMap((query) => query.match(/\b(?:animal_store|process|nodejs)_\w+/g) ?? []))

test('dashboard and alerts ask for metrics that exist, and each metric of ours has a panel', async () => {
  const REDIS_URL = `redis://127.0.0.1:${await findFreePort()}`
  const service = await startTestService(
    { OPS_PORT: '0', REDIS_URL },
    await createPostgresDatabase(),
  )
  const text = await (await fetch(service.metricsUrl)).text()
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  const series = types.flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((end) => `${name}_${end}`) : [name],
  )
  const panels: { readonly targets?: Query[] }[] = dashboard.panels
  const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const others: Query[] = [...dashboard.annotations.list, ...alerts]
  const used = metricsIn([...shown, ...others.map(({ expr = '' }) => expr)])
  expect(used.size).toBeGreaterThan(10)
  expect([...used].filter((name) => !series.includes(name))).toEqual([])
  const seen = [...metricsIn(shown)].map((name) => name.replace(/_(bucket|count|sum)$/, ''))
  const ours = types.map(([, name = '']) => name).filter((name) => name.startsWith('animal_store_'))
  expect(ours.filter((name) => !seen.includes(name))).toEqual([])
})

test('Prometheus scrapes each instance, and Grafana finds Prometheus and the dashboard', () => {
  const { services } = compose
  const { opsPort } = readConfig(services['animal-store'].environment)
  expect(parse(readDeployFile('prometheus/prometheus.yaml'))).toMatchObject({
    scrape_configs: [
      { job_name: 'animal-store', dns_sd_configs: [{ names: ['animal-store'], port: opsPort }] },
    ],
    rule_files: ['alerts.yaml'],
  })
  expect(services.prometheus.volumes).toContain('./prometheus:/etc/prometheus:ro')
  const provisioning = (name: string) => parse(readDeployFile(`grafana/provisioning/${name}`))
  const [source] = provisioning('datasources/prometheus.yaml').datasources
  expect(Object.keys(services)).toContain(new URL(source.url).hostname)
  const [provider] = provisioning('dashboards/animal-store.yaml').providers
  const file = `${provider.options.path}/animal-store.json`
  expect(services.grafana.volumes).toContain(`./grafana/animal-store.json:${file}:ro`)
  for (const name of ['prometheus', 'grafana', 'animal-store']) {
    expect(services[name].networks).toContain('metrics')
  }
})

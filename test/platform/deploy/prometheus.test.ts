import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import dashboard from '../../../deploy/grafana/api.json' with { type: 'json' }
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { findFreePort } from '../../helpers/free-port.ts'
import { expectSuccess } from '../../helpers/npm-script.ts'
import { needCommand, project, startCommand } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

const deploy = join(project, 'deploy')
const labels = 'api="one", job="api", instance="a"'
const requests = (status: number) =>
  `api_request_duration_seconds_count{${labels}, operation="listTools", status="${status}"}`
const up = `up{${labels}}`
const shed = `api_requests_shed_total{${labels}}`
const ready = `api_ready{${labels}}`
const waiting = `api_database_waiting{${labels}}`
const balancer = 'api="one", job="api-balancer", instance="b"'
const balanced = `haproxy_frontend_http_requests_total{${balancer}, proxy="api"}`
const errors = (kind: string) => `haproxy_backend_${kind}_errors_total{${balancer}, proxy="ready"}`
const rejecting = 'alertname="ApiBalancerFailing", severity="page", api="one"'
const down = `alertname="ApiDown", severity="page", ${labels}`
const failing = 'alertname="ApiFailing", severity="page", api="one"'
const notReady = `alertname="ApiNotReady", severity="page", ${labels}`
const overloaded = `alertname="ApiOverloaded", severity="page", ${labels}`
const other = 'up{api="other", job="api", instance="c"}'
const gone = 'alertname="ApiDown", severity="page", api="other"'
const busy = `alertname="ApiDatabaseBusy", severity="ticket", ${labels}`

/** Series of a quarter of an hour, and the alerts that fire at its end. */
const situations: readonly (readonly [series: Record<string, string>, firing: string[]])[] = [
  // Load shedding rejects requests with 503.
  [{ [requests(200)]: '0+1000x80', [shed]: '0+100x80' }, [failing, overloaded]],
  // The store is unavailable, and the queue of the balancer is full.
  [
    {
      [requests(200)]: '0+1000x80',
      [requests(503)]: '0+100x80',
      [shed]: '0+0x80',
      [balanced]: '0+1000x80',
      [errors('connection')]: '0+100x80',
      [errors('response')]: '0+0x80',
    },
    [failing, rejecting],
  ],
  // The database is unavailable: the balancer sends no requests, which would fail.
  [{ [ready]: '1x40 0x40', [requests(503)]: '0x80' }, [notReady]],
  [{ [up]: '0x80', [waiting]: '1x80' }, [busy, down]],
  // Of another API that uses the same Prometheus, no instance is left.
  [{ [other]: '1x20' }, [gone]],
  // An instance has just started, and a restart of the other one cut off a few requests.
  [
    {
      [requests(200)]: '0+1000x80',
      [shed]: '0+0x80',
      [ready]: '1x55 0x25',
      [waiting]: '_x59 1x20',
      [balanced]: '0+1000x80',
      [errors('connection')]: '0+0x80',
      [errors('response')]: '0+5x80',
    },
    [],
  ],
]

test('promtool accepts the configuration; alerts fire on 503, overload, an instance that is down or not ready, a busy database and a full balancer, and on nothing else', async (context) => {
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
  const rules = [join(deploy, 'prometheus/alerts.yaml')]
  writeFileSync(file, JSON.stringify({ rule_files: rules, evaluation_interval: '15s', tests }))
  const config = join(deploy, 'values/prometheus.yaml')
  await expectSuccess(startCommand(promtool, ['check', 'config', config]).ended)
  await expectSuccess(startCommand(promtool, ['test', 'rules', file]).ended)
})

/** Returns the names of metrics of the service in a text; a histogram has several series. */
function metricsIn(text: string): string[] {
  const names = text.match(/\b(?:api|process|nodejs)_\w+/g) ?? []
  return names.map((name) => name.replace(/_(?:bucket|count|sum)$/, ''))
}

test('dashboard and alerts use metrics that exist, and each metric of the service has a panel', async () => {
  const REDIS_URL = `redis://127.0.0.1:${await findFreePort()}`
  const environment = { OPS_PORT: '0', REDIS_URL, UPSTREAM_URL: 'http://127.0.0.1:1' }
  const { metricsUrl } = await startFixtureService(environment, await createPostgresDatabase())
  const text = await (await fetch(metricsUrl)).text()
  const exported = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
  const alerts = readFileSync(join(deploy, 'prometheus/alerts.yaml'), 'utf8')
  const used = metricsIn(JSON.stringify(dashboard) + alerts)
  expect(used.length).toBeGreaterThan(10)
  expect(used.filter((name) => !exported.includes(name))).toEqual([])
  const shown = metricsIn(JSON.stringify(dashboard.panels))
  const own = exported.filter((name) => name.startsWith('api_'))
  expect(own.filter((name) => !shown.includes(name))).toEqual([])
})

import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../server/config.ts'
import { compose, readDeployFile } from './support/deployment.ts'
import { readExported } from './support/exported.ts'
import { alerts, dashboard, queries, readQuery } from './support/queries.ts'

/** What Prometheus itself knows of every series, and what collecting leaves behind. */
const ofPrometheus = { labels: ['job', 'instance'], metrics: ['up'] }

test('queries ask for metrics and labels that there are, and each metric of ours has a panel', async () => {
  const { metrics, series } = await readExported()
  expect(queries.length).toBeGreaterThan(30)
  for (const query of queries) {
    for (const { metric, labels } of readQuery(query)) {
      if (ofPrometheus.metrics.includes(metric)) continue
      const known = series.get(metric)
      expect(known, `${metric} in ${query}`).toBeDefined()
      // A series without a sample shows no labels.
      if (known === undefined || known.size === 0) continue
      const own = labels.filter((label) => !ofPrometheus.labels.includes(label))
      expect([...known], query).toEqual(expect.arrayContaining(own))
    }
  }
  const shown = dashboard.panels
    .flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => readQuery(expr)))
    .map(({ metric }) => metric.replace(/_(bucket|count|sum)$/, ''))
  const ours = metrics.filter((name) => name.startsWith('animal_store_'))
  expect(ours.length).toBeGreaterThan(10)
  expect(ours.filter((name) => !shown.includes(name))).toEqual([])
})

test('every query is PromQL that asks for something', () => {
  for (const query of queries) expect(readQuery(query).length, query).toBeGreaterThan(0)
  expect(() => readQuery('sum by (status (rate(a[5m])))')).toThrow('no PromQL')
})

test('counters are asked for what they gain, and nothing else is', () => {
  for (const query of queries) {
    // A single use of what is deprecated is no gain: nothing was there before.
    const gains = [...query.matchAll(/(?:rate|increase|max_over_time)\((\w+)/g)].map(
      ([, metric = '']) => metric,
    )
    const counted = readQuery(query)
      .map(({ metric }) => metric)
      .filter((metric) => /_(total|bucket|count|sum)$/.test(metric))
    expect(gains, query).toEqual(counted)
  }
})

test('panels have a name and a place of their own', () => {
  const { panels } = dashboard
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  for (const { id, title, gridPos: one } of panels) {
    expect(title).not.toBe('')
    expect(one.x + one.w).toBeLessThanOrEqual(24)
    const across = panels.filter(
      ({ id: other, gridPos: { x, y, w, h } }) =>
        other !== id && x < one.x + one.w && one.x < x + w && y < one.y + one.h && one.y < y + h,
    )
    expect(across.map((panel) => `${panel.title} over ${title}`)).toEqual([])
  }
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

test('Prometheus collects from each instance, and Grafana finds Prometheus and the dashboard', () => {
  const { services } = compose
  const { opsHost, opsPort } = readConfig(services['animal-store']?.environment ?? {})
  expect(opsHost).toBe('0.0.0.0')
  const { scrape_configs: jobs, rule_files: rules } = parse(
    readDeployFile('prometheus/prometheus.yaml'),
  )
  expect(jobs).toMatchObject([
    { job_name: 'animal-store', dns_sd_configs: [{ names: ['animal-store'], port: opsPort }] },
  ])
  expect(rules).toEqual(['/etc/prometheus/alerts.yaml'])
  expect(services['prometheus']?.volumes).toContain('./prometheus:/etc/prometheus:ro')
  const [source] = parse(
    readDeployFile('grafana/provisioning/datasources/prometheus.yaml'),
  ).datasources
  expect(Object.keys(services)).toContain(new URL(source.url).hostname)
  const [provider] = parse(
    readDeployFile('grafana/provisioning/dashboards/animal-store.yaml'),
  ).providers
  const file = `${provider.options.path}/animal-store.json`
  expect(services['grafana']?.volumes).toContain(`./grafana/animal-store.json:${file}:ro`)
  for (const name of ['prometheus', 'grafana', 'animal-store']) {
    expect(services[name]?.networks).toContain('metrics')
  }
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import packageJson from '../../../package.json' with { type: 'json' }
import { readConfig } from '../../../server/config.ts'
import { project, startCommand } from '../../helpers/program.ts'
import { startTestService } from '../../helpers/service.ts'
import { variables } from '../../helpers/variables.ts'

const folder = join(project, 'deploy')

/** Returns the text of a file in deploy/. */
function readDeployFile(name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}

/** Returns the assignments of an env file. */
function readEnvFile(name: string): Record<string, string> {
  const lines = readDeployFile(name).matchAll(/^([A-Z_]+)=(.*)$/gm)
  return Object.fromEntries([...lines].map(([, key = '', value = '']) => [key, value]))
}

const dockerfile = readDeployFile('Dockerfile')

/** Returns what follows a keyword of the Dockerfile, line by line, continued lines in one. */
function linesOf(keyword: string): string[] {
  const lines = dockerfile.replaceAll('\\\n', ' ').matchAll(/^([A-Z]+) +(.*)$/gm)
  return [...lines].flatMap(([, word, rest = '']) => (word === keyword ? [rest] : []))
}

/** The environment that the image sets. */
const imageEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  linesOf('ENV').flatMap((line) =>
    line.split(/ +/).map((assignment) => assignment.split(/=(.*)/s).slice(0, 2)),
  ),
)

const composeText = readDeployFile('compose.yaml')

/** The compose file, with each variable given its default, or `filled` where one is required. */
const compose = parse(
  composeText.replaceAll(/\$\{\w+(:[?-])([^}]*)\}/g, (_, kind: string, rest: string) =>
    kind === ':-' ? rest : 'filled',
  ),
)

/** The objects in the files of deploy/kubernetes, by their kind. */
const objects = Object.fromEntries(
  readdirSync(join(folder, 'kubernetes'))
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .flatMap((name) => parseAllDocuments(readDeployFile(`kubernetes/${name}`)))
    .map((document) => document.toJS())
    .map((object) => [object.kind, object]),
)

const { services } = compose
const { balancer, 'animal-store': instance, ...others } = services
const podEnvironment = readEnvFile('kubernetes/animal-store.env')
const { port, opsPort } = readConfig({})

test('every environment has variables that the service reads, with values that it accepts', () => {
  const { stringData } = objects['Secret']
  for (const environment of [imageEnvironment, instance.environment, podEnvironment, stringData]) {
    const names = Object.keys(environment)
    expect(names.length).toBeGreaterThan(1)
    expect(names.filter((name) => !variables.includes(name))).toEqual([])
    expect(() => readConfig(environment)).not.toThrow()
  }
})

test('every path that is asked for health is served', async () => {
  const texts = [dockerfile, ...['haproxy.cfg', 'kubernetes/deployment.yaml'].map(readDeployFile)]
  const asked = texts.map((text) => [...text.matchAll(/(?:uri |path: |9464\})(\/\w+)/g)])
  expect(asked.map((found) => found.length)).toEqual([1, 2, 3])
  const { origin } = await startTestService()
  for (const path of new Set(asked.flat().map(([, path]) => path))) {
    expect((await fetch(`${origin}${path}`)).status).toBe(200)
  }
})

test('Dockerfile: the Node.js of the tests, files that exist, and the port that it exposes', () => {
  expect(linesOf('ARG')).toEqual(['NODE_IMAGE=node'])
  const [base, ...stages] = linesOf('FROM')
  expect(base).toBe(`node:${packageJson.devDependencies.node}-slim AS node`)
  for (const from of stages) expect(from).toContain('$'.concat('{NODE_IMAGE}'))
  const ignored = readDeployFile('Dockerfile.dockerignore').split('\n')
  const sources = linesOf('COPY')
    .filter((line) => !line.startsWith('--from='))
    .flatMap((line) => line.split(' ').slice(0, -1))
  expect(sources).toContain('server')
  for (const source of sources) {
    expect(existsSync(join(project, source)), source).toBe(true)
    expect(ignored).toContain(`!${source}`)
  }
  expect(readConfig(imageEnvironment)).toMatchObject({ host: '0.0.0.0', port, isProduction: true })
  expect(linesOf('EXPOSE')).toEqual([String(port)])
})

test('Dockerfile: the health check finds the service on its port, and not after it has stopped', async () => {
  const [words = '[]'] = /(?<=^ +CMD )\[.*\]$/m.exec(dockerfile) ?? []
  const [, ...args]: string[] = JSON.parse(words)
  const { origin, stop } = await startTestService()
  const env = { PORT: new URL(origin).port, OPS_PORT: 'off' }
  expect(await startCommand(process.execPath, args, { env }).ended).toMatchObject({ status: 0 })
  await stop()
  expect(await startCommand(process.execPath, args, { env }).ended).toMatchObject({ status: 1 })
})

test('compose.yaml: instances and balancer wait until what they need is healthy, with its users and passwords', () => {
  const healthy = { condition: 'service_healthy' }
  expect(balancer.depends_on).toEqual({ 'animal-store': healthy })
  expect(instance.scale).toBe(2)
  expect(instance.depends_on).toEqual({ postgres: healthy, valkey: healthy })
  for (const name of ['postgres', 'valkey']) expect(services[name].healthcheck).toBeDefined()
  const database = new URL(instance.environment['DATABASE_URL'])
  expect(services[database.hostname].environment).toEqual({
    POSTGRES_USER: database.username,
    POSTGRES_PASSWORD: database.password,
    POSTGRES_DB: database.pathname.slice(1),
  })
  const redis = new URL(instance.environment['REDIS_URL'])
  expect(services[redis.hostname].environment['REDISCLI_AUTH']).toBe(redis.password)
})

test('compose.yaml has no secret, and .env.example has a line for each variable', () => {
  const required = [...composeText.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
  expect(new Set(required)).toEqual(new Set(['POSTGRES_PASSWORD', 'VALKEY_PASSWORD']))
  const example = readEnvFile('.env.example')
  const used = [...composeText.matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
  expect(new Set(Object.keys(example))).toEqual(new Set(used))
  expect(Object.values(example).join('')).toBe('')
})

test('compose.yaml publishes the balancer and the dashboard alone, on loopback, and the balancer finds the instances', () => {
  const text = readDeployFile('haproxy.cfg')
  const [, bound] = /^ *bind :(\d+)$/m.exec(text) ?? []
  const { grafana, ...inner } = others
  expect(balancer.ports).toEqual([`127.0.0.1:8080:${bound}`])
  expect(grafana.ports).toEqual(['127.0.0.1:3001:3000'])
  expect(JSON.stringify([instance, inner])).not.toContain('"ports"')
  const found = [...text.matchAll(/server-template \S+ \d+ (\S+)/g)].map(([, each]) => each)
  expect(found).toEqual(Array(2).fill(`animal-store:${port}`))
  expect(balancer.networks).toEqual(['front', 'balancer-metrics'])
  expect(compose.networks.data).toEqual({ internal: true })
})

test('compose.yaml: an instance trusts one proxy, and has time to stop; images have versions', () => {
  const config = readConfig(instance.environment)
  expect(config.trustProxy).toBe(1)
  const seconds = Number.parseInt(instance.stop_grace_period, 10)
  expect(seconds).toBeGreaterThan(config.shutdownGraceSeconds)
  for (const { image } of [balancer, ...Object.values<{ image: string }>(others)]) {
    expect(image).toMatch(/^[a-z/]+:v?\d[\d.]*(-alpine)?$/)
  }
})

test('Prometheus scrapes each instance and the balancer, and Grafana finds Prometheus and the dashboard', () => {
  const { opsPort: scraped } = readConfig(instance.environment)
  const [, balancerPort] =
    /^frontend metrics .*\n *bind :(\d+)$/m.exec(readDeployFile('haproxy.cfg')) ?? []
  expect(parse(readDeployFile('prometheus/prometheus.yaml'))).toMatchObject({
    scrape_configs: [
      { job_name: 'animal-store', dns_sd_configs: [{ names: ['animal-store'], port: scraped }] },
      { static_configs: [{ targets: [`balancer:${balancerPort}`] }] },
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
  expect(services.prometheus.networks).toContain('balancer-metrics')
})

const pod = objects['Deployment'].spec.template
const [container] = pod.spec.containers
const monitor = parse(readDeployFile('kubernetes/prometheus-operator/pod-monitor.yaml')).spec
const { spec: network } = objects['NetworkPolicy']
const { spec: autoscaler } = objects['HorizontalPodAutoscaler']

test('Kubernetes: the kustomization lists every object but the example of a Secret', () => {
  const kustomization = parse(readDeployFile('kubernetes/kustomization.yaml'))
  const listed = kustomization.resources.map(
    (name: string) => parse(readDeployFile(`kubernetes/${name}`)).kind,
  )
  expect([...listed, 'Secret'].sort()).toEqual(Object.keys(objects).sort())
  expect(kustomization.images).toMatchObject([
    { name: container.image, newTag: expect.stringMatching(/^\d/) },
  ])
  expect(container.envFrom).toEqual([
    { configMapRef: { name: kustomization.configMapGenerator[0].name } },
    { secretRef: { name: objects['Secret'].metadata.name } },
  ])
})

test('Kubernetes: selectors select these pods, and ports are those that the service listens on', () => {
  const { labels } = pod.metadata
  expect(objects['Service'].spec.selector).toEqual(labels)
  for (const { matchLabels } of [
    objects['Deployment'].spec.selector,
    objects['PodDisruptionBudget'].spec.selector,
    network.podSelector,
    pod.spec.topologySpreadConstraints[0].labelSelector,
    monitor.selector,
  ]) {
    expect(matchLabels).toEqual(labels)
  }
  expect(autoscaler.scaleTargetRef.name).toBe(objects['Deployment'].metadata.name)
  expect(labels[monitor.jobLabel]).toBe('animal-store')

  expect(container.ports).toMatchObject([{ containerPort: port }, { containerPort: opsPort }])
  const [{ name: api }, { name: metrics }] = container.ports
  expect(monitor.podMetricsEndpoints).toEqual([{ port: metrics, path: '/metrics' }])
  expect(container.livenessProbe.httpGet.port).toBe(metrics)
  expect(container.startupProbe.httpGet.port).toBe(api)
  expect(container.readinessProbe.httpGet.port).toBe(api)
  expect(objects['Service'].spec.ports).toMatchObject([{ targetPort: api }])
  expect(network.ingress).toMatchObject([
    { ports: [{ port: api }] },
    { ports: [{ port: metrics }] },
  ])
  expect(network.ingress[1].from).not.toEqual(network.ingress[0].from)
  expect(readConfig(podEnvironment)).toMatchObject({ opsHost: '0.0.0.0', opsPort })
  const scraped = { 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(opsPort) }
  expect(pod.metadata.annotations).toEqual(scraped)
})

test('Kubernetes: pods have the user of the image and time to stop, and leave PostgreSQL connections', () => {
  const { shutdownGraceSeconds, databasePoolSize } = readConfig(podEnvironment)
  const before = container.lifecycle.preStop.sleep.seconds
  expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(before + shutdownGraceSeconds)
  const { runAsUser, runAsGroup } = pod.spec.securityContext
  expect(linesOf('USER')).toEqual([`${runAsUser}:${runAsGroup}`])
  // PostgreSQL reserves three of its default of 100 connections; an update starts one pod more.
  expect((autoscaler.maxReplicas + 1) * (databasePoolSize + 1)).toBeLessThanOrEqual(97)
})

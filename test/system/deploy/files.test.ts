import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../../package.json' with { type: 'json' }
import { readConfig } from '../../../server/config.ts'
import { startTestService } from '../../helpers/service.ts'
import { variables } from '../../helpers/variables.ts'
import {
  at,
  compose,
  composeText,
  dockerfile,
  imageEnvironment,
  linesOf,
  objects,
  project,
  readDeployFile,
  readEnvFile,
} from './files.ts'

const { services } = compose
const instance = services['animal-store']
const instanceEnvironment = instance?.environment ?? {}
const podEnvironment = readEnvFile('kubernetes/animal-store.env')
const secret = objects.find(({ kind }) => kind === 'Secret')
const { port, opsPort } = readConfig({})

test.for([
  ['the image', imageEnvironment],
  ['compose.yaml', instanceEnvironment],
  ['animal-store.env', podEnvironment],
  ['secret.example.yaml', secret?.stringData ?? {}],
] as const)(
  '%s sets variables that the service reads, to values that it accepts',
  ([, environment]) => {
    const names = Object.keys(environment)
    expect(names.length).toBeGreaterThan(1)
    expect(names.filter((name) => !variables.includes(name))).toEqual([])
    expect(() => readConfig(environment)).not.toThrow()
  },
)

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
  expect(linesOf('ARG')).toEqual([`NODE_IMAGE=node:${packageJson.devDependencies.node}-slim`])
  for (const from of linesOf('FROM')) expect(from).toContain('$'.concat('{NODE_IMAGE}'))
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

test('compose.yaml: two instances and the balancer wait until what they need is healthy, and have its users and passwords', () => {
  expect(instance?.scale).toBe(2)
  const healthy = { condition: 'service_healthy' }
  expect(services['balancer']?.depends_on).toEqual({ 'animal-store': healthy })
  expect(instance?.depends_on).toEqual({ postgres: healthy, valkey: healthy })
  for (const name of ['postgres', 'valkey']) expect(services[name]?.healthcheck).toBeDefined()
  const database = new URL(instanceEnvironment['DATABASE_URL'] ?? '')
  expect(services[database.hostname]?.environment).toEqual({
    POSTGRES_USER: database.username,
    POSTGRES_PASSWORD: database.password,
    POSTGRES_DB: database.pathname.slice(1),
  })
  const redis = new URL(instanceEnvironment['REDIS_URL'] ?? '')
  expect(redis.password).toBe(services[redis.hostname]?.environment?.['REDISCLI_AUTH'])
})

test('compose.yaml has no secret, and .env.example has a line for each variable', () => {
  const required = [...composeText.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)
  expect(new Set(required)).toEqual(new Set(['POSTGRES_PASSWORD', 'VALKEY_PASSWORD']))
  const example = readEnvFile('.env.example')
  const used = [...composeText.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
  expect(new Set(Object.keys(example))).toEqual(new Set(used))
  expect(Object.values(example).join('')).toBe('')
})

test('compose.yaml publishes the balancer and the dashboard alone, on loopback, and the balancer finds the instances', () => {
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
    ports.map((each) => `${name} ${each}`),
  )
  const balancer = readDeployFile('haproxy.cfg')
  const [, bound] = /^ *bind :(\d+)$/m.exec(balancer) ?? []
  expect(published).toEqual([`balancer 127.0.0.1:8080:${bound}`, 'grafana 127.0.0.1:3001:3000'])
  const found = [...balancer.matchAll(/server-template \S+ \d+ (\S+)/g)].map(([, each]) => each)
  expect(found).toEqual(Array(2).fill(`animal-store:${port}`))
  expect(services['balancer']?.networks).toEqual(['front'])
  expect(compose.networks['data']).toEqual({ internal: true })
})

test('compose.yaml: an instance trusts one proxy, has time to stop and a writable /tmp alone; images have versions', () => {
  const config = readConfig(instanceEnvironment)
  expect(config.trustProxy).toBe(1)
  const seconds = Number.parseInt(instance?.stop_grace_period ?? '', 10)
  expect(seconds).toBeGreaterThan(config.shutdownGraceSeconds)
  expect(instance?.read_only).toBe(true)
  expect(instance?.tmpfs?.map((mount) => mount.split(':')[0])).toContain('/tmp')
  const others = Object.values(services).filter(({ image }) => image !== 'animal-store')
  expect(others).toHaveLength(5)
  for (const { image } of others) expect(image).toMatch(/^[a-z/]+:v?\d[\d.]*(-alpine)?$/)
  const optional = Object.entries(services).filter(([, { profiles }]) => profiles !== undefined)
  expect(optional.map(([name, { profiles }]) => [name, profiles])).toEqual([
    ['prometheus', ['metrics']],
    ['grafana', ['metrics']],
  ])
})

const pod = (path: string) => at('Deployment', `spec.template.${path}`)
const container = (path: string) => pod(`spec.containers.0.${path}`)
const monitor = parse(readDeployFile('kubernetes/prometheus-operator/pod-monitor.yaml'))

test('Kubernetes: the kustomization lists every object but the example of a Secret', () => {
  const kustomization = parse(readDeployFile('kubernetes/kustomization.yaml'))
  const listed = kustomization.resources.map(
    (name: string) => parse(readDeployFile(`kubernetes/${name}`)).kind,
  )
  const kinds = objects.map(({ kind }) => kind).filter((kind) => kind !== 'Secret')
  expect(listed.sort()).toEqual(kinds.sort())
  expect(kustomization.images).toEqual([
    expect.objectContaining({ name: container('image'), newTag: expect.stringMatching(/^\d/) }),
  ])
  expect(container('envFrom')).toEqual([
    { configMapRef: { name: kustomization.configMapGenerator[0].name } },
    { secretRef: { name: secret?.metadata.name } },
  ])
})

test('Kubernetes: selectors select these pods, and ports are those that the service listens on', () => {
  const labels = pod('metadata.labels')
  for (const selected of [
    at('Deployment', 'spec.selector.matchLabels'),
    at('Service', 'spec.selector'),
    at('PodDisruptionBudget', 'spec.selector.matchLabels'),
    at('NetworkPolicy', 'spec.podSelector.matchLabels'),
    pod('spec.topologySpreadConstraints.0.labelSelector.matchLabels'),
    monitor.spec.selector.matchLabels,
  ]) {
    expect(selected).toEqual(labels)
  }
  const scaled = at('HorizontalPodAutoscaler', 'spec.scaleTargetRef.name')
  expect(scaled).toBe(at('Deployment', 'metadata.name'))
  expect(Object(labels)[monitor.spec.jobLabel]).toBe('animal-store')

  expect(container('ports')).toMatchObject([{ containerPort: port }, { containerPort: opsPort }])
  const [api, metrics] = [container('ports.0.name'), container('ports.1.name')]
  expect(monitor.spec.podMetricsEndpoints).toEqual([{ port: metrics, path: '/metrics' }])
  const probes = ['liveness', 'startup', 'readiness'].map((probe) =>
    container(`${probe}Probe.httpGet.port`),
  )
  expect(probes).toEqual([metrics, api, api])
  expect(at('Service', 'spec.ports')).toMatchObject([{ targetPort: api }])
  const ingress = at('NetworkPolicy', 'spec.ingress')
  expect(ingress).toMatchObject([{ ports: [{ port: api }] }, { ports: [{ port: metrics }] }])
  expect(Object(ingress)[1].from).not.toEqual(Object(ingress)[0].from)
  expect(readConfig(podEnvironment)).toMatchObject({ opsHost: '0.0.0.0', opsPort })
  const scraped = { 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(opsPort) }
  expect(pod('metadata.annotations')).toEqual(scraped)
})

test('Kubernetes: all pods together leave PostgreSQL connections, and DNS may be asked', () => {
  const least = at('HorizontalPodAutoscaler', 'spec.minReplicas')
  const most = Number(at('HorizontalPodAutoscaler', 'spec.maxReplicas'))
  expect(readDeployFile('README.md')).toContain(`It runs ${least} to ${most} pods`)
  // PostgreSQL reserves three of its default of 100 connections; an update starts one pod more.
  const connections = readConfig(podEnvironment).databasePoolSize + 1
  expect((most + 1) * connections).toBeLessThanOrEqual(97)
  // At the cluster DNS, and at a node-local cache.
  expect(at('NetworkPolicy', 'spec.egress')).toContainEqual({
    ports: ['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 })),
    to: expect.arrayContaining([
      { ipBlock: { cidr: '169.254.20.10/32' } },
      expect.objectContaining({ podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }),
    ]),
  })
})

test('Kubernetes: a pod has time to stop, runs without privileges, and has a writable /tmp of bounded size', () => {
  const before = Number(container('lifecycle.preStop.sleep.seconds'))
  const seconds = Number(pod('spec.terminationGracePeriodSeconds'))
  const { shutdownGraceSeconds } = readConfig(podEnvironment)
  expect(seconds).toBeGreaterThan(before + shutdownGraceSeconds)
  const { runAsUser, runAsGroup, ...rest } = Object(pod('spec.securityContext'))
  expect(linesOf('USER')).toEqual([`${runAsUser}:${runAsGroup}`])
  expect(rest).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  expect(container('securityContext')).toEqual({
    ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
    capabilities: { drop: ['ALL'] },
  })
  expect(container('volumeMounts')).toEqual([{ name: 'temporary', mountPath: '/tmp' }])
  expect(pod('spec.volumes')).toContainEqual({
    name: 'temporary',
    emptyDir: { sizeLimit: expect.stringMatching(/^\d+[MG]i$/) },
  })
})

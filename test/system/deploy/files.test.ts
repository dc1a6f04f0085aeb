import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../../package.json' with { type: 'json' }
import { type Config, readConfig } from '../../../server/config.ts'
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
const podEnvironment = readEnvFile('kubernetes/animal-store.env')
const secret = objects.find(({ kind }) => kind === 'Secret')

describe.for([
  ['the image', imageEnvironment],
  ['compose.yaml', instance?.environment ?? {}],
  ['animal-store.env', podEnvironment],
  ['secret.example.yaml', secret?.stringData ?? {}],
] as const)('the environment of %s', ([, environment]) => {
  test('has variables that the service reads, with values that it accepts', () => {
    const names = Object.keys(environment)
    expect(names.length).toBeGreaterThan(1)
    expect(names.filter((name) => !variables.includes(name))).toEqual([])
    expect(() => readConfig(environment)).not.toThrow()
  })
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

describe('Dockerfile', () => {
  test('the base image is the Node.js that the tests run on', () => {
    expect(linesOf('ARG')).toEqual([`NODE_IMAGE=node:${packageJson.devDependencies.node}-slim`])
    for (const from of linesOf('FROM')) expect(from).toContain('$'.concat('{NODE_IMAGE}'))
  })

  test('what it copies exists, and is not ignored', () => {
    const ignored = readDeployFile('Dockerfile.dockerignore').split('\n')
    const sources = linesOf('COPY')
      .filter((line) => !line.startsWith('--from='))
      .flatMap((line) => line.split(' ').slice(0, -1))
    expect(sources).toContain('server')
    for (const source of sources) {
      expect(existsSync(join(project, source)), source).toBe(true)
      expect(ignored).toContain(`!${source}`)
    }
  })

  test('it listens on every address, on the port that it exposes', () => {
    const config = readConfig(imageEnvironment)
    expect(config).toMatchObject({ host: '0.0.0.0', port: readConfig({}).port, isProduction: true })
    expect(linesOf('EXPOSE')).toEqual([String(config.port)])
  })
})

describe('compose.yaml', () => {
  test('two instances wait for their data, and the balancer for them, until they are healthy', () => {
    expect(instance?.scale).toBe(2)
    expect(services['balancer']?.depends_on).toEqual({
      'animal-store': { condition: 'service_healthy' },
    })
    const dependencies = Object.keys(instance?.depends_on ?? {}).sort()
    expect(dependencies).toEqual(['postgres', 'valkey'])
    for (const name of dependencies) expect(services[name]?.healthcheck).toBeDefined()
  })

  test('the instances use the database and the Redis beside them, with their users and passwords', () => {
    const database = new URL(instance?.environment?.['DATABASE_URL'] ?? '')
    expect({
      POSTGRES_USER: database.username,
      POSTGRES_PASSWORD: database.password,
      POSTGRES_DB: database.pathname.slice(1),
    }).toEqual(services[database.hostname]?.environment)
    const redis = new URL(instance?.environment?.['REDIS_URL'] ?? '')
    expect(redis.password).toBe(services[redis.hostname]?.environment?.['REDISCLI_AUTH'])
  })

  test('no secret is in the file, and .env.example has a line for each variable', () => {
    const required = [...composeText.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)
    expect(new Set(required)).toEqual(new Set(['POSTGRES_PASSWORD', 'VALKEY_PASSWORD']))
    const example = readEnvFile('.env.example')
    const used = [...composeText.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
    expect(new Set(Object.keys(example))).toEqual(new Set(used))
    expect(Object.values(example).join('')).toBe('')
  })

  test('only the balancer and the dashboard are published, on loopback, and the balancer finds the instances', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => `${name} ${port}`),
    )
    const balancer = readDeployFile('haproxy.cfg')
    const [, bound] = /^ *bind :(\d+)$/m.exec(balancer) ?? []
    expect(published).toEqual([`balancer 127.0.0.1:8080:${bound}`, 'grafana 127.0.0.1:3001:3000'])
    const address = `animal-store:${readConfig({}).port}`
    const found = [...balancer.matchAll(/server-template \S+ \d+ (\S+)/g)]
    expect(found.map(([, each]) => each)).toEqual([address, address])
    expect(services['balancer']?.networks).toEqual(['front'])
    expect(compose.networks['data']).toEqual({ internal: true })
  })

  test('an instance trusts one proxy, has time to stop, a read-only root and a writable /tmp', () => {
    const config = readConfig(instance?.environment ?? {})
    expect(config.trustProxy).toBe(1)
    const seconds = Number.parseInt(instance?.stop_grace_period ?? '', 10)
    expect(seconds).toBeGreaterThan(config.shutdownGraceSeconds)
    expect(instance?.read_only).toBe(true)
    expect(instance?.tmpfs?.map((mount) => mount.split(':')[0])).toContain('/tmp')
  })

  test('every image has a version, and monitoring starts only with its profile', () => {
    const others = Object.values(services).filter(({ image }) => image !== 'animal-store')
    expect(others).toHaveLength(5)
    for (const { image } of others) expect(image).toMatch(/^[a-z/]+:v?\d[\d.]*(-alpine)?$/)
    const optional = Object.entries(services).filter(([, { profiles }]) => profiles !== undefined)
    expect(optional.map(([name, { profiles }]) => [name, profiles])).toEqual([
      ['prometheus', ['metrics']],
      ['grafana', ['metrics']],
    ])
  })
})

describe('Kubernetes', () => {
  const pod = (path: string) => at('Deployment', `spec.template.${path}`)
  const container = (path: string) => pod(`spec.containers.0.${path}`)
  const kustomization = parse(readDeployFile('kubernetes/kustomization.yaml'))
  const config: Config = readConfig(podEnvironment)
  const labels = pod('metadata.labels')

  test('the kustomization lists every object but the example of a Secret', () => {
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

  test('every selector selects these pods', () => {
    const monitor = parse(readDeployFile('kubernetes/prometheus-operator/pod-monitor.yaml'))
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
    expect(at('HorizontalPodAutoscaler', 'spec.scaleTargetRef.name')).toBe(
      at('Deployment', 'metadata.name'),
    )
    expect(Object(labels)[monitor.spec.jobLabel]).toBe('animal-store')
    expect(monitor.spec.podMetricsEndpoints).toEqual([
      { port: container('ports.1.name'), path: '/metrics' },
    ])
  })

  test('all pods together leave PostgreSQL connections, and the README names their number', () => {
    const least = at('HorizontalPodAutoscaler', 'spec.minReplicas')
    const most = Number(at('HorizontalPodAutoscaler', 'spec.maxReplicas'))
    expect(readDeployFile('README.md')).toContain(`It runs ${least} to ${most} pods`)
    // PostgreSQL reserves three of its default of 100 connections; an update starts one pod more.
    expect((most + 1) * (config.databasePoolSize + 1)).toBeLessThanOrEqual(97)
  })

  test('probes, Service and policies name the ports that the service listens on', () => {
    const { port, opsPort } = readConfig({})
    expect(container('ports')).toMatchObject([{ containerPort: port }, { containerPort: opsPort }])
    const [api, metrics] = [container('ports.0.name'), container('ports.1.name')]
    expect(container('livenessProbe.httpGet.port')).toBe(metrics)
    expect(container('startupProbe.httpGet.port')).toBe(api)
    expect(container('readinessProbe.httpGet.port')).toBe(api)
    expect(at('Service', 'spec.ports')).toMatchObject([{ targetPort: api }])
    const ingress = at('NetworkPolicy', 'spec.ingress')
    expect(ingress).toMatchObject([{ ports: [{ port: api }] }, { ports: [{ port: metrics }] }])
    expect(Object(ingress)[1].from).not.toEqual(Object(ingress)[0].from)
    expect(config).toMatchObject({ opsHost: '0.0.0.0', opsPort })
    expect(pod('metadata.annotations')).toEqual({
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': String(opsPort),
    })
  })

  test('a pod has time to stop, runs without privileges, and has a writable /tmp of bounded size', () => {
    const before = Number(container('lifecycle.preStop.sleep.seconds'))
    const seconds = Number(pod('spec.terminationGracePeriodSeconds'))
    expect(seconds).toBeGreaterThan(before + config.shutdownGraceSeconds)
    const { runAsUser, runAsGroup, ...rest } = Object(pod('spec.securityContext'))
    expect(linesOf('USER')).toEqual([`${runAsUser}:${runAsGroup}`])
    expect(rest).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(container('securityContext')).toEqual({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ['ALL'] },
    })
    const mounts: { name: string; mountPath: string; readOnly?: boolean }[] = Object(
      container('volumeMounts'),
    )
    const temporary = mounts.find(({ mountPath }) => mountPath === '/tmp')
    expect(temporary?.readOnly).toBeUndefined()
    expect(pod('spec.volumes')).toContainEqual({
      name: temporary?.name,
      emptyDir: { sizeLimit: expect.stringMatching(/^\d+[MG]i$/) },
    })
  })
})

test('Kubernetes: DNS may be asked at the cluster DNS and at a node-local cache', () => {
  const egress: { ports?: { port: number; protocol: string }[]; to?: unknown[] }[] = Object(
    at('NetworkPolicy', 'spec.egress'),
  )
  const dns = egress.find(({ ports }) => ports?.some(({ port }) => port === 53))
  expect(dns?.to).toContainEqual({ ipBlock: { cidr: '169.254.20.10/32' } })
  expect(dns?.to).toContainEqual(
    expect.objectContaining({ podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }),
  )
  expect(dns?.ports?.map(({ protocol }) => protocol).sort()).toEqual(['TCP', 'UDP'])
})

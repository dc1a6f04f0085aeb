import type { Deployment } from 'kubernetes-types/apps/v1.d.ts'
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.d.ts'
import type { Service } from 'kubernetes-types/core/v1.d.ts'
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.d.ts'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { readConfig } from '../../server/config.ts'
import { objectOf, objects, readDeployFile, readEnvFile } from './support/deployment.ts'
import { stages } from './support/dockerfile.ts'
import { checkTypes } from './support/manifest-types.ts'

const deployment = objectOf<Deployment>('Deployment')
const pod = deployment.spec?.template.spec
const [container] = pod?.containers ?? []
const kustomization = parse(readDeployFile('kubernetes/kustomization.yaml'))

test('every object has the fields that the Kubernetes API gives its kind, and no others', () => {
  expect(objects.length).toBeGreaterThan(5)
  expect(checkTypes(objects)).toEqual([])
  const misspelt = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spek: {} }
  expect(checkTypes([misspelt])).toEqual([expect.stringContaining('spek')])
}, 60_000)

test('the kustomization has every object but the example of a Secret', () => {
  const listed = kustomization.resources.flatMap(
    (name: string) => parse(readDeployFile(`kubernetes/${name}`)).kind,
  )
  const kinds = objects.map(({ kind }) => kind).filter((kind) => kind !== 'Secret')
  expect(listed.sort()).toEqual(kinds.sort())
  expect(kustomization.images).toEqual([
    expect.objectContaining({ name: container?.image, newTag: packageJson.version }),
  ])
})

test('the pods read the ConfigMap that is generated, and the Secret of the example', () => {
  const [generated] = kustomization.configMapGenerator
  expect(container?.envFrom).toEqual([
    { configMapRef: { name: generated.name } },
    { secretRef: { name: objects.find(({ kind }) => kind === 'Secret')?.metadata.name } },
  ])
})

test('service, budget, autoscaler, policy and spread are about these pods', () => {
  const labels = deployment.spec?.template.metadata?.labels
  const selected = [
    deployment.spec?.selector.matchLabels,
    objectOf<Service>('Service').spec?.selector,
    objectOf<PodDisruptionBudget>('PodDisruptionBudget').spec?.selector?.matchLabels,
    objectOf<NetworkPolicy>('NetworkPolicy').spec?.podSelector?.matchLabels,
    ...(pod?.topologySpreadConstraints ?? []).map(
      ({ labelSelector }) => labelSelector?.matchLabels,
    ),
  ]
  expect(selected).toEqual(selected.map(() => labels))
  const { apiVersion, kind, metadata } =
    objects.find((object) => object.kind === 'Deployment') ?? {}
  const target = objectOf<HorizontalPodAutoscaler>('HorizontalPodAutoscaler').spec?.scaleTargetRef
  expect(target).toEqual({ apiVersion, kind, name: metadata?.name })
})

test('as many pods as there may be, and one more during an update, leave PostgreSQL connections', () => {
  const { maxReplicas = 0 } =
    objectOf<HorizontalPodAutoscaler>('HorizontalPodAutoscaler').spec ?? {}
  const { databasePoolSize } = readConfig(readEnvFile('kubernetes/animal-store.env'))
  // Of its default of 100 connections PostgreSQL keeps three for its owner.
  expect((maxReplicas + 1) * (databasePoolSize + 1)).toBeLessThanOrEqual(97)
})

test('the ports are those that the service listens on, and everything else names them', () => {
  const [port, metrics] = container?.ports ?? []
  const config = readConfig({})
  expect([port?.containerPort, metrics?.containerPort]).toEqual([config.port, config.opsPort])
  // Callers may have all connections to the other port.
  expect(container?.livenessProbe?.httpGet?.port).toBe(metrics?.name)
  const named = [
    ...[container?.startupProbe, container?.readinessProbe].map((probe) => probe?.httpGet?.port),
    ...(objectOf<Service>('Service').spec?.ports ?? []).map(({ targetPort }) => targetPort),
  ]
  expect(named).toEqual(named.map(() => port?.name))
  const allowed = objectOf<NetworkPolicy>('NetworkPolicy').spec?.ingress ?? []
  expect(allowed.map(({ ports }) => ports)).toEqual([
    [{ port: port?.name }],
    [{ port: metrics?.name }],
  ])
})

test('a pod has longer to end than the service takes, the wait before the signal included', () => {
  const { shutdownGraceSeconds } = readConfig(readEnvFile('kubernetes/animal-store.env'))
  const before = container?.lifecycle?.preStop?.sleep?.seconds ?? Number.NaN
  expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(before + shutdownGraceSeconds)
})

test('a pod runs without rights, as the user of the image', () => {
  const [user] = stages.at(-1)?.steps.findLast(({ keyword }) => keyword === 'USER')?.args ?? []
  const { runAsUser, runAsGroup, runAsNonRoot, seccompProfile } = pod?.securityContext ?? {}
  expect(`${runAsUser}:${runAsGroup}`).toBe(user)
  expect({ runAsNonRoot, seccompProfile }).toEqual({
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  })
  expect(container?.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
})

test('metrics are where a Prometheus is told, for the monitoring alone, and no Service leads there', () => {
  const { opsHost, opsPort } = readConfig(readEnvFile('kubernetes/animal-store.env'))
  const [, metrics] = container?.ports ?? []
  expect({ opsHost, opsPort }).toEqual({ opsHost: '0.0.0.0', opsPort: metrics?.containerPort })
  expect(deployment.spec?.template.metadata?.annotations).toEqual({
    'prometheus.io/scrape': 'true',
    'prometheus.io/port': String(opsPort),
  })
  const [callers, monitoring] = objectOf<NetworkPolicy>('NetworkPolicy').spec?.ingress ?? []
  expect(monitoring?.from).toHaveLength(1)
  expect(monitoring?.from).not.toEqual(callers?.from)
})

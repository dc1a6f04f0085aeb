import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../../package.json' with { type: 'json' }
import { readConfig } from '../../../server/config.ts'
import { valueAt } from '../../../server/description/pointer.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { project, startCommand } from '../../helpers/program.ts'
import { createProjectCopy, runInCopy } from '../../helpers/project-copy.ts'
import { variables } from '../../helpers/variables.ts'

/** Returns the text of a file in deploy/. */
function readDeployFile(name: string): string {
  return readFileSync(join(project, 'deploy', name), 'utf8')
}

/** Returns the object in a file of deploy/kubernetes. */
function readKubernetesObject(name: string) {
  return parse(readDeployFile(`kubernetes/${name}.yaml`))
}

const dockerfile = readDeployFile('Dockerfile')

/** Returns the words after an instruction of the Dockerfile, for each line that has it. */
function readInstructions(instruction: string): string[][] {
  const lines = dockerfile.replaceAll('\\\n', ' ').matchAll(/^([A-Z]+) +(.*)$/gm)
  const found = [...lines].filter(([, word]) => word === instruction)
  return found.map(([, , rest = '']) => rest.split(/ +/))
}

const composeText = readDeployFile('compose.yaml')

/** The services of the compose file; each of its variables has the value `filled`. */
const { services } = parse(composeText.replaceAll(/\$\{\w+:\?[^}]*\}/g, 'filled'))
const instance = services.api

const imageEnvironment = parseEnv(readInstructions('ENV').flat().join('\n'))
test('each environment has variables that the service reads, with values that it accepts', () => {
  const { stringData } = readKubernetesObject('secret.example')
  for (const environment of [imageEnvironment, instance.environment, stringData]) {
    const names = Object.keys(environment)
    expect(names.length).toBeGreaterThan(1)
    expect(names.filter((name) => !variables.includes(name))).toEqual([])
    expect(() => readConfig(environment)).not.toThrow()
  }
})

test('every path of a health check is served', async () => {
  const texts = ['haproxy.cfg', 'kubernetes/deployment.yaml'].map(readDeployFile)
  const asked = texts.map((text) => [
    ...text.matchAll(/(?:uri "\$\{PLATFORM_PATHS\}|path: )(\/\w+)/g),
  ])
  expect(asked.map((found) => found.length)).toEqual([3, 3])
  const { origin } = await startFixtureService()
  for (const path of new Set(asked.flat().map(([, path]) => path))) {
    expect((await fetch(`${origin}${path}`)).status).toBe(200)
  }
})

test('Dockerfile: it has the Node.js of the tests, copies files that exist, and exposes the port', () => {
  const [base] = readInstructions('FROM')
  expect(base?.[0]).toBe(`node:${packageJson.devDependencies.node}-slim`)
  const included = readDeployFile('Dockerfile.dockerignore').split('\n')
  const sources = readInstructions('COPY')
    .filter(([first]) => !first?.startsWith('--from='))
    .flatMap((words) => words.slice(0, -1))
  expect(sources).toContain('server')
  for (const source of sources) {
    expect(existsSync(join(project, source)), source).toBe(true)
    expect(included).toContain(`!${source}`)
  }
  const { host, port, isProduction } = readConfig(imageEnvironment)
  expect({ host, isProduction }).toEqual({ host: '0.0.0.0', isProduction: true })
  expect(readInstructions('EXPOSE')).toEqual([[String(port)]])
})

test('Dockerfile: the stage of the reference has every file that builds it', async () => {
  const [, stage = ''] = /AS reference\n(.*?)\nRUN \["node", /s.exec(dockerfile) ?? []
  const copied = Array.from(stage.matchAll(/^COPY ([^ \n]+) \.\//gm), ([, name = '']) => name)
  const copy = await createProjectCopy(['package.json', ...copied])
  expect(await runInCopy(copy, 'node scripts/reference.ts')).toMatch(/^built /)
})

test('Dockerfile: the health check succeeds while the service runs, and fails after it has stopped', async () => {
  const [words = '[]'] = /(?<=^ +CMD )\[.*\]$/m.exec(dockerfile) ?? []
  const [, ...args]: string[] = JSON.parse(words)
  const { origin, stop } = await startFixtureService()
  const env = { PORT: new URL(origin).port, OPS_PORT: 'off' }
  expect(await startCommand(process.execPath, args, { env }).ended).toMatchObject({ status: 0 })
  await stop()
  expect(await startCommand(process.execPath, args, { env }).ended).toMatchObject({ status: 1 })
})

test('compose.yaml: instances and balancer start when what they need is healthy', () => {
  const healthy = { condition: 'service_healthy' }
  expect(services.balancer.depends_on).toEqual({ api: healthy })
  expect(instance.depends_on).toEqual({ postgres: healthy, valkey: healthy })
  for (const name of ['postgres', 'valkey']) {
    expect(services[name].healthcheck).toBeDefined()
  }
})

test('compose.yaml: instances read the variables of the API', () => {
  expect(instance.env_file).toEqual(['./values/compose.env'])
})

test('compose.yaml: ports are published on loopback only', () => {
  const published = Object.values<{ ports?: string[] }>(services).flatMap(({ ports = [] }) => ports)
  expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
})

test('compose.yaml has no secret, and .env.example has a line for each variable', () => {
  const required = [...composeText.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
  expect(new Set(required)).toEqual(new Set(['POSTGRES_PASSWORD', 'VALKEY_PASSWORD']))
  const example = parseEnv(readDeployFile('.env.example'))
  const used = [...composeText.matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
  expect(new Set(Object.keys(example))).toEqual(new Set(used))
  expect(Object.values(example).join('')).toBe('')
})

test('containers and pods are killed only after the grace of the service', () => {
  const compose = readConfig(instance.environment)
  const composeSeconds = Number.parseInt(instance.stop_grace_period, 10)
  expect(composeSeconds).toBeGreaterThan(compose.shutdownGraceSeconds)
  const kubernetes = readConfig({})
  const pod = readKubernetesObject('deployment').spec.template.spec
  const pause = pod.containers[0].lifecycle.preStop.sleep.seconds
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(pause + kubernetes.shutdownGraceSeconds)
})

test('Kubernetes: pods leave connections to PostgreSQL, also during an update', () => {
  const { databasePoolSize } = readConfig({})
  const { maxReplicas } = readKubernetesObject('autoscaler').spec
  // PostgreSQL reserves three of its default of 100 connections; an update starts one pod more.
  expect((maxReplicas + 1) * (databasePoolSize + 1)).toBeLessThanOrEqual(97)
})

test('Kubernetes: the values of an installation name rules of the network policy by their positions', () => {
  const template = 'scripts/init/templates/deploy/values/kubernetes/network-policy.yaml.template'
  const changes: readonly { readonly path: string; readonly value: string }[] = parse(
    readFileSync(join(project, template), 'utf8'),
  )
  const policy = readKubernetesObject('network-policy')
  expect(changes.map(({ path }) => valueAt(policy, `#${path}`))).toEqual([
    'ingress-nginx',
    'monitoring',
  ])
  // Comments of the template show how to add to these.
  const [, stores] = policy.spec.egress
  expect(stores).toEqual({ ports: [{ port: 5432 }, { port: 6379 }] })
})

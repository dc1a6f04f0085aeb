import { expect, test } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { compose, composeText, readDeployFile, readEnvFile } from './support/deployment.ts'

const { services } = compose
const instance = services['animal-store']
const environment = instance?.environment ?? {}

test('two instances wait for their data, and the balancer for them, until they are healthy', () => {
  expect(instance?.scale).toBe(2)
  expect(services['balancer']?.depends_on).toEqual({
    'animal-store': { condition: 'service_healthy' },
  })
  const waitedFor = Object.keys(instance?.depends_on ?? {})
  expect(waitedFor.sort()).toEqual(['postgres', 'valkey'])
  for (const name of waitedFor) expect(services[name]?.healthcheck).toBeDefined()
})

test('the instances go to the database, the user and the counts that are started beside them', () => {
  const database = new URL(environment['DATABASE_URL'] ?? '')
  const postgres = services[database.hostname]?.environment ?? {}
  expect({
    protocol: database.protocol,
    POSTGRES_USER: database.username,
    POSTGRES_PASSWORD: database.password,
    POSTGRES_DB: database.pathname.slice(1),
  }).toEqual({ protocol: 'postgres:', ...postgres })
  const redis = new URL(environment['REDIS_URL'] ?? '')
  expect(redis.password).toBe(services[redis.hostname]?.environment?.['REDISCLI_AUTH'])
})

test('no secret is in the file, and the example has a place for each', () => {
  const demanded = [...composeText.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)
  expect(new Set(demanded)).toEqual(new Set(['POSTGRES_PASSWORD', 'VALKEY_PASSWORD']))
  const example = readEnvFile('.env.example')
  const used = [...composeText.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
  expect(new Set(Object.keys(example))).toEqual(new Set(used))
  expect(Object.values(example).join('')).toBe('')
})

test('only the balancer and the dashboard can be reached, from this machine, and the balancer finds the instances', () => {
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
    ports.map((port) => `${name} ${port}`),
  )
  const [, bound] = /^ *bind :(\d+)$/m.exec(readDeployFile('haproxy.cfg')) ?? []
  expect(published).toEqual([`balancer 127.0.0.1:8080:${bound}`, 'grafana 127.0.0.1:3001:3000'])
  const found = [...readDeployFile('haproxy.cfg').matchAll(/server-template \S+ \d+ (\S+)/g)]
  const expected = `animal-store:${readConfig({}).port}`
  expect(found.map(([, address]) => address)).toEqual([expected, expected])
  expect(services['balancer']?.networks).toEqual(['front'])
  expect(compose.networks['data']).toEqual({ internal: true })
})

test('an instance believes one proxy, and has longer to end than it takes', () => {
  const config = readConfig(environment)
  expect(config.trustProxy).toBe(1)
  expect(Number.parseInt(instance?.stop_grace_period ?? '', 10)).toBeGreaterThan(
    config.shutdownGraceSeconds,
  )
})

test('every image is named with its version', () => {
  const images = Object.values(services).map(({ image }) => image)
  const others = images.filter((image) => image !== 'animal-store')
  expect(others.length).toBe(5)
  for (const image of others) expect(image).toMatch(/^[a-z/]+:v?\d[\d.]*(-alpine)?$/)
})

test('what watches the others is started when it is asked for, and nothing waits for it', () => {
  const watching = Object.entries(services).filter(([, { profiles }]) => profiles !== undefined)
  expect(watching.map(([name]) => name)).toEqual(['prometheus', 'grafana'])
  for (const { profiles } of watching.map(([, service]) => service)) {
    expect(profiles).toEqual(['metrics'])
  }
})

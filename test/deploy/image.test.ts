import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { validate } from 'dockerfile-utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { readConfig } from '../../server/config.ts'
import { findFreePort } from '../support/free-port.ts'
import { startTestService } from '../support/service.ts'
import { runInImage } from './support/container.ts'
import {
  baseImages,
  dockerfileText,
  healthCommand,
  imageEnvironment,
  nodeImage,
  stages,
} from './support/dockerfile.ts'
import { buildImage, type Image } from './support/image.ts'

let image: Image

beforeAll(async () => {
  image = await buildImage()
}, 180_000)

afterAll(() => image && rmSync(image.root, { recursive: true, force: true }))

test('the linter of Dockerfiles finds nothing, and finds faults where there are some', () => {
  expect(validate(dockerfileText)).toEqual([])
  expect(validate('FROM node\nCOPPY . .\n')).not.toEqual([])
})

test('every stage begins with the Node.js that the tests run with', () => {
  expect(nodeImage).toBe(`node:${packageJson.devDependencies.node}-slim`)
  expect(process.version).toBe(`v${packageJson.devDependencies.node}`)
  expect(baseImages).toEqual(stages.map(() => '$'.concat('{NODE_IMAGE}')))
})

test('the image listens on the port that it exposes, which is the default, on every address', () => {
  const config = readConfig(imageEnvironment)
  expect(config).toMatchObject({ host: '0.0.0.0', port: readConfig({}).port, isProduction: true })
  expect(stages.at(-1)?.steps).toContainEqual(
    expect.objectContaining({ keyword: 'EXPOSE', args: [String(config.port)] }),
  )
})

test('the image has no development dependency, and of the project what the service runs on', () => {
  const modules = readdirSync(join(image.workFolder, 'node_modules'))
  expect(modules).toEqual(expect.arrayContaining(['express', 'pino']))
  expect(Object.keys(packageJson.devDependencies).filter((name) => modules.includes(name))).toEqual(
    [],
  )
  const files = ['generated', 'node_modules', 'package.json', 'server']
  expect(readdirSync(image.workFolder).sort()).toEqual(files)
  expect(readdirSync(join(image.workFolder, 'server'))).not.toContain('dev')
})

test('the image runs as a user without rights, and starts the service itself', () => {
  const last = stages.at(-1)?.steps ?? []
  const [user = ''] = last.findLast(({ keyword }) => keyword === 'USER')?.args ?? []
  expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  expect(last.at(-1)).toMatchObject({ keyword: 'CMD', args: ['node', 'server/main.ts'] })
})

test('what is copied starts as that user, is healthy, keeps animals, and ends on SIGTERM', async () => {
  const [port, opsPort] = [await findFreePort(), await findFreePort()]
  const ports = { PORT: `${port}`, OPS_PORT: `${opsPort}` }
  const service = runInImage(image, ['node', ...image.command.slice(1)], ports)
  const isHealthy = async () => (await runInImage(image, healthCommand, ports).ended).status
  while ((await isHealthy()) !== 0) {
    await Promise.race([wait(50), service.ended.then(({ output }) => expect.fail(output))])
  }
  const origin = `http://127.0.0.1:${port}`
  const ready = () => fetch(`${origin}/readyz`).then(({ status }) => status, String)
  await expect.poll(ready).toBe(200)

  const issue = ['node', 'server/commands/keys.ts', 'issue', '--plan', 'pro', '--json']
  const issued = await runInImage(image, issue, ports).ended
  expect(issued).toMatchObject({ status: 0 })
  const { key } = JSON.parse(issued.output)
  const created = await fetch(`${origin}/v1/pets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: '{"name":"Rex","categoryId":7}',
  })
  expect(created.status).toBe(201)

  service.kill('SIGTERM')
  const { status, output } = await service.ended
  expect(status).toBe(0)
  expect(output).not.toContain('ask_')
  expect(await isHealthy()).toBe(1)
})

test('without a port for operators, the health check asks that of callers', async () => {
  const { origin, stop } = await startTestService()
  const ports = { PORT: new URL(origin).port, OPS_PORT: 'off' }
  const { ended } = runInImage(image, healthCommand, ports)
  expect((await ended).status).toBe(0)
  await stop()
  expect((await runInImage(image, healthCommand, ports).ended).status).toBe(1)
})

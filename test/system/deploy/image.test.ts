import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { findFreePort } from '../../helpers/free-port.ts'
import { startTestService } from '../../helpers/service.ts'
import {
  imageEnvironment,
  imageStage,
  linesOf,
  packagesStage,
  project,
  readDeployFile,
  referenceStage,
} from './files.ts'

// A folder stands for the file system of the image: it gets what the Dockerfile copies and installs.
const root = mkdtempSync(join(tmpdir(), 'animal-store-image-'))
const app = join(root, 'app')
const node = join(root, 'node')
const [uid = 0, gid = 0] = linesOf('USER')[0]?.split(':').map(Number) ?? []
const [healthCheck = [], command = []] = [
  ...readDeployFile('Dockerfile').matchAll(/CMD (\[.*\])/g),
].map(([, words = '']): string[] => JSON.parse(words))

beforeAll(() => {
  chmodSync(root, 0o755)
  mkdirSync(app)
  mkdirSync(join(root, 'data'), { mode: 0o700 })
  if (process.getuid?.() === 0) chownSync(join(root, 'data'), uid, gid)
  const ignored = readDeployFile('Dockerfile.dockerignore').match(/^[a-z].*$/gm) ?? []
  const copied = linesOf('COPY', packagesStage + imageStage).filter(
    (line) => !line.startsWith('--from='),
  )
  for (const source of copied.flatMap((line) => line.split(' ').slice(0, -1))) {
    cpSync(join(project, source), join(app, source), { recursive: true })
  }
  for (const path of ignored) rmSync(join(app, path), { recursive: true, force: true })
  buildReference()
  // A Node.js that the user of the image can execute, wherever the project is.
  cpSync(process.execPath, node)
  const [install = ''] = linesOf('RUN')
  const [npm = '', ...args]: string[] = JSON.parse(install)
  const env = { ...process.env, npm_config_prefer_offline: 'true' }
  execFileSync(npm, args, { cwd: app, env, stdio: 'pipe' })
}, 180_000)

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Follows the stage that builds the reference page, with the packages that are installed here. */
function buildReference(): void {
  const stage = join(root, 'reference')
  const page = 'generated/reference.html'
  for (const source of linesOf('COPY', referenceStage).flatMap((line) =>
    line.split(' ').slice(0, -1),
  )) {
    cpSync(join(project, source), join(stage, source), { recursive: true })
  }
  rmSync(join(stage, page), { force: true })
  symlinkSync(join(project, 'node_modules'), join(stage, 'node_modules'))
  execFileSync(process.execPath, ['scripts/reference.ts'], { cwd: stage, stdio: 'pipe' })
  expect(linesOf('COPY', imageStage)).toContain(`--from=reference /app/${page} ./generated/`)
  cpSync(join(stage, page), join(app, page))
}

/** Runs a command of the image as its user; `ports` are free on this machine. */
function run([program = '', ...args]: readonly string[], ports: Record<string, string>) {
  const database = imageEnvironment['DATABASE_URL']?.replace(/^sqlite:/, `sqlite:${root}`) ?? ''
  const child: ChildProcess = spawn(program === 'node' ? node : program, args, {
    cwd: app,
    env: { ...imageEnvironment, DATABASE_URL: database, ...ports },
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = child.stdout === null ? '' : text(child.stdout)
  const status = new Promise<number | null>((settle) => child.once('close', settle))
  return { child, ended: Promise.all([status, output]) }
}

async function health(ports: Record<string, string>): Promise<number | null> {
  return (await run(healthCheck, ports).ended)[0]
}

test('the image has no development dependency, and of the project only what the service needs', () => {
  const modules = readdirSync(join(app, 'node_modules'))
  expect(modules).toEqual(expect.arrayContaining(['express', 'pino']))
  const development = Object.keys(packageJson.devDependencies)
  expect(development.filter((name) => modules.includes(name))).toEqual([])
  expect(readdirSync(join(app, 'server'))).not.toContain('dev')
  expect(uid).toBeGreaterThan(0)
})

test('the image starts, is healthy, stores pets, and stops on SIGTERM', async () => {
  const ports = { PORT: `${await findFreePort()}`, OPS_PORT: `${await findFreePort()}` }
  const service = run(command, ports)
  await expect.poll(() => health(ports), { timeout: 60_000 }).toBe(0)
  const origin = `http://127.0.0.1:${ports.PORT}`
  const ready = () => fetch(`${origin}/readyz`).then(({ status }) => status, String)
  await expect.poll(ready, { timeout: 60_000 }).toBe(200)

  const issue = ['node', 'server/commands/keys.ts', 'issue', '--plan', 'pro', '--json']
  const [status, issued] = await run(issue, ports).ended
  expect(status).toBe(0)
  const created = await fetch(`${origin}/v1/pets`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${JSON.parse(issued).key}`,
      'Content-Type': 'application/json',
    },
    body: '{"name":"Rex","categoryId":7}',
  })
  expect(created.status).toBe(201)
  expect((await fetch(`${origin}/docs`)).status).toBe(200)
  expect((await fetch(`${origin}/docs/try`)).status).toBe(200)

  service.child.kill('SIGTERM')
  const [exitStatus, output] = await service.ended
  expect(exitStatus).toBe(0)
  expect(output).not.toContain('ask_')
  expect(await health(ports)).toBe(1)
})

test('without an operator port the health check uses the port of the API', async () => {
  const { origin, stop } = await startTestService()
  const ports = { PORT: new URL(origin).port, OPS_PORT: 'off' }
  expect(await health(ports)).toBe(0)
  await stop()
  expect(await health(ports)).toBe(1)
})

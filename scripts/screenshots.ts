import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Browser, chromium, type Page } from 'playwright-core'
import { readBundled } from '../server/description/description-reader.ts'
import type { JsonObject } from '../server/description/json.ts'
import { pagePrefixOf } from '../server/description/platform-paths.ts'
import { servedOperations } from '../server/description/unserved.ts'
import { UsageError } from '../server/process/options.ts'
import { runCommand } from './pipeline/failure.ts'
import { projectOutput, projectPath, projectSpec } from './pipeline/project.ts'
import { readServiceFile } from './pipeline/service-file.ts'

const manifests = ['package.json', 'tsconfig.json', 'redocly.yaml', 'platform.json']
const folders = ['spec', 'scripts', 'generated', 'server', 'client']
const programs = ['chromium', 'chromium-browser', 'google-chrome']

/** In how many seconds the dev loop must serve the project. */
const startSeconds = 180

/** Where `npm start` serves the reference. */
const usualAddress = 'http://127.0.0.1:3000'

type DevLoop = ChildProcessByStdio<null, Readable, null>

const usage = 'usage: npm run screenshots, without arguments'

/** Takes the pictures of the reference and of the studio page, in a copy of the project. */
await runCommand(usage, async () => {
  if (process.argv.length > 2) {
    throw new UsageError(usage)
  }
  const executablePath = findBrowser()
  const copy = await copyProject()
  const loop = startLoop(copy)
  let browser: Browser | undefined
  try {
    const { service, studio } = await waitForAddresses(loop)
    const args = ['--disable-background-networking', '--disable-component-update', '--no-first-run']
    browser = await chromium.launch({ executablePath, args })
    // Wide enough for the samples of code in the reference.
    const viewport = { width: 1500, height: 840 }
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce' })
    await takeReferencePicture(page, service)
    await takeStudioPicture(page, studio, join(copy, 'spec/openapi.yaml'))
  } finally {
    await browser?.close()
    await endLoop(loop)
  }
})

/** Returns the path of Chromium. */
function findBrowser(): string {
  const onPath = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = onPath.flatMap((folder) => programs.map((name) => join(folder, name)))
  const browserPath = candidates.find((path) => existsSync(path))
  if (browserPath === undefined) {
    throw new UsageError('there is no Chromium on the PATH')
  }
  return browserPath
}

/** Copies the project to a folder, which this process removes at its end. */
async function copyProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'screenshots-'))
  // The browser ends the process on Ctrl-C.
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
  for (const part of [...manifests, ...folders]) {
    await cp(projectPath(part), join(copy, part), { recursive: true })
  }
  await symlink(projectPath('node_modules'), join(copy, 'node_modules'))
  return copy
}

function startLoop(project: string): DevLoop {
  return spawn(process.execPath, [join(project, 'scripts/dev.ts')], {
    cwd: project,
    env: { ...process.env, PORT: '0', DATABASE_URL: 'sqlite::memory:' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Takes the picture of the first operation in the reference, with its samples. */
async function takeReferencePicture(page: Page, service: string): Promise<void> {
  const { settings } = readServiceFile(projectSpec)
  // The samples of code have the address of the page; the port of the service is another one each time.
  await page.route(`${usualAddress}/**`, async (route) => {
    const url = route.request().url().replace(usualAddress, service)
    await route.fulfill({ response: await route.fetch({ url }) })
  })
  await page.goto(`${usualAddress}${pagePrefixOf(settings)}/docs${await firstAddress()}`)
  await page.getByRole('button', { name: 'Test Request' }).first().waitFor()
  await page.waitForTimeout(2_000)
  await takePicture(page, 'docs/api/reference.png')
}

/** Takes the picture of the studio page after a change of the description. */
async function takeStudioPicture(page: Page, studio: string, spec: string): Promise<void> {
  await page.goto(studio)
  const text = await readFile(spec, 'utf8')
  const edited = text.replace(/(?<=maximum: )\d+/, (maximum) => `${Number(maximum) / 2}`)
  // A description without a maximum is saved, too.
  await writeFile(spec, `${edited}\n`)

  const run = page.locator('#run', { hasText: 'run 2' })
  await run.waitFor()
  // The duration differs from run to run: the picture has a fixed one.
  await run.evaluate((element) => {
    element.textContent = (element.textContent ?? '').replace(/ [\d.]+ s$/, ' 0.60 s')
  })
  await takePicture(page, 'docs/api/studio.png')
}

/** Waits until the dev loop serves the project; resolves with the addresses of the service and the studio page. */
function waitForAddresses(loop: DevLoop) {
  return new Promise<{ service: string; studio: string }>((resolve, reject) => {
    let printed = ''
    const fail = (problem: string) => reject(new Error(`npm run dev ${problem}:\n${printed}`))
    const timer = setTimeout(
      () => fail(`did not serve the project within ${startSeconds} s`),
      startSeconds * 1_000,
    )

    loop.stdout.on('data', (text: Buffer) => {
      printed += text
      const [, service] = /^Service: (\S+)$/m.exec(printed) ?? []
      const [, studio] = /^Studio page: (\S+)$/m.exec(printed) ?? []
      // Warnings of the service and the operations without a handler may follow, or the end of the line.
      const isStarted = / started\b/m.test(printed)
      if (service === undefined || studio === undefined || !isStarted) {
        return
      }
      clearTimeout(timer)
      resolve({ service, studio })
    })
    loop.on('exit', () => {
      clearTimeout(timer)
      fail('ended')
    })
  })
}

/** Ends the dev loop, if it has not ended by itself. */
async function endLoop(loop: DevLoop): Promise<void> {
  if (loop.exitCode !== null || loop.signalCode !== null) {
    return
  }
  const ended = once(loop, 'exit')
  loop.kill('SIGTERM')
  await ended
}

/** Takes a picture of a page at rest, which is the same as long as the page is. */
async function takePicture(page: Page, file: string): Promise<void> {
  // The pointer must not be over an element that it changes.
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.fonts.ready)
  await mkdir(projectPath('docs/api'), { recursive: true })
  await page.screenshot({ path: projectPath(file), animations: 'disabled', caret: 'hide' })
}

/** Returns the address of the first operation in the reference. */
async function firstAddress(): Promise<string> {
  const root: JsonObject = JSON.parse(await readFile(join(projectOutput, 'openapi.json'), 'utf8'))
  const operationIds = servedOperations(readBundled(root)).map(({ operationId }) => operationId)
  const firstId = operationIds.find((operationId) => operationId !== undefined)
  return firstId === undefined ? '' : `#operation/${firstId}`
}

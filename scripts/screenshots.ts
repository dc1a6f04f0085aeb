import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import { runCommand, UsageError } from './pipeline/failure.ts'
import { projectPath } from './pipeline/project.ts'

const copied = ['package.json', 'tsconfig.json', 'redocly.yaml', 'spec', 'scripts', 'generated']
const programs = ['chromium', 'chromium-browser', 'google-chrome']

/** Takes the pictures of the reference and of the studio page, in a copy of the project. */
await runCommand(async () => {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = folders.flatMap((folder) => programs.map((name) => join(folder, name)))
  const executablePath = paths.find((path) => existsSync(path))
  if (executablePath === undefined) {
    throw new UsageError('there is no Chromium on the PATH; on Debian: apt-get install chromium')
  }
  const copy = await mkdtemp(join(tmpdir(), 'screenshots-'))
  for (const part of [...copied, 'server', 'client']) {
    await cp(projectPath(part), join(copy, part), { recursive: true })
  }
  await symlink(projectPath('node_modules'), join(copy, 'node_modules'))
  const env = { ...process.env, PORT: '0', DATABASE_URL: 'sqlite::memory:' }
  const loop = spawn(process.execPath, [join(copy, 'scripts/dev.ts')], { cwd: copy, env })
  const args = ['--disable-background-networking', '--disable-component-update', '--no-first-run']
  const browser = await chromium.launch({ executablePath, args })
  try {
    const [, service = '', studio = ''] = await new Promise<RegExpExecArray>((resolve, reject) => {
      let said = ''
      loop.stdout.on('data', (text: Buffer) => {
        said += text
        const found = /^Service: (\S+)$.*^Studio page: (\S+)$.* started /ms.exec(said)
        if (found !== null) resolve(found)
      })
      loop.on('exit', () => reject(new Error(`npm run dev ended: ${said}`)))
    })
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } })
    await page.goto(`${service}/docs`)
    await page.locator('h1').first().waitFor()
    await page.screenshot({ path: projectPath('docs/reference.png') })
    await page.goto(studio)
    const spec = join(copy, 'spec/openapi.yaml')
    const text = await readFile(spec, 'utf8')
    await writeFile(
      spec,
      text.replace(/(?<=maximum: )\d+/, (most) => `${Number(most) / 2}`),
    )
    await page.locator('#run', { hasText: 'run 2' }).waitFor()
    await page.screenshot({ path: projectPath('docs/studio.png') })
  } finally {
    await browser.close()
    loop.kill('SIGTERM')
    await rm(copy, { recursive: true, force: true })
  }
})

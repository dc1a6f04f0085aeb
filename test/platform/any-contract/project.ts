import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'

const platform = resolve(import.meta.dirname, '../../..')

/** What a clone does not need: the tests of the platform take most of the time of `npm run check`. */
const skipped = ['.git', 'node_modules', 'data', 'test/platform', 'client/dist']

/** How a command ended. */
export interface Ended {
  readonly isGreen: boolean
  readonly output: string
}

/** A clone of the platform, which becomes a project of one description after another. */
export class Project {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Creates a clone of the working tree, as `git clone` and `npm ci` would. */
  static async create(): Promise<Project> {
    const folder = await mkdtemp(join(tmpdir(), 'any-contract-'))
    const isCopied = (source: string) => !skipped.includes(source.slice(platform.length + 1))
    await cp(platform, folder, { recursive: true, filter: isCopied })
    await symlink(join(platform, 'node_modules'), join(folder, 'node_modules'))
    await makePlatform(folder)

    const project = new Project(folder)
    const person = 'git config user.name A && git config user.email a@example.org'
    const { isGreen, output } = await project.run(
      `git init --quiet && ${person} && git add --all && git commit --quiet --message A`,
    )
    if (!isGreen) {
      throw new Error(output)
    }
    return project
  }

  /** Makes the project the clone again that it was. */
  async reset(): Promise<void> {
    const { isGreen, output } = await this.run(
      'git reset --quiet --hard && git clean -fdxq --exclude node_modules',
    )
    if (!isGreen) {
      throw new Error(output)
    }
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }

  path(...names: readonly string[]): string {
    return join(this.folder, ...names)
  }

  /** Runs a line of the shell to its end. */
  async run(line: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    const child = this.start(line, env)
    const [output, errorOutput, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    return { isGreen: status === 0, output: stripVTControlCharacters(output + errorOutput) }
  }

  /** Starts a line of the shell. */
  start(line: string, env: NodeJS.ProcessEnv = {}) {
    const path = `${this.path('node_modules/.bin')}:${process.env['PATH']}`
    // Without what marks a run of tests, or of CI.
    const { VITEST: _, NODE_ENV: __, CI: ___, ...others } = process.env
    return spawn('/bin/sh', ['-c', line], {
      cwd: this.folder,
      env: { ...others, PATH: path, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  /** Starts the service as `npm start` does, on a free port and with an empty store. */
  async startService(env: NodeJS.ProcessEnv = {}): Promise<Service> {
    const manifest: { readonly scripts: { readonly start: string } } = JSON.parse(
      await readFile(this.path('package.json'), 'utf8'),
    )
    const own = { PORT: '0', OPS_PORT: 'off', DATABASE_URL: 'sqlite::memory:' }
    const child = this.start(manifest.scripts.start, { ...own, ...env })
    return waitForService(child)
  }
}

/** A service that runs, with the key for development that it has printed. */
export interface Service {
  readonly origin: string
  readonly key: string | undefined
  /** Where its description is, as it has printed. */
  readonly description: string
  stop(): Promise<void>
}

async function waitForService(
  child: ChildProcess & Pick<ReturnType<Project['start']>, 'stdout' | 'stderr'>,
): Promise<Service> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  const closed = once(child, 'close')
  const stop = async () => {
    child.kill('SIGKILL')
    await closed
  }

  const origin = await poll(240_000, () => {
    const isClosed = child.exitCode !== null
    return isClosed ? '' : /(http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1]
  })
  if (origin === undefined || origin === '') {
    await stop()
    throw new Error(`the service does not start: ${output.slice(-2_000)}`)
  }
  // The key follows in the same second; a public API may print none.
  const key = await poll(3_000, () => /^ {2}([a-z\d]+_[A-Za-z\d]{30,})$/m.exec(output)?.[1])
  const description = /(http:\/\/\S+\/openapi\.json)/.exec(output)?.[1] ?? `${origin}/openapi.json`
  return { origin, key, description, stop }
}

/** Returns what a function finds within some milliseconds. */
async function poll<Found>(
  time: number,
  find: () => Found | undefined,
): Promise<Found | undefined> {
  const end = Date.now() + time
  for (;;) {
    const found = find()
    if (found !== undefined || Date.now() > end) {
      return found
    }
    await new Promise((resume) => setTimeout(resume, 50))
  }
}

/** Makes a copy of a project of `init` a clone of the platform again, so that it can become another one. */
async function makePlatform(folder: string): Promise<void> {
  const file = join(folder, 'package.json')
  const { platform: _, ...manifest }: Record<string, unknown> = JSON.parse(
    await readFile(file, 'utf8'),
  )
  await writeFile(file, `${JSON.stringify(manifest, undefined, 2)}\n`)
}

/** Returns the paths of all files in a folder, relative to it. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

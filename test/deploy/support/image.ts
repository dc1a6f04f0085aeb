import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { runCommand } from '../../package/support/command.ts'
import { copyFromContext } from './context.ts'
import { imageEnvironment, type Stage, type Step, stages } from './dockerfile.ts'

/** What the Dockerfile makes, in a folder in the place of a file system. */
export interface Image {
  readonly root: string
  readonly workFolder: string
  readonly command: readonly string[]
  /** The ids of user and group, where this process may become somebody else. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined
  readonly environment: Readonly<Record<string, string>>
}

/** Follows the Dockerfile with the Node.js that runs the tests; rejects at a step it cannot take. */
export async function buildImage(): Promise<Image> {
  const root = mkdtempSync(join(tmpdir(), 'animal-store-image-'))
  chmodSync(root, 0o755)
  for (const stage of stages) await buildStage(root, stage)
  const last = stages.at(-1)
  if (last === undefined) throw new Error('The Dockerfile has no stage.')
  const stageRoot = join(root, last.name)
  const [uid = 0, gid = 0] = argsOf(last, 'USER')[0]?.split(':').map(Number) ?? []
  // Where the tests run as somebody who may not become another user, that is a user without rights.
  const user = process.getuid?.() === 0 ? { uid, gid } : undefined
  // A Node.js that this user can reach, wherever the project is.
  const node = join(stageRoot, 'node')
  cpSync(process.execPath, node)
  const [program, ...args] = argsOf(last, 'CMD')
  if (program !== 'node') throw new Error(`The image runs ${program}, not node.`)
  const store = imageEnvironment['DATABASE_URL'] ?? ''
  const environment = {
    ...imageEnvironment,
    DATABASE_URL: store.replace(/^sqlite:/, `sqlite:${stageRoot}`),
  }
  const workFolder = join(stageRoot, argsOf(last, 'WORKDIR')[0] ?? '')
  return { root, workFolder, command: [node, ...args], user, environment }
}

function argsOf({ steps }: Stage, keyword: string): readonly string[] {
  return steps.findLast((step) => step.keyword === keyword)?.args ?? []
}

async function buildStage(root: string, stage: Stage): Promise<void> {
  const stageRoot = join(root, stage.name)
  let workFolder = stageRoot
  mkdirSync(stageRoot)
  for (const step of stage.steps) {
    if (step.keyword === 'WORKDIR') {
      workFolder = join(stageRoot, step.args[0] ?? '')
      mkdirSync(workFolder, { recursive: true })
    } else if (step.keyword === 'COPY') {
      copy(step, root, workFolder)
    } else if (step.keyword === 'RUN') {
      await run(step.args, stageRoot, workFolder)
    }
  }
}

function copy({ args, from }: Step, root: string, workFolder: string): void {
  const target = args.at(-1) ?? ''
  for (const source of args.slice(0, -1)) {
    const to = join(workFolder, target.endsWith('/') ? join(target, basename(source)) : target)
    if (from === undefined) copyFromContext(source, to)
    else cpSync(join(root, from, source), to, { recursive: true, verbatimSymlinks: true })
  }
}

async function run(args: readonly string[], stageRoot: string, workFolder: string): Promise<void> {
  const [program = '', ...rest] = args
  if (program === 'npm') {
    // What was installed for these tests is in npm's cache already.
    const env = { ...process.env, npm_config_prefer_offline: 'true' }
    await runCommand(program, rest, workFolder, env)
    return
  }
  if (program !== 'install') throw new Error(`The test cannot follow RUN ${program}.`)
  const folder = join(stageRoot, rest.at(-1) ?? '')
  const option = (name: string) => rest.find((word) => word.startsWith(name))?.slice(name.length)
  mkdirSync(folder, { mode: Number.parseInt(option('--mode=') ?? '755', 8) })
  const [owner, group] = [Number(option('--owner=')), Number(option('--group='))]
  if (process.getuid?.() === 0) chownSync(folder, owner, group)
}

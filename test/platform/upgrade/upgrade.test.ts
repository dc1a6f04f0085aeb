import { readFileSync, writeFileSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { callOnce } from '../../helpers/call-once.ts'
import { startCommand } from '../../helpers/program.ts'
import { commit, createClone } from '../../helpers/project-clone.ts'
import { runInCopy, tryInCopy } from '../../helpers/project-copy.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { follow, readPage, readSection } from '../releases/guide.ts'

// Each begins with a project of init, and some run the checks, which take a while on a busy machine.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const description = `openapi: 3.1.0
info: { title: Letters, version: 1.0.0 }
paths:
  /letters:
    get:
      operationId: listLetters
      summary: List all letters
      responses:
        "200":
          description: The letters.
          content:
            application/json:
              schema: { type: array, items: { type: string }, example: [Dear reader] }
`

const person = 'git config user.name A && git config user.email a@example.org'
/** A file of the platform in which both sides change a line, and one that only the platform changes. */
const sharedFile = 'docs/operations.md'
const movedFile = 'server/contract/page-cursor.ts'
const newFile = 'server/contract/page-cursors.ts'

interface Manifest {
  scripts: Record<string, string>
  dependencies: Record<string, string>
  platform: { repository: string; commit: string }
}

/** Creates a repository of the platform, and a project that was begun from it with changes of its own. */
const createShared = callOnce(async () => {
  const platform = await createClone(afterAll)
  const project = createTemporaryFolder(afterAll)
  await runInCopy(platform, `git clone --quiet . '${project}'`)
  await runInCopy(project, `${person} && git switch --quiet --create main-line`)
  await writeFile(join(project, 'letters.yaml'), description)
  await runInCopy(project, 'npm run -s init -- --spec letters.yaml --name letters')
  // The tests of the platform take minutes; a script of the project's own stays as it is.
  editManifest(project, ({ scripts }) => {
    scripts['test:platform'] = 'node --version'
    scripts['own'] = 'node --version'
  })
  appendLine(project, sharedFile, 'A line of the project.')
  await runInCopy(project, commit)
  return { platform, project }
})

/** Returns a copy of that repository and of that project, for one test. */
async function createProject() {
  const shared = await createShared()
  const platform = createTemporaryFolder()
  const project = createTemporaryFolder()
  await cp(shared.platform, platform, { recursive: true, verbatimSymlinks: true })
  await cp(shared.project, project, { recursive: true, verbatimSymlinks: true })

  editManifest(project, (manifest) => {
    manifest.platform.repository = platform
  })
  await runInCopy(project, commit)
  return { platform, project }
}

/** Commits the next version of the platform. */
async function changePlatform(platform: string): Promise<void> {
  await runInCopy(platform, `git mv ${movedFile} ${newFile}`)
  await runInCopy(
    platform,
    `grep -rl 'contract/page-cursor' server test | xargs sed -i 's|contract/page-cursor|contract/page-cursors|'`,
  )
  prependLine(platform, sharedFile, '<!-- A line of the platform. -->')
  editManifest(platform, ({ scripts }) => {
    scripts['platform-script'] = 'node --version'
  })
  const page = read(platform, 'docs/platform-changes.md')
  await write(
    platform,
    'docs/platform-changes.md',
    page.replace('\n## ', '\n## 99.0.0\n\n- New.\n\n## '),
  )
  await runInCopy(platform, commit)
}

test('--dry-run lists what is new, merged files and what the files of the API have to follow, and changes nothing', async () => {
  const { platform, project } = await createProject()
  await changePlatform(platform)
  await write(project, 'server/api/own.ts', `import '../contract/page-cursor.ts'\n`)
  await runInCopy(project, commit)
  const before = await state(project)

  const planned = await runInCopy(project, 'npm run -s upgrade -- --dry-run')
  expect(planned).toContain('## 99.0.0\n\n- New.')
  expect(planned).toContain(`Merged with changes of this project:\n  ${sharedFile}`)
  const advice = `server/api/own.ts:1 imports ${movedFile}, which is ${newFile} now; write '../contract/page-cursors.ts'`
  expect(planned).toContain(advice)
  expect(await state(project)).toEqual(before)
})

test('docs/your-own-api.md leads to an upgraded project, which keeps its files and changes', async () => {
  const { platform, project } = await createProject()
  await changePlatform(platform)
  const before = await state(project)

  await follow(project, readSection(readPage('your-own-api.md'), 'Upgrade'))
  const head = (await runInCopy(platform, 'git rev-parse HEAD')).trim()
  const branch = (await runInCopy(project, 'git branch --show-current')).trim()
  expect(branch).toBe(`platform-${head.slice(0, 8)}`)
  expect(await runInCopy(project, 'git status --porcelain')).toBe('')
  expect((await state(project)).mainLine).toBe(before.mainLine)

  const shared = read(project, sharedFile)
  expect(shared).toContain('A line of the project.')
  expect(shared).toContain('A line of the platform.')
  expect(await runInCopy(project, 'git ls-files server/contract')).toContain(newFile)
  const { scripts, platform: marker } = readManifest(project)
  expect(marker.commit).toBe(head)
  expect(scripts).toMatchObject({ own: 'node --version', 'platform-script': 'node --version' })
  expect(scripts['test:platform']).toBe('node --version')
  // The scripts of another API stay removed.
  expect(scripts['bench']).toBeUndefined()

  await runInCopy(project, `git switch --quiet main-line && git merge --quiet ${branch}`)
  expect(await runInCopy(project, 'npm run -s upgrade')).toContain('already')
})

test('where both sides changed a line, the upgrade waits for the conflict to be resolved', async () => {
  const { platform, project } = await createProject()
  prependLine(platform, sharedFile, 'One text.')
  await runInCopy(platform, commit)
  prependLine(project, sharedFile, 'Another text.')
  await runInCopy(project, commit)
  // The test above runs the checks.
  editManifest(project, ({ scripts }) => {
    scripts['check'] = 'node --version'
  })
  await runInCopy(project, commit)
  const before = await state(project)

  const { status, output } = await tryInCopy(project, 'npm run -s upgrade')
  expect(status).toBe(1)
  expect(output).toContain(`Conflicts:\n  ${sharedFile}: both sides changed the same lines`)
  expect(read(project, sharedFile)).toContain('<<<<<<<')
  expect(await runInCopy(project, 'git diff --name-only --diff-filter=U')).toBe(`${sharedFile}\n`)
  const early = await tryInCopy(project, 'npm run -s upgrade -- --continue')
  expect(early.output).toContain(
    `resolve the conflicts, and git add each of these files:\n${sharedFile}`,
  )
  await runInCopy(project, `git add ${sharedFile}`)
  const unresolved = await tryInCopy(project, 'npm run -s upgrade -- --continue')
  expect(unresolved.output).toContain(`${sharedFile}:1: leftover conflict marker`)

  const resolved = read(project, sharedFile).replaceAll(/^(?:<{7}|={7}|>{7}).*\n/gm, '')
  await write(project, sharedFile, resolved)
  await runInCopy(project, `git add ${sharedFile}`)
  const done = await runInCopy(project, 'npm run -s upgrade -- --continue')
  expect(done).toContain('To take it: git switch main-line && git merge platform-')
  expect((await state(project)).mainLine).toBe(before.mainLine)
})

test('a fork that kept its API, and so has no commit in package.json, begins at the one that it shares', async () => {
  const { platform } = await createProject()
  const fork = createTemporaryFolder()
  await runInCopy(platform, `git clone --quiet . '${fork}'`)
  await runInCopy(fork, `${person} && git switch --quiet --create main-line`)
  editManifest(fork, ({ scripts }) => {
    scripts['check'] = 'node --version'
    scripts['test:platform'] = 'node --version'
  })
  await write(fork, 'server/api/own.ts', '')
  appendLine(fork, sharedFile, 'A line of the project.')
  await runInCopy(fork, commit)
  const upgrade = `npm run -s upgrade -- --from '${platform}'`
  expect(await runInCopy(fork, upgrade)).toContain('Nothing is new')

  await changePlatform(platform)
  expect(await runInCopy(fork, upgrade)).toContain('The upgrade is committed on the branch')
  expect(read(fork, sharedFile)).toContain('A line of the project.')
  expect(read(fork, sharedFile)).toContain('A line of the platform.')
  expect(await runInCopy(fork, 'git diff main-line -- server/api spec/openapi.yaml')).toBe('')
  const head = (await runInCopy(platform, 'git rev-parse HEAD')).trim()
  expect(readManifest(fork).platform).toEqual({ repository: platform, commit: head })
})

test('an upgrade that is killed leaves the branch of the project as it was', async () => {
  const { platform, project } = await createProject()
  await changePlatform(platform)
  const before = await state(project)

  const options = { cwd: project, env: process.env }
  const upgrade = startCommand('node', ['scripts/upgrade.ts'], options)
  await upgrade.waitForOutput(/generate …/)
  await upgrade.kill('SIGKILL')
  expect((await state(project)).mainLine).toBe(before.mainLine)
  const again = await tryInCopy(project, 'npm run -s upgrade')
  expect(again.output).toMatch(/^the upgrade on this branch has not ended; .* to drop it: git/)

  const branch = (await runInCopy(project, 'git branch --show-current')).trim()
  await runInCopy(project, `git switch --quiet --force main-line && git branch -D ${branch}`)
  expect(await state(project)).toEqual(before)
})

test('an upgrade is rejected where it cannot begin', async () => {
  const { platform, project } = await createProject()
  const before = await state(project)
  for (const [line, message] of [
    ['npm run -s upgrade -- --to missing', /has no missing; --to takes a branch, a tag or a/],
    ['npm run -s upgrade -- --from missing', /^missing cannot be read; give another with --from/],
    [
      'npm run -s upgrade -- --continue',
      /^there is no upgrade to continue on the branch main-line/,
    ],
    ['npm run -s upgrade -- --continue --dry-run', /^--continue stands alone/],
    [
      'echo >> README.md && npm run -s upgrade',
      /^commit or discard these changes first:\n.*README/,
    ],
  ] as const) {
    const { status, output } = await tryInCopy(project, line)
    expect(status, output).toBe(2)
    expect(output).toMatch(new RegExp(message, 'm'))
  }
  await runInCopy(project, 'git checkout --quiet README.md')

  await changePlatform(platform)
  await write(project, '.git/info/exclude', newFile)
  await write(project, newFile, 'Of the project.')
  const inTheWay = await tryInCopy(project, 'npm run -s upgrade')
  expect(inTheWay.output).toContain(
    `which git ignores; the platform has files of these names:\n${newFile}`,
  )
  expect(read(project, newFile)).toBe('Of the project.')

  const detached = await tryInCopy(project, 'git switch --quiet --detach && npm run -s upgrade')
  expect(detached).toMatchObject({ status: 2, output: expect.stringMatching(/^no branch is/) })
  await runInCopy(project, 'git switch --quiet main-line')
  expect(await state(project)).toEqual(before)
})

/** Returns the commit of the project's branch, what is in its folder, and its branches. */
async function state(project: string) {
  return {
    mainLine: await runInCopy(project, 'git rev-parse main-line'),
    changes: await runInCopy(project, 'git status --porcelain'),
    branches: await runInCopy(project, 'git branch'),
  }
}

function read(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}

async function write(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

function appendLine(folder: string, path: string, line: string): void {
  writeFileSync(join(folder, path), `${read(folder, path)}\n${line}\n`)
}

function prependLine(folder: string, path: string, line: string): void {
  writeFileSync(join(folder, path), `${line}\n\n${read(folder, path)}`)
}

function readManifest(folder: string): Manifest {
  return JSON.parse(read(folder, 'package.json'))
}

function editManifest(folder: string, edit: (manifest: Manifest) => void): void {
  const manifest = readManifest(folder)
  edit(manifest)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
}

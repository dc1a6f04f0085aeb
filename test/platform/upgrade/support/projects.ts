import { readFileSync, writeFileSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { callOnce } from '../../../helpers/call-once.ts'
import { commit, createClone } from '../../../helpers/project-clone.ts'
import { runInCopy } from '../../../helpers/project-copy.ts'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'

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

export const person = 'git config user.name A && git config user.email a@example.org'
/** A file of the platform in which both sides change a line, and one that only the platform changes. */
export const sharedFile = 'docs/operations.md'
export const movedFile = 'server/contract/page-cursor.ts'
export const newFile = 'server/contract/page-cursors.ts'
/** A file that the next version of the platform does not have. */
export const deletedFile = 'docs/agents.md'

export interface Manifest {
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
export async function createProject() {
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
export async function changePlatform(platform: string): Promise<void> {
  await runInCopy(platform, `git mv ${movedFile} ${newFile} && git rm --quiet ${deletedFile}`)
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

/** Returns the commit of the project's branch, what is in its folder, and its branches. */
export async function state(project: string) {
  return {
    mainLine: await runInCopy(project, 'git rev-parse main-line'),
    changes: await runInCopy(project, 'git status --porcelain'),
    branches: await runInCopy(project, 'git branch'),
  }
}

export function read(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}

export async function write(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

export function appendLine(folder: string, path: string, line: string): void {
  writeFileSync(join(folder, path), `${read(folder, path)}\n${line}\n`)
}

export function prependLine(folder: string, path: string, line: string): void {
  writeFileSync(join(folder, path), `${line}\n\n${read(folder, path)}`)
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(read(folder, 'package.json'))
}

export function editManifest(folder: string, edit: (manifest: Manifest) => void): void {
  const manifest = readManifest(folder)
  edit(manifest)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
}

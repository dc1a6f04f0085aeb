import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { project } from './program.ts'
import { copyParts, runInCopy } from './project-copy.ts'
import type { Until } from './temporary-folder.ts'

/** Commits everything in a copy that is a repository. */
export const commit = 'git add --all && git commit --quiet --message A'

/**
 * Creates a copy of this project as a clone has it: a repository in which everything is committed. The tests of the
 * platform are half of what `npm run check` compiles and lints: a clone has them only if a test asks for them.
 */
export async function createClone(
  until?: Until,
  { hasPlatformTests = false } = {},
): Promise<string> {
  const notCopied = ['.git', 'node_modules', 'data']
  const parts = (await readdir(project)).filter((name) => !notCopied.includes(name))
  const copy = await copyParts(project, parts, until)
  if (!hasPlatformTests) {
    await rm(join(copy, 'test/platform'), { recursive: true })
  }
  await forgetPlatform(copy)
  await commitAll(copy)
  return copy
}

/** Makes a copy a repository, in which everything is committed. */
export async function commitAll(copy: string): Promise<void> {
  const person = 'git config user.name A && git config user.email a@example.org'
  await runInCopy(copy, `git init --quiet && ${person} && ${commit}`)
}

/** Makes a project of `init` a clone of the platform again, so that it can become another project. */
async function forgetPlatform(copy: string): Promise<void> {
  const file = join(copy, 'package.json')
  const { platform: _, ...manifest }: Record<string, unknown> = JSON.parse(
    await readFile(file, 'utf8'),
  )
  await writeFile(file, `${JSON.stringify(manifest, undefined, 2)}\n`)
}

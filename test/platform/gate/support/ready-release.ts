import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allowMore, commitAll, createRepository, editFor, git } from './repository.ts'

/** A repository in which a new version is ready to be released. */
export async function createEdited(): Promise<string> {
  const copy = await createRepository()
  await git(copy, 'tag', 'v1.0.0')
  await editFor('1.1.0', copy, allowMore)
  await commitAll(copy, 'Allow larger pages')
  return copy
}

/** Makes a script the hook that git runs before a commit. */
export async function writeHook(copy: string, script: string): Promise<void> {
  const hook = join(copy, '.git/hooks/pre-commit')
  await mkdir(join(copy, '.git/hooks'), { recursive: true })
  await writeFile(hook, `#!/bin/sh\n${script}\n`)
  await chmod(hook, 0o755)
}

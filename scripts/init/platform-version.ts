import { readFile } from 'node:fs/promises'
import { askGit, isRepository } from '../pipeline/git.ts'
import { projectPath } from '../pipeline/project.ts'

/**
 * Which version of the platform a project has: the repository that it was cloned from, and its commit.
 * Both are absent where git does not know them, as in an unpacked archive.
 */
export interface PlatformVersion {
  readonly repository?: string
  readonly commit?: string
}

/** Returns the version of the platform in this folder, before it becomes a project of another API. */
export async function readPlatformVersion(): Promise<PlatformVersion> {
  const isKnown = await isRepository()
  const remote = isKnown ? await askGit('config', '--get', 'remote.origin.url') : undefined
  const commit = isKnown ? await askGit('rev-parse', '--verify', 'HEAD') : undefined
  const address = remote ?? (await readPublished())
  return {
    ...(address !== '' && { repository: withoutCredentials(address) }),
    ...(commit !== undefined && { commit }),
  }
}

/** Returns where `package.json` says that the platform is published. */
async function readPublished(): Promise<string> {
  const text = await readFile(projectPath('package.json'), 'utf8')
  const manifest: { readonly repository?: { readonly url: string } } = JSON.parse(text)
  return manifest.repository?.url.replace(/^git\+/, '') ?? ''
}

/** Returns the address of a repository without what it has before the `@` of its host. */
function withoutCredentials(address: string): string {
  return address.replace(/^(https?:\/\/)[^/@]*@/, '$1').replace(/^(\w+:\/\/[^/:@]*):[^/@]*@/, '$1@')
}

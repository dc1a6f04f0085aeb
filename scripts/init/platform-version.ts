import { readFile } from 'node:fs/promises'
import { askGit, isRepository } from '../pipeline/git.ts'
import { projectPath } from '../pipeline/project.ts'
import type { Marker } from '../platform/marker.ts'

/**
 * Returns the version of the platform in this folder, before it becomes a project of another API. What git
 * does not know, as in an unpacked archive, is absent.
 */
export async function readPlatformVersion(): Promise<Partial<Marker>> {
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

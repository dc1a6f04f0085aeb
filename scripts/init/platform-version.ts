import { readFile } from 'node:fs/promises'
import type { JsonObject } from '../../server/description/json.ts'
import { askGit, isRepository } from '../pipeline/git.ts'
import { projectPath } from '../pipeline/project.ts'
import type { Marker } from '../platform/marker.ts'
import { readOrigin, readPublished, withoutCredentials } from '../platform/repository.ts'

/**
 * Returns the version of the platform in this folder, before it becomes a project of another API. What git
 * does not know, as in an unpacked archive, is absent.
 */
export async function readPlatformVersion(): Promise<Partial<Marker>> {
  const isKnown = await isRepository()
  const remote = isKnown ? await readOrigin() : undefined
  const commit = isKnown ? await askGit('rev-parse', '--verify', 'HEAD') : undefined
  const manifest: JsonObject = JSON.parse(await readFile(projectPath('package.json'), 'utf8'))
  const address = remote ?? readPublished(manifest)
  return {
    ...(address !== undefined && { repository: withoutCredentials(address) }),
    ...(commit !== undefined && { commit }),
  }
}

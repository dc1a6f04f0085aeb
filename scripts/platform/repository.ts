import { type JsonObject, toObject } from '../../server/description/json.ts'
import { askGit } from '../pipeline/git.ts'

/** Returns the address from which this clone was made; undefined if there is none. */
export function readOrigin(): Promise<string | undefined> {
  return askGit('config', '--get', 'remote.origin.url')
}

/** Returns where a manifest says that it is published; undefined if it does not. */
export function readPublished(manifest: JsonObject): string | undefined {
  const { url } = toObject(manifest['repository'])
  return typeof url === 'string' ? url.replace(/^git\+/, '') : undefined
}

/** Returns the address of a repository without what it has before the `@` of its host. */
export function withoutCredentials(address: string): string {
  return address.replace(/^(https?:\/\/)[^/@]*@/, '$1').replace(/^(\w+:\/\/[^/:@]*):[^/@]*@/, '$1@')
}

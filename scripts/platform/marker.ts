import { toObject } from '../../server/description/json.ts'
import { UsageError } from '../pipeline/failure.ts'

/** Where a project took the platform from: the key `platform` of its `package.json`. */
export interface Marker {
  /** A URL or a path that `git fetch` takes. */
  readonly repository: string
  /** The commit whose platform files the project has, but for changes of its own. */
  readonly commit: string
}

/** Reads the marker of a manifest; throws where `npm run init` has not written one. */
export function readMarker(manifest: unknown): Marker {
  const { repository, commit } = toObject(toObject(manifest)['platform'])
  if (typeof repository === 'string' && typeof commit === 'string') return { repository, commit }

  throw new UsageError(
    'package.json has no "platform" with "repository" and "commit": this is the platform itself, or a project that was begun without npm run init',
  )
}

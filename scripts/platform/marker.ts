import { type JsonObject, toObject } from '../../server/description/json.ts'

/** Where a project took the platform from: the key `platform` of its `package.json`. */
export interface Marker {
  /** A URL or a path that `git fetch` takes. */
  readonly repository: string
  /** The commit whose platform files the project has, but for changes of its own. */
  readonly commit: string
}

/** Reads the marker of a manifest. What neither `npm run init` nor an upgrade has written is absent. */
export function readMarker(manifest: JsonObject): Partial<Marker> {
  const { repository, commit } = toObject(manifest['platform'])
  return {
    ...(typeof repository === 'string' && { repository }),
    ...(typeof commit === 'string' && { commit }),
  }
}

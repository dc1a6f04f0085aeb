import { isObject, type JsonObject, toObject } from '../../server/description/json.ts'
import { withoutApiScripts } from './api-scripts.ts'

/** The keys of `package.json` that are the API's alone. */
const ofApi: ReadonlySet<string> = new Set([
  'name',
  'version',
  'description',
  'license',
  'repository',
  'config',
  'platform',
])

/** A key that both sides changed, such as `scripts.test`, and both values. */
export interface KeyConflict {
  readonly key: string
  /** The value of the project, which it keeps. */
  readonly ours: unknown
  /** The value of the platform; undefined if the platform removed the key. */
  readonly theirs: unknown
}

/** A merged manifest, and the keys that both sides changed. */
export interface MergedManifest {
  readonly manifest: JsonObject
  readonly conflicts: readonly KeyConflict[]
}

/**
 * Merges by key what the platform changed in its `package.json` since `base` into that of a project. A key
 * that both changed keeps the project's value and is listed as a conflict. `platformPackages` are those that
 * files of the platform import from now on.
 */
export function mergeManifest(
  base: JsonObject,
  ours: JsonObject,
  theirs: JsonObject,
  platformPackages: ReadonlySet<string>,
): MergedManifest {
  const conflicts: KeyConflict[] = []
  const ofBase = withoutRemoved(withoutScriptsOfApi(base), ours, platformPackages)
  const ofTheirs = withoutScriptsOfApi(theirs)
  const manifest = mergeObjects(ofBase, ours, ofTheirs, '', conflicts)
  return { manifest, conflicts }
}

/** Returns a manifest of the platform without the scripts of the API that its repository has. */
function withoutScriptsOfApi(manifest: JsonObject): JsonObject {
  const scripts: Record<string, string> = {}
  for (const [name, command] of Object.entries(toObject(manifest['scripts']))) {
    scripts[name] = String(command)
  }
  return { ...manifest, scripts: withoutApiScripts(scripts) }
}

/**
 * Returns a manifest without packages of the platform that the project removed, so that they count as new: when it
 * removed them, only the API imported them.
 */
function withoutRemoved(
  base: JsonObject,
  ours: JsonObject,
  platformPackages: ReadonlySet<string>,
): JsonObject {
  const ofProject = { ...toObject(ours['dependencies']), ...toObject(ours['devDependencies']) }
  const isKept = (name: string) => name in ofProject || !platformPackages.has(name)
  const sections = ['dependencies', 'devDependencies'].map((section) => {
    const packages = Object.entries(toObject(base[section]))
    return [section, Object.fromEntries(packages.filter(([name]) => isKept(name)))] as const
  })
  return { ...base, ...Object.fromEntries(sections) }
}

function mergeObjects(
  base: JsonObject,
  ours: JsonObject,
  theirs: JsonObject,
  prefix: string,
  conflicts: KeyConflict[],
): JsonObject {
  const merged: Record<string, unknown> = {}
  for (const key of keysInOrder(ours, theirs)) {
    const isOfApi = prefix === '' && ofApi.has(key)
    const value = isOfApi
      ? ours[key]
      : mergeValues(base[key], ours[key], theirs[key], prefix + key, conflicts)
    if (value !== undefined) {
      merged[key] = value
    }
  }
  return merged
}

function mergeValues(
  base: unknown,
  ours: unknown,
  theirs: unknown,
  key: string,
  conflicts: KeyConflict[],
): unknown {
  if (isSame(ours, theirs) || isSame(base, theirs)) {
    return ours
  }
  if (isSame(base, ours)) {
    return theirs
  }
  if (isObject(ours) && isObject(theirs)) {
    return mergeObjects(toObject(base), ours, theirs, `${key}.`, conflicts)
  }
  // What the project removed, such as a script of another API, stays removed.
  if (ours !== undefined) {
    conflicts.push({ key, ours, theirs })
  }
  return ours
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Returns the project's keys in their order, each new key behind the one that it follows in the platform. */
function keysInOrder(ours: JsonObject, theirs: JsonObject): readonly string[] {
  const keys = Object.keys(ours)
  const platformKeys = Object.keys(theirs)
  for (const [index, key] of platformKeys.entries()) {
    if (keys.includes(key)) {
      continue
    }

    const previousKey = platformKeys[index - 1] ?? ''
    keys.splice(keys.indexOf(previousKey) + 1, 0, key)
  }
  return keys
}

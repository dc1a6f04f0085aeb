import { withoutApiScripts } from '../platform/api-scripts.ts'
import type { Marker } from '../platform/marker.ts'
import { type LockedPackages, removeUnneeded } from './lock-file.ts'

/** What the manifests of a project say of its API. */
export interface ManifestNames {
  readonly name: string
  readonly version: string
  readonly title: string
  /** How its API keys begin. */
  readonly apiKeyPrefix: string
}

type PackageVersions = Readonly<Record<string, string>>

/** The keys of `package.json` that `init` reads or writes. */
interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly config: object
  readonly dependencies: PackageVersions
  readonly devDependencies: PackageVersions
  readonly [key: string]: unknown
}

/** The keys of `package-lock.json` that repeat those of `package.json`. */
interface LockFile {
  readonly packages: LockedPackages
  readonly [key: string]: unknown
}

/** The licence is the team's to choose: until then, the file says what holds for the platform. */
const license = 'SEE LICENSE IN LICENSE'

/** Scripts that a project has in another form than the platform: its tests are those of its API. */
const projectScripts = { test: 'exec node scripts/test.ts' }

/** Returns `package.json` with the names of an API, its version of the platform, and no script or package of the API before it. */
export function printManifest(
  text: string,
  { name, version, title, apiKeyPrefix }: ManifestNames,
  platform: Partial<Marker>,
  removedPackages: readonly string[],
): string {
  const { repository: _, ...manifest }: Manifest = JSON.parse(text)
  // A key that is there already stays where it is.
  return printJson({
    ...manifest,
    name,
    version,
    description: title,
    license,
    config: { ...manifest.config, apiKeyPrefix },
    scripts: { ...withoutApiScripts(manifest.scripts), ...projectScripts },
    dependencies: withoutPackages(removedPackages, manifest.dependencies),
    devDependencies: withoutPackages(removedPackages, manifest.devDependencies),
    platform,
  })
}

/** Returns `package-lock.json` with the name and version of an API, and no package of the API before it. */
export function printLockFile(
  text: string,
  { name, version }: ManifestNames,
  removedPackages: readonly string[],
): string {
  const lock: LockFile = JSON.parse(text)
  const project = lock.packages[''] ?? {}
  const root = {
    // A key that is there already stays where it is.
    ...project,
    name,
    version,
    license,
    dependencies: withoutPackages(removedPackages, project.dependencies),
    devDependencies: withoutPackages(removedPackages, project.devDependencies),
  }
  const packages = removeUnneeded({ ...lock.packages, '': root })
  return printJson({ ...lock, name, version, packages })
}

function withoutPackages(
  removed: readonly string[],
  versions: PackageVersions = {},
): PackageVersions {
  const neededVersions = Object.entries(versions).filter(([name]) => !removed.includes(name))
  return Object.fromEntries(neededVersions)
}

function printJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

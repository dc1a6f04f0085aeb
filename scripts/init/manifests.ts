import { ownerOf } from '../platform/ownership.ts'
import type { PlatformVersion } from './platform-version.ts'

/** What the manifests of a project say of its API. */
export interface ManifestNames {
  readonly name: string
  readonly version: string
  readonly title: string
  /** How its API keys begin. */
  readonly apiKeyPrefix: string
}

/** The keys of `package.json` that `init` reads or writes. */
interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly config: object
  readonly [key: string]: unknown
}

/** The keys of `package-lock.json` that repeat those of `package.json`. */
interface LockFile {
  readonly packages: Readonly<Record<string, object>>
  readonly [key: string]: unknown
}

/** The licence is the team's to choose: until then, the file says what holds for the platform. */
const license = 'SEE LICENSE IN LICENSE'

/** Scripts that a project has in another form than the platform: its tests are those of its API. */
const projectScripts = { test: 'exec node scripts/test.ts' }

/** Returns `package.json` with the names of an API, its version of the platform, and no script of the API before it. */
export function printManifest(
  text: string,
  { name, version, title, apiKeyPrefix }: ManifestNames,
  platform: PlatformVersion,
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
    platform,
  })
}

/** Returns `package-lock.json` with the name and version of an API. */
export function printLockFile(text: string, { name, version }: ManifestNames): string {
  const lock: LockFile = JSON.parse(text)
  const root = { ...lock.packages[''], name, version, license }
  return printJson({ ...lock, name, version, packages: { ...lock.packages, '': root } })
}

/** Returns scripts of `package.json` without those that run a file of the API. */
export function withoutApiScripts(scripts: Manifest['scripts']): Manifest['scripts'] {
  const runsApi = (command: string) => command.split(' ').some((word) => ownerOf(word) === 'api')
  return Object.fromEntries(Object.entries(scripts).filter(([, command]) => !runsApi(command)))
}

function printJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

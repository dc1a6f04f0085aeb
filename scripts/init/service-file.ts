import { stringify } from 'yaml'
import type { ErrorSettings, RequestSettings } from '../../server/description/settings.ts'

/** What `init` knows of a description for its `service.yaml`. */
export interface ServiceFileContent {
  /** The version of releases; undefined where `info.version` is one. */
  readonly version: string | undefined
  readonly names: ReadonlyMap<string, string>
  /** Where the service has its pages; undefined if the API has none of their paths. */
  readonly platformPaths: string | undefined
  /** Whether a body may have an integer of 64 bits. */
  readonly hasLargeIntegers: boolean
  /** How errors are sent that the description does not declare; undefined for the platform's own format. */
  readonly errors?: ErrorSettings | undefined
}

const introduction = `# What the platform must know beside the description, which stays as it is. docs/your-own-api.md
# and docs/configuration.md explain the settings; npm run generate reads them.
`

const ofVersion = `
# The version of releases, which have three numbers; npm run release increases it.
`

const ofNames = `
# Names in code of operations without an operationId, or with one that is no identifier in camelCase: those of
# the handler, its test and the method of the client. /openapi.json keeps the operationId.
`

/** How strict the service is with the clients of an API that exists. */
const lenient: RequestSettings = { unknownQueryParameters: 'ignore' }

/** Returns the comment on the prefix of the pages of the service. */
function introducePaths(prefix: string): string {
  return `
# The API has paths of the service's own pages, which are below this path: the reference at ${prefix}/docs,
# the health checks at ${prefix}/livez and ${prefix}/readyz.
`
}

const ofRequests = `
# Clients of an API that exists may send query parameters that it does not declare: they are ignored, and counted
# in a metric. Without this line, they are 400.
`

const ofLargeIntegers = `
  # Integers of 64 bits may be more than a number of JavaScript holds; without this line, such a request is 400.
  # A handler reads their exact texts from exactIntegers in its context.
`

const ofErrors = `
# The media type and the schema of the errors that the service adds to the description. Errors that an operation
# declares are sent as they are declared; server/api/error-format.ts has their bodies.
`

/** Returns the text of a `service.yaml`. */
export function printServiceFile(content: ServiceFileContent): string {
  const { version, names, platformPaths, hasLargeIntegers, errors } = content
  const parts = [introduction]
  if (version !== undefined) {
    parts.push(ofVersion, stringify({ version }))
  }
  if (platformPaths !== undefined) {
    parts.push(introducePaths(platformPaths), stringify({ platformPaths }))
  }
  parts.push(ofRequests, stringify({ requests: lenient }))
  if (hasLargeIntegers) {
    parts.push(ofLargeIntegers, '  largeIntegers: accept\n')
  }
  if (names.size > 0) {
    const operations = Array.from(names, ([operation, name]) => [operation, { name }] as const)
    const named = { operations: Object.fromEntries(operations) }
    parts.push(ofNames, stringify(named, { lineWidth: 0 }))
  }
  if (errors !== undefined) {
    parts.push(ofErrors, stringify({ errors }))
  }
  return parts.join('')
}

/**
 * Returns the version of three numbers that releases of a description begin with: those that its own version
 * begins with, unless that is a date.
 */
export function toReleaseVersion(version: string): string {
  const [, major = '1', minor = '0', patch = '0'] =
    /^v?(\d{1,3})(?!\d|-\d)(?:\.(\d+)(?:\.(\d+))?)?/.exec(version) ?? []
  return [major, minor, patch].map(Number).join('.')
}

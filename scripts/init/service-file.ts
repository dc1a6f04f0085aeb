import { stringify } from 'yaml'

/** What `init` knows of a description for its `service.yaml`. */
export interface ServiceFileContent {
  /** The version of releases; undefined where `info.version` is one. */
  readonly version: string | undefined
  readonly names: ReadonlyMap<string, string>
}

const introduction = `# What the platform must know beside the description, which stays as it is. docs/your-own-api.md
# explains each setting; npm run generate reads them.
`

const ofVersion = `
# The version of releases, which have three numbers; npm run release increases it.
`

const ofNames = `
# Names in code of operations without an operationId, or with one that is no identifier in camelCase: those of
# the handler, its test and the method of the client. /openapi.json keeps the operationId.
`

/** Returns the text of a `service.yaml`. */
export function printServiceFile({ version, names }: ServiceFileContent): string {
  const parts = [introduction]
  if (version !== undefined) {
    parts.push(ofVersion, stringify({ version }))
  }
  if (names.size > 0) {
    const operations = Array.from(names, ([operation, name]) => [operation, { name }] as const)
    const content = { operations: Object.fromEntries(operations) }
    parts.push(ofNames, stringify(content, { lineWidth: 0 }))
  }
  return parts.join('')
}

/** Returns the version of three numbers that releases of a description begin with. */
export function toReleaseVersion(version: string): string {
  const [, major = '1', minor = '0', patch = '0'] =
    /^v?(\d{1,3})(?:\.(\d+))?(?:\.(\d+))?(?![\d-])/.exec(version) ?? []
  return [major, minor, patch].map(Number).join('.')
}

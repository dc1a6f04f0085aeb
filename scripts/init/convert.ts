import { type JsonObject, readBasePath, toList, toObject } from '../pipeline/description.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { operationsOf } from '../pipeline/operation-entries.ts'
import { convertDiscriminators } from './discriminators.ts'
import {
  type Change,
  type Conversion,
  createChangeLog,
  type Draft,
  ensure,
  type Report,
  toDraft,
  visitObjects,
} from './draft.ts'
import { convertOperations } from './operations.ts'
import { platformComponents } from './platform-parts.ts'
import { nameReferredParts, removeUnused, renameClashing } from './references.ts'
import { removeRejected } from './rejected.ts'
import { convertServers } from './servers.ts'
import { upgradeSchemas } from './upgrade-3.0.ts'

/** What every API has of the description of this repository, beside components. */
const platformKeys = ['security', 'x-outside-operations', 'x-framing-response', 'x-common']

/**
 * Converts a bundled description to one that the service serves, with the parts of the platform from
 * the description of this repository. What the service does not do is removed.
 */
export async function convertDescription(
  description: JsonObject,
  platform: JsonObject,
): Promise<{ description: JsonObject; changes: Change[] }> {
  const { report, list } = createChangeLog()
  const root: Draft = structuredClone(description)
  const conversion = { root, report }
  upgradeVersion(conversion)
  convertInfo(conversion)
  convertServers(conversion, readBasePath(toList(platform['servers'])[0]))
  const own = platformComponents(platform)
  renameClashing(conversion, own)
  const { security } = root
  addPlatform(conversion, platform, own)
  convertOperations(conversion, security)
  if (operationsOf(root).length === 0) rejectEmpty(list())
  convertTags(conversion)
  convertIntegers(conversion)
  convertDiscriminators(conversion)
  reportUnused(conversion, removeUnused(root, own))
  await removeRejected(conversion)
  // What was rejected may have been the last to refer to a component.
  removeUnused(root, own)
  // As text, because YAML has anchors for objects that occur twice.
  return { description: JSON.parse(JSON.stringify(root)), changes: list() }
}

function upgradeVersion({ root, report }: Conversion): void {
  const { openapi } = root
  nameReferredParts(root, report)
  upgradeSchemas(root)
  root['openapi'] = '3.1.0'
  if (String(openapi).startsWith('3.1.')) return
  report('#/openapi', `${openapi} converted to 3.1.0: null is a type, exclusive limits are numbers`)
}

function rejectEmpty(changes: readonly Change[]): never {
  const removed = changes.filter(({ what }) => what.startsWith('operation removed'))
  const lines = removed.map(({ where, what }) => `${where}: ${what}`)
  throw new DescriptionError([
    'The description has no operation that the service can serve.',
    ...lines,
  ])
}

function convertInfo({ root, report }: Conversion): void {
  const info = ensure(root, 'info')
  const given = String(info['version'] ?? '')
  const [, major = '1', minor = '0', patch = '0'] =
    /^v?(\d{1,3})(?:\.(\d+))?(?:\.(\d+))?(?![\d-])/.exec(given) ?? []
  info['version'] = [major, minor, patch].map(Number).join('.')
  if (info['version'] === given) return
  report('#/info/version', `'${given}' converted to ${info['version']}: it is three numbers`)
}

/** Replaces the security by that of the platform, and adds its components and its extensions. */
function addPlatform({ root, report }: Conversion, platform: JsonObject, own: Draft): void {
  for (const key of Object.keys(root).filter((name) => name.startsWith('x-'))) {
    if (!JSON.stringify(root[key]).includes('"$ref"')) continue
    delete root[key]
    report(`#/${key}`, 'removed: it refers to components, and nothing of this project reads it')
  }
  const components = ensure(root, 'components')
  const schemes = Object.keys(toDraft(components['securitySchemes'])).join(', ')
  const none = 'API keys required: there was no security; security: [] makes an operation public'
  report('#/security', schemes === '' ? none : `${schemes} replaced by API keys, without scopes`)
  delete components['securitySchemes']
  for (const [section, named] of Object.entries(own)) {
    Object.assign(ensure(components, section), named)
  }
  for (const key of platformKeys) if (key in platform) root[key] = structuredClone(platform[key])
}

/** Declares each tag that an operation has, once. */
function convertTags({ root, report }: Conversion): void {
  const tags = new Map(toList(root['tags']).map((tag) => [toObject(tag)['name'], tag]))
  const used = new Set(operationsOf(root).flatMap(({ operation }) => toList(operation['tags'])))
  const added = [...used].filter((name) => !tags.has(name))
  if (added.length > 0) report('#/tags', `declared, as operations have them: ${added.join(', ')}`)
  root['tags'] = [...tags.values(), ...added.map((name) => ({ name }))]
}

/** Keeps integers without limits, and int64, within those that every JSON parser reads exactly. */
function convertIntegers({ root, report }: Conversion): void {
  visitObjects(root, (schema) => {
    const { type, format, exclusiveMinimum: above, exclusiveMaximum: below } = schema
    if (format !== 'int32' && format !== 'int64') {
      if ([type].flat().includes('integer')) limitInteger(schema, report)
      return
    }
    if (type === 'number') schema['type'] = 'integer'
    if (format === 'int32' || type === 'string') return
    const { minimum = above === undefined ? -Infinity : Math.floor(Number(above)) + 1 } = schema
    const { maximum = below === undefined ? Infinity : Math.ceil(Number(below)) - 1 } = schema
    delete schema['exclusiveMinimum']
    delete schema['exclusiveMaximum']
    const safe = {
      minimum: Math.max(Number.MIN_SAFE_INTEGER, Number(minimum)),
      maximum: Math.min(Number.MAX_SAFE_INTEGER, Number(maximum)),
    }
    const isSafe = schema['minimum'] === safe.minimum && schema['maximum'] === safe.maximum
    Object.assign(schema, safe)
    if (!isSafe) report('schemas of int64', keptSafe)
  })
}

const keptSafe = 'kept within ±(2^53 - 1), which every JSON parser reads exactly'

/** Adds the limits that an integer lacks: a larger one does not fit into the column of a database. */
function limitInteger(schema: Draft, report: Report): void {
  const { enum: all, const: only, minimum, maximum } = schema
  const { exclusiveMinimum: above = minimum, exclusiveMaximum: below = maximum } = schema
  if (all !== undefined || only !== undefined) return
  if (above === undefined) schema['minimum'] = Number.MIN_SAFE_INTEGER
  if (below === undefined) schema['maximum'] = Number.MAX_SAFE_INTEGER
  if (above === undefined || below === undefined) report('integers without limits', keptSafe)
}

function reportUnused({ report }: Conversion, unused: readonly string[]): void {
  const names = unused.map((pointer) => pointer.slice('#/components/'.length))
  const what = `removed, because nothing refers to them now: ${names.join(', ')}`
  if (names.length > 0) report('#/components', what)
}

import type { JsonObject } from '../../server/description/json.ts'
import { editSchemas } from '../../server/description/nodes.ts'
import { normalise, toCurrentSchema } from '../../server/description/normalise.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { convertDiscriminators } from './discriminators.ts'
import {
  type Change,
  type Conversion,
  createChangeLog,
  type Draft,
  ensure,
  toDraft,
  visitObjects,
} from './draft.ts'
import { convertOperations } from './operations.ts'
import { rejectOtherReferences, removeUnused, renameClashing } from './references.ts'
import { removeRejected } from './rejected.ts'
import { convertServers } from './servers.ts'

/**
 * Converts a bundled description to one that the service can serve, beside `platform.yaml`. What the
 * service does not implement is removed.
 */
export async function convertDescription(
  description: JsonObject,
): Promise<{ description: JsonObject; changes: Change[] }> {
  const { report, list } = createChangeLog()
  // YAML has objects that occur twice, of which one may be changed.
  const root: Draft = JSON.parse(JSON.stringify(description))
  const conversion = { root, report }
  rejectOtherReferences(root)
  upgradeVersion(conversion)
  convertInfo(conversion)
  convertServers(conversion)
  renameClashing(conversion)
  removeExtensions(conversion)
  convertOperations(conversion)
  if (Object.keys(toDraft(root['paths'])).length === 0) {
    rejectEmpty(list())
  }
  convertIntegers(conversion)
  convertDiscriminators(conversion)
  reportUnused(conversion, removeUnused(root))
  await removeRejected(conversion)
  // Components may have been used by the removed parts alone.
  removeUnused(root)
  // Without objects that occur twice, which YAML would print as anchors.
  return { description: JSON.parse(JSON.stringify(root)), changes: list() }
}

function upgradeVersion({ root, report }: Conversion): void {
  const { openapi } = root
  // Descriptions of 3.1 may have keywords of 3.0 by mistake.
  const upgraded = editSchemas(normalise(root), toCurrentSchema)
  // A later step changes objects in place, which the description may have in several places.
  Object.assign(root, structuredClone(upgraded))
  root['openapi'] = '3.1.0'
  if (String(openapi).startsWith('3.1.')) {
    return
  }
  report('#/openapi', `${openapi} converted to 3.1.0: null is a type, exclusive limits are numbers`)
}

function rejectEmpty(changes: readonly Change[]): never {
  throw new DescriptionError([
    'The description has no operation that the service can serve.',
    ...changes.map(({ where, what }) => `${where}: ${what}`),
  ])
}

function convertInfo({ root, report }: Conversion): void {
  const info = ensure(root, 'info')
  const given = String(info['version'] ?? '')
  const [, major = '1', minor = '0', patch = '0'] =
    /^v?(\d{1,3})(?:\.(\d+))?(?:\.(\d+))?(?![\d-])/.exec(given) ?? []
  info['version'] = [major, minor, patch].map(Number).join('.')
  if (info['version'] === given) {
    return
  }
  report('#/info/version', `'${given}' converted to ${info['version']}: it is three numbers`)
}

/** Removes extensions of the root that refer to components, which may be renamed or removed. */
function removeExtensions({ root, report }: Conversion): void {
  for (const key of Object.keys(root).filter((name) => name.startsWith('x-'))) {
    if (!JSON.stringify(root[key]).includes('"$ref"')) {
      continue
    }
    delete root[key]
    report(`#/${key}`, 'removed: it refers to components, and nothing of this project reads it')
  }
}

/** Limits integers to those that every JSON parser reads exactly and a column of a database holds. */
function convertIntegers({ root, report }: Conversion): void {
  visitObjects(root, (schema) => {
    const { type, format, minimum = -Infinity, maximum = Infinity } = schema
    const { exclusiveMinimum: above = -Infinity, exclusiveMaximum: below = Infinity } = schema
    const isListed = 'enum' in schema || 'const' in schema
    // The linter requires limits of every int64; an int32 is limited by its format.
    const isLimited = format === 'int32' || (isListed && format !== 'int64')
    if (isLimited || ![type].flat().includes('integer')) {
      return
    }
    const lowest = Math.max(Number(minimum), Math.floor(Number(above)) + 1, Number.MIN_SAFE_INTEGER)
    const highest = Math.min(Number(maximum), Math.ceil(Number(below)) - 1, Number.MAX_SAFE_INTEGER)
    delete schema['exclusiveMinimum']
    delete schema['exclusiveMaximum']
    const isChanged = schema['minimum'] !== lowest || schema['maximum'] !== highest
    Object.assign(schema, { minimum: lowest, maximum: highest })
    if (isChanged) {
      report('integers', 'limited to ±(2^53 - 1), which every JSON parser reads exactly')
    }
  })
}

function reportUnused({ report }: Conversion, unused: readonly string[]): void {
  const names = unused.map((pointer) => pointer.slice('#/components/'.length))
  const what = `removed, because nothing refers to them now: ${names.join(', ')}`
  if (names.length > 0) {
    report('#/components', what)
  }
}

import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { parse } from 'yaml'
import { locationOf } from '../../server/description/documents.ts'
import { type JsonObject, toObject } from '../../server/description/json.ts'
import { pointerKeys, valueAt } from '../../server/description/pointer.ts'

/** The name of the file that has what the platform adds to a description. */
export const platformName = 'platform.yaml'

/** The name of the schema that lists the codes of errors; a description may declare its own codes under it. */
export const errorCodeName = 'ErrorCode'

/** The parts that a description without any of the platform declares itself, such as a bundled one. */
const partsOfBundle = ['x-undeclared-operations', 'x-framing-response']

/** A file and what it holds. */
export interface PlatformFile {
  readonly file: string
  readonly root: JsonObject
}

/**
 * Returns the path of the `platform.yaml` that a description refers to, or else the one beside it;
 * undefined if there is none, or if the description has everything already, as a bundled one has.
 */
export function findPlatformFile(root: JsonObject, file: string): string | undefined {
  const referred = findReference(root, file)
  if (referred !== undefined) {
    return existsSync(referred) ? referred : undefined
  }

  const isBundled = partsOfBundle.every((key) => key in root)
  if (isBundled || !isAbsolute(file)) {
    return undefined
  }

  const beside = join(dirname(file), platformName)
  return existsSync(beside) ? beside : undefined
}

/** Reads the `platform.yaml` of a description; undefined if there is none that can be read. */
export function openPlatformFile(root: JsonObject, file: string): PlatformFile | undefined {
  const found = findPlatformFile(root, file)
  if (found === undefined) {
    return undefined
  }
  try {
    const platform = toObject(parse(readFileSync(found, 'utf8')))
    referToOwnComponents(platform, root, file)
    return { file: found, root: platform }
  } catch {
    // The linter reports a file that it cannot read, with the line.
    return undefined
  }
}

/** Makes what the platform declares refer to the components that a description declares under their names. */
export function referToOwnComponents(value: unknown, root: JsonObject, file: string): void {
  if (typeof value !== 'object' || value === null) {
    return
  }
  referToOwnComponent(toObject(value), root, file)
  for (const child of Object.values(value)) {
    referToOwnComponents(child, root, file)
  }
}

/**
 * Makes a reference of the platform lead to the component of a description that has its name, if there is one
 * and it may replace that of the platform.
 */
export function referToOwnComponent(reference: JsonObject, root: JsonObject, file: string): void {
  const { $ref } = reference
  if (typeof $ref !== 'string' || !$ref.startsWith('#/components/')) {
    return
  }
  const [, section = '', name = ''] = pointerKeys($ref)
  if (!isReplaceable(section, name)) {
    return
  }
  if (valueAt(root, $ref) !== undefined) {
    Object.assign(reference, { $ref: `${file}${$ref}` })
  }
}

/**
 * Returns whether a description may declare a component under a name of the platform. The service's code is
 * written for the schemas and parameters of the platform; what it sends is validated by the declared responses
 * and headers before it starts.
 */
export function isReplaceable(section: string, name: string): boolean {
  if (section === 'schemas') {
    return name === errorCodeName
  }
  return ['responses', 'headers', 'examples'].includes(section)
}

/** Returns the path of the first `platform.yaml` that a value refers to. */
function findReference(value: unknown, file: string): string | undefined {
  if (typeof value !== 'object' || value === null) {
    return undefined
  }

  const { $ref } = toObject(value)
  const target = typeof $ref === 'string' ? locationOf($ref, file)?.file : undefined
  if (target !== undefined && basename(target) === platformName) {
    return target
  }

  for (const child of Object.values(value)) {
    const found = findReference(child, file)
    if (found !== undefined) {
      return found
    }
  }
  return undefined
}

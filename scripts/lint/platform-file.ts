import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { parse } from 'yaml'
import { locationOf } from '../../server/description/documents.ts'
import { type JsonObject, toObject } from '../../server/description/json.ts'
import { toPointer, valueAt } from '../../server/description/pointer.ts'

/** The name of the file that has what the platform adds to a description. */
export const platformName = 'platform.yaml'

/** The name of the schema that lists the codes of errors; a description may declare its own codes under it. */
export const errorCodeName = 'ErrorCode'

/** The parts that a description without any of the platform declares itself, such as a bundled one. */
const partsOfBundle = ['x-undeclared-operations', 'x-framing-response']

/** A file and what it holds. */
export interface DescriptionFile {
  readonly file: string
  readonly root: JsonObject
}

/** The platform's file as it completes a description. */
export interface PlatformFile extends DescriptionFile {
  /** The pointers to components of the description that replace those of the platform, by the pointers to these. */
  readonly replacements: Map<string, string>
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
  const platformFile = findPlatformFile(root, file)
  if (platformFile === undefined) {
    return undefined
  }

  try {
    const platform = toObject(parse(readFileSync(platformFile, 'utf8')))
    return toPlatformFile(platformFile, platform, root, file)
  } catch {
    // The linter reports a file that it cannot read, with the line.
    return undefined
  }
}

/** Returns what a platform's file holds, as it completes a description. */
export function toPlatformFile(
  platformFile: string,
  platform: JsonObject,
  root: JsonObject,
  file: string,
): PlatformFile {
  const replacements = new Map<string, string>()
  // Another description has components of these names by chance.
  if (isWrittenForPlatform(root, file)) {
    for (const pointer of replaceablePointers(platform)) {
      if (valueAt(root, pointer) !== undefined) {
        replacements.set(pointer, pointer)
      }
    }
  }

  const opened = { file: platformFile, root: platform, replacements }
  referToOwnComponents(opened, file)
  return opened
}

/** Returns the pointers to the components of the platform that a description may replace. */
function replaceablePointers(platform: JsonObject): readonly string[] {
  const sections = Object.entries(toObject(platform['components']))
  return sections.flatMap(([section, components]) => {
    const names = Object.keys(toObject(components)).filter((name) => isReplaceable(section, name))
    return names.map((name) => toPointer(['components', section, name]))
  })
}

/** Makes what the platform declares refer to the components of a description that replace its own. */
export function referToOwnComponents(
  platform: PlatformFile,
  file: string,
  value: unknown = platform.root,
): void {
  if (typeof value !== 'object' || value === null) {
    return
  }
  referToOwnComponent(toObject(value), platform, file)
  for (const child of Object.values(value)) {
    referToOwnComponents(platform, file, child)
  }
}

/** Makes a reference of the platform lead to the component of a description that replaces its target. */
export function referToOwnComponent(
  reference: JsonObject,
  { replacements }: PlatformFile,
  file: string,
): void {
  const replacement = replacements.get(String(reference['$ref']))
  if (replacement !== undefined) {
    Object.assign(reference, { $ref: `${file}${replacement}` })
  }
}

/** Returns whether a description itself refers to the platform's file; what completes it has absolute paths. */
function isWrittenForPlatform(root: JsonObject, file: string): boolean {
  return findReference(root, file, ($ref) => !isAbsolute($ref)) !== undefined
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

/** Returns the path of the first `platform.yaml` that a value refers to, by a reference that passes a test. */
function findReference(
  value: unknown,
  file: string,
  isWanted: ($ref: string) => boolean = () => true,
): string | undefined {
  if (typeof value !== 'object' || value === null) {
    return undefined
  }

  const { $ref } = toObject(value)
  const target =
    typeof $ref === 'string' && isWanted($ref) ? locationOf($ref, file)?.file : undefined
  if (target !== undefined && basename(target) === platformName) {
    return target
  }

  for (const child of Object.values(value)) {
    const reference = findReference(child, file, isWanted)
    if (reference !== undefined) {
      return reference
    }
  }
  return undefined
}

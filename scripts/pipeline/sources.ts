import { resolve } from 'node:path'
import { Documents } from '../../server/description/documents.ts'
import { childrenOf } from '../../server/description/fields.ts'
import { isObject, type JsonObject, toObject } from '../../server/description/json.ts'
import type { Located, Location } from '../../server/description/location.ts'
import { toChild } from '../../server/description/pointer.ts'
import { type Additions, addCommonParts } from '../lint/common-parts.ts'
import { nameCredentials } from '../lint/credential-texts.ts'
import { fitPlatform } from '../lint/fitting-parts.ts'
import { nameMediaTypes } from '../lint/media-type-texts.ts'
import { findPlatformFile, type PlatformFile, toPlatformFile } from '../lint/platform-file.ts'
import { DescriptionError } from './failure.ts'
import { readServiceFile } from './service-file.ts'
import { SourceFile } from './source-file.ts'

/** The files of a description, as written but with what `x-common` and the platform add in place. */
export class Sources {
  /** The first file. */
  readonly file: string
  /** The platform's file that completes the description, if there is one. */
  readonly platform: PlatformFile | undefined
  readonly #files = new Map<string, SourceFile>()
  readonly documents: Documents
  /** Undefined while the description is read for them. */
  readonly #additions: Additions | undefined
  /** Where the components are declared that the description has of the platform with changes. */
  readonly #adopted: ReadonlyMap<unknown, Location> | undefined

  constructor(file: string) {
    this.file = resolve(file)
    const root = toObject(this.root)
    this.platform = this.#openPlatform()
    const { platform } = this
    this.documents = new Documents(this.file, {
      read: (name) => this.#open(name).value,
      reject: (at, reason) => this.#reject(at, reason),
      originOf: (node) => this.#originOf(node),
      originalOf: (node) => this.#originalOf(node),
      platform: platform && { file: platform.file, pointer: '#', value: platform.root },
    })
    // The linter reports a reference that leads back to itself.
    const follow = (node: Located) => this.documents.tryTarget(node)
    this.#adopted = platform && fitPlatform(root, this.file, follow, platform)
    if (platform !== undefined) {
      nameCredentials(root, this.file, follow, platform.root)
      nameMediaTypes(root, this.file, follow, platform.root)
    }
    this.#additions = addCommonParts(root, this.file, follow, this.platform)
  }

  #reject({ file, pointer }: Location, reason: string): never {
    throw new DescriptionError([`${this.locationOf(file, pointer)} ${pointer} ${reason}`])
  }

  #openPlatform(): PlatformFile | undefined {
    const root = toObject(this.root)
    const file = findPlatformFile(root, this.file)
    if (file === undefined) {
      return undefined
    }
    return toPlatformFile(file, toObject(this.#open(file).value), root, this.file)
  }

  /** The parsed content of the first file. */
  get root(): unknown {
    return this.#open(this.file).value
  }

  /** The version of the description for releases. */
  get version(): string {
    const { version } = readServiceFile(this.file).settings
    return version ?? String(toObject(toObject(this.root)['info'])['version'])
  }

  /** Where that version is written. */
  get versionLocation(): { readonly at: string; readonly key: string } {
    const { file, settings } = readServiceFile(this.file)
    return settings.version === undefined
      ? { at: this.locationOf(this.file, '#/info/version'), key: 'info.version' }
      : { at: this.locationOf(file, '#/version'), key: 'version' }
  }

  /** Returns whether a file belongs to the description, as far as it was read. */
  has(file: string): boolean {
    return this.#files.has(file)
  }

  /** Where a value is declared: that is elsewhere if `x-common` or the platform has added it. */
  #originOf(node: Located): Location {
    const added = this.#additions?.origins.get(node.value)
    return added ?? this.#adopted?.get(node.value) ?? node
  }

  /** A response where it is written: some have copies in the place of references. */
  #originalOf(node: Located): Located {
    return { ...node, ...this.#additions?.copied.get(node.value) }
  }

  /** Returns the value at a location, with its `$ref` followed; undefined where there is none. */
  valueAt(at: Location): unknown {
    return this.documents.tryFollow(this.documents.at(at)).value
  }

  /** Returns every value of a keyword, such as `x-sunset`, in the files that were read. */
  findAll(keyword: string): readonly Located[] {
    return [...this.#files].flatMap(([file, { value }]) => findIn(value, keyword, file, '#'))
  }

  /** Returns the first object in the files that were read that passes a test. */
  findNode(
    isWanted: (value: JsonObject, file: string, pointer: string) => boolean,
  ): Located | undefined {
    for (const [file, { value }] of this.#files) {
      const node = findObject(value, file, '#', isWanted)
      if (node !== undefined) {
        return node
      }
    }
    return undefined
  }

  /** Returns the locations of the references that lead back to themselves, also through `allOf`. */
  findCircularReferences(): readonly string[] {
    return this.findAll('$ref').flatMap(({ file, pointer }) => {
      const at = pointer.slice(0, pointer.lastIndexOf('/'))
      const holder = this.documents.at({ file, pointer: at })
      return this.#leadsBack(holder) ? [this.locationOf(file, at)] : []
    })
  }

  /** Returns whether references, and parts of `allOf`, lead from a value to itself. */
  #leadsBack(holder: Located): boolean {
    const passed = new Set<unknown>()
    const open = [holder]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const target = this.documents.tryNext(node)
      const next = [...(target === undefined ? [] : [target]), ...childrenOf(node, 'allOf')]
      if (next.some(({ value }) => value === holder.value)) {
        return true
      }
      open.push(...next.filter(({ value }) => !passed.has(value)))
      for (const { value } of next) {
        passed.add(value)
      }
    }
    return false
  }

  /** Returns where a value is written, or what would hold it, as `file:line:column`. */
  locationOf(file: string, pointer: string): string {
    return this.#open(file).locationOf(pointer)
  }

  /** Returns the line where a value is written, or what would hold it. */
  lineOf({ file, pointer }: Location): number {
    return this.#open(file).lineOf(pointer)
  }

  /**
   * Returns where the value is written that keys lead to from the root of the first file, through references,
   * or what would hold it.
   */
  locate(keys: readonly string[]): string {
    const { file, pointer } = this.documents.locate(keys)
    return this.locationOf(file, pointer)
  }

  #open(file: string): SourceFile {
    return this.#files.getOrInsertComputed(file, () => new SourceFile(file))
  }
}

function findIn(node: unknown, keyword: string, file: string, at: string): readonly Located[] {
  if (typeof node !== 'object' || node === null) {
    return []
  }
  return Object.entries(node).flatMap(([key, value]) => {
    const pointer = toChild(at, key)
    const ofKey = key === keyword ? [{ file, pointer, value }] : []
    return [...ofKey, ...findIn(value, keyword, file, pointer)]
  })
}

function findObject(
  value: unknown,
  file: string,
  pointer: string,
  isWanted: (value: JsonObject, file: string, pointer: string) => boolean,
): Located | undefined {
  if (isObject(value) && isWanted(value, file, pointer)) {
    return { file, pointer, value }
  }
  if (typeof value !== 'object' || value === null) {
    return undefined
  }
  for (const [key, child] of Object.entries(value)) {
    const node = findObject(child, file, toChild(pointer, key), isWanted)
    if (node !== undefined) {
      return node
    }
  }
  return undefined
}

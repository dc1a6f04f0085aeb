import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { isList, isObject, type Json, type JsonObject, toObject, toText } from './json.ts'

/** A value of a description, with the file that it stands in, which references in it start from. */
export interface Located<Value extends Json = Json> {
  readonly value: Value
  readonly file: string
  /** The JSON Pointer of the value in its file. */
  readonly pointer: string
}

/** A description as its files say it: nothing is bundled, and nothing is changed. */
export class Document {
  readonly file: string
  readonly #files = new Map<string, Json>()

  /** Opens a description of one or several files, or one whose only file was read already. */
  constructor(file: string, value?: Json) {
    this.file = file
    if (value !== undefined) {
      this.#files.set(file, value)
    }
  }

  get root(): Located<JsonObject> {
    return { value: toObject(this.#read(this.file)), file: this.file, pointer: '' }
  }

  /** The minor version of OpenAPI: `3.0`, `3.1` or `3.2`. */
  get version(): string {
    const { openapi } = this.root.value
    return String(openapi).split('.').slice(0, 2).join('.')
  }

  /** The files that were read so far. */
  get files(): readonly string[] {
    return [...this.#files.keys()]
  }

  /** Returns a member of an object, located. */
  at(parent: Located<JsonObject>, ...keys: readonly string[]): Located | undefined {
    let value: Json | undefined = parent.value
    let { pointer } = parent
    for (const key of keys) {
      value = isList(value) ? value[Number(key)] : toObject(value)[key]
      pointer += `/${escapePointer(key)}`
    }
    return value === undefined ? undefined : { value, file: parent.file, pointer }
  }

  /** Returns the object behind references; an empty one if a reference leads nowhere. */
  follow(located: Located | undefined): Located<JsonObject> {
    let current = located
    for (let steps = 0; steps < 100 && current !== undefined; steps += 1) {
      const { value } = current
      const reference = isObject(value) ? value['$ref'] : undefined
      if (typeof reference !== 'string') {
        return { ...current, value: toObject(value) }
      }
      current = this.resolve(reference, current)
    }
    return { value: {}, file: this.file, pointer: '' }
  }

  /** Returns what a reference in a file leads to. */
  resolve(reference: string, from: Pick<Located, 'file'>): Located | undefined {
    const [address = '', fragment = ''] = reference.split('#')
    if (/^[a-z][a-z\d+.-]+:/i.test(address)) {
      return undefined
    }

    const path = decodeURIComponent(address)
    const file = path === '' ? from.file : resolve(dirname(from.file), path)
    const pointer = decodeURIComponent(fragment)
    let value: Json | undefined = this.#tryToRead(file)
    if (pointer !== '' && !pointer.startsWith('/')) {
      return findAnchor(value, pointer, file)
    }
    for (const token of pointer.split('/').slice(1)) {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
      value = isList(value) ? value[Number(key)] : toObject(value)[key]
    }
    return value === undefined ? undefined : { value, file, pointer }
  }

  #tryToRead(file: string): Json | undefined {
    try {
      return this.#read(file)
    } catch {
      return undefined
    }
  }

  #read(file: string): Json {
    const known = this.#files.get(file)
    if (known !== undefined) {
      return known
    }
    const value: Json = parseText(readFileSync(file, 'utf8'))
    this.#files.set(file, value)
    return value
  }
}

/** Returns the value of a text in YAML, or in JSON, which YAML has as a part. */
export function parseText(text: string): Json {
  return parse(text, { maxAliasCount: -1 })
}

/** Returns a key as a token of a JSON Pointer. */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Returns the schema with an `$anchor` in a file. */
function findAnchor(value: Json | undefined, anchor: string, file: string): Located | undefined {
  const open: [Json | undefined, string][] = [[value, '']]
  for (const [current, pointer] of open) {
    if (isObject(current) && toText(current['$anchor']) === anchor) {
      return { value: current, file, pointer }
    }
    if (typeof current === 'object' && current !== null) {
      for (const [key, member] of Object.entries(current)) {
        open.push([member, `${pointer}/${escapePointer(key)}`])
      }
    }
  }
  return undefined
}

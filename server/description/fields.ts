import type { DescriptionPart } from './description.ts'
import { isObject, type JsonObject, toObject } from './json.ts'
import type { Located, Location } from './location.ts'
import { toChild } from './pointer.ts'

const textKeys = [
  ...['title', 'description', 'summary', 'externalDocs'],
  ...['termsOfService', 'contact', 'license', 'identifier'],
]
const exampleKeys = ['example', 'examples']

/** A value in an object or a list, with its key. */
export interface Entry extends Located {
  readonly key: string
}

/** The keywords of an object of a description. Those that are not taken are kept. */
export class Fields {
  readonly at: Location
  readonly #node: Located
  readonly #value: JsonObject
  readonly #taken = new Set<string>()

  constructor(node: Located) {
    this.at = { file: node.file, pointer: node.pointer }
    this.#node = node
    this.#value = toObject(node.value)
  }

  /** Returns the value of a keyword, with its location. */
  take(key: string): Entry {
    this.#taken.add(key)
    const { file, pointer } = this.#node
    return { key, file, pointer: toChild(pointer, key), value: this.#value[key] }
  }

  takeText(key: string): string | undefined {
    const { value } = this.take(key)
    return value === undefined ? undefined : String(value)
  }

  takeFlag(key: string): boolean {
    return this.take(key).value === true
  }

  takeObject(key: string): JsonObject {
    return toObject(this.take(key).value)
  }

  /** Returns the entries of a list or of an object. */
  takeEntries(key: string): readonly Entry[] {
    return entriesOf(this.take(key))
  }

  /** Returns the keywords that were not taken: texts, examples and others. */
  rest(): DescriptionPart {
    const texts: Record<string, unknown> = {}
    const examples: Record<string, unknown> = {}
    const others: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(this.#value)) {
      if (this.#taken.has(key)) {
        continue
      }

      if (textKeys.includes(key)) {
        texts[key] = value
      } else if (exampleKeys.includes(key)) {
        examples[key] = value
      } else {
        others[key] = value
      }
    }
    return { at: this.at, texts, examples, others }
  }
}

/** Returns the entries of a list or of an object, with their locations. */
export function entriesOf({ file, pointer, value }: Located): readonly Entry[] {
  if (!isObject(value) && !Array.isArray(value)) {
    return []
  }
  return Object.entries(value).map(([key, each]) => {
    return { key, file, pointer: toChild(pointer, key), value: each }
  })
}

/** Returns the value of a keyword of an object, with its location. */
export function childOf({ file, pointer, value }: Located, keyword: string): Located {
  return { file, pointer: toChild(pointer, keyword), value: toObject(value)[keyword] }
}

/** Returns the items of a list, or the members of an object, under a keyword, with their locations. */
export function childrenOf(node: Located, keyword: string): readonly Entry[] {
  return entriesOf(childOf(node, keyword))
}

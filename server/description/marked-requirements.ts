import type { Documents } from './documents.ts'
import { isObject, type JsonObject, toList, toObject } from './json.ts'
import { editNodes, type NodeKind } from './nodes.ts'
import { type Mark, markedNames } from './schemas.ts'

/**
 * Returns an object of a bundled description in which no schema requires a property that it, or a part of it,
 * marks; nor does any of its parts. A part that is a reference is written in place if its target requires one:
 * the target itself still does.
 */
export function withoutMarkedRequirements(
  value: unknown,
  kind: NodeKind,
  mark: Mark,
  documents: Documents,
): unknown {
  return new MarkedRequirements(mark, documents).remove(value, kind)
}

/** Keywords of which each schema applies to the same value, always or under a condition. */
const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf'])
const conditions: ReadonlySet<string> = new Set(['then', 'else'])

class MarkedRequirements {
  readonly #mark: Mark
  readonly #documents: Documents
  /** The references that are being written in place: one that leads back to itself ends there. */
  readonly #open = new Set<string>()

  constructor(mark: Mark, documents: Documents) {
    this.#mark = mark
    this.#documents = documents
  }

  remove(value: unknown, ofKind: NodeKind): unknown {
    return editNodes(value, ofKind, (node, kind) => {
      if (kind !== 'schema') {
        return node
      }
      // In a bundled description, references are relative to its root.
      const located = { ...this.#documents.root, value: node }
      const names = markedNames(located, this.#mark, this.#documents)
      return names.size === 0 ? node : this.#without(node, names)
    })
  }

  /** Returns a schema that requires none of some names; the same schema if it does not. */
  #without(schema: JsonObject, names: ReadonlySet<string>): JsonObject {
    const entries = Object.entries(schema)
    const edited = entries.map(
      ([keyword, value]) => [keyword, this.#editKeyword(keyword, value, names)] as const,
    )
    const isSame = edited.every(([, value], index) => value === entries[index]?.[1])
    const withoutOwn = isSame ? schema : Object.fromEntries(edited)
    return typeof schema['$ref'] === 'string' ? this.#withoutTarget(withoutOwn, names) : withoutOwn
  }

  #editKeyword(keyword: string, value: unknown, names: ReadonlySet<string>): unknown {
    if (keyword === 'required') {
      return withoutNames(value, names)
    }
    if (keyword === 'dependentRequired') {
      return editEach(value, (list) => withoutNames(list, names))
    }
    if (lists.has(keyword) || keyword === 'dependentSchemas') {
      return editEach(value, (part) => this.#withoutIn(part, names))
    }
    return conditions.has(keyword) ? this.#withoutIn(value, names) : value
  }

  #withoutIn(part: unknown, names: ReadonlySet<string>): unknown {
    return isObject(part) ? this.#without(part, names) : part
  }

  /** Writes the target of a reference in place, if it requires some of the names. */
  #withoutTarget(schema: JsonObject, names: ReadonlySet<string>): JsonObject {
    const { $ref: _, ...beside } = schema
    const target = this.#documents.tryNext({ ...this.#documents.root, value: schema })
    if (!isObject(target?.value) || this.#open.has(target.pointer)) {
      return schema
    }

    this.#open.add(target.pointer)
    const edited = this.#without(target.value, names)
    const inside = edited === target.value ? undefined : toObject(this.remove(edited, 'schema'))
    this.#open.delete(target.pointer)
    if (inside === undefined) {
      return schema
    }
    if (Object.keys(beside).length === 0) {
      return inside
    }
    return { ...beside, allOf: [...toList(beside['allOf']), inside] }
  }
}

/** Returns a list without some names; the same list if it has none of them. */
function withoutNames(list: unknown, names: ReadonlySet<string>): unknown {
  if (!Array.isArray(list)) {
    return list
  }
  const kept = list.filter((name) => !names.has(String(name)))
  return kept.length === list.length ? list : kept
}

/** Edits each item of a list, or each member of an object; returns the same one if no edit changes anything. */
function editEach(value: unknown, edit: (each: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    const edited = value.map(edit)
    return edited.every((item, index) => item === value[index]) ? value : edited
  }
  if (!isObject(value)) {
    return value
  }

  const edited = Object.entries(value).map(([key, each]) => [key, edit(each)] as const)
  const isSame = edited.every(([key, each]) => each === value[key])
  return isSame ? value : Object.fromEntries(edited)
}

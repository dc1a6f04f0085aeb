import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PlainError } from '../plain-error.ts'

/** A description that the service cannot run, with what to do about it. */
export class ContractError extends PlainError {
  override readonly name = 'ContractError'
}

/** A JSON value as a description holds it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json | undefined
}

/** An OpenAPI description, bundled into one document. */
export type Description = JsonObject

/** Returns whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Reads a bundled description whose SHA-256 digest stands beside it, in `<file>.sha256`; throws a
 * `ContractError` when either is missing, or when they do not belong together.
 */
export function readDescription(file: URL): Description {
  const text = read(file)
  const digest = hash('sha256', text)
  if (!read(new URL(`${file}.sha256`)).startsWith(`${digest} `)) {
    const message = `${fileURLToPath(file)} is not what was generated with the rest.`
    throw new ContractError(`${message} ${advice}`)
  }
  return JSON.parse(text)
}

const advice = 'Run: npm run generate'

function read(file: URL): string {
  if (existsSync(file)) return readFileSync(file, 'utf8')
  throw new ContractError(`There is no ${fileURLToPath(file)}. ${advice}`)
}

/** A place in a description: the node there, and the JSON Pointer (RFC 6901) to it. */
export interface Located {
  readonly node: JsonObject
  readonly pointer: string
}

/** Follows names from a place, through every `$ref` on the way; returns undefined if there is nothing. */
export function locate(
  description: Description,
  from: Located,
  ...names: readonly string[]
): Located | undefined {
  let at: Located | undefined = resolve(description, from)
  for (const name of names) {
    const node: Json | undefined = at?.node[name]
    if (at === undefined || !isObject(node)) return undefined
    at = resolve(description, { node, pointer: `${at.pointer}/${escapeToken(name)}` })
  }
  return at
}

/** Returns the place to begin with. */
export function rootOf(description: Description): Located {
  return { node: description, pointer: '' }
}

function resolve(description: Description, at: Located, hops = 0): Located {
  const reference = at.node['$ref']
  if (typeof reference !== 'string') return at
  const node = hops > 32 ? undefined : lookUp(description, reference)
  if (node === undefined) throw new Error(`Unresolvable $ref ${reference}`)
  return resolve(description, { node, pointer: reference.slice(1) }, hops + 1)
}

/** Returns the object that a local `$ref` points to; undefined if there is none. */
export function lookUp(description: Description, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#/')) return undefined
  let node: Json | undefined = description
  for (const token of reference.slice(2).split('/')) {
    node = isObject(node) ? node[unescapeToken(decodeURIComponent(token))] : undefined
  }
  return isObject(node) ? node : undefined
}

/** Writes a name as one token of a JSON Pointer (RFC 6901). */
export function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Reads one token of a JSON Pointer (RFC 6901). */
export function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Returns the names of all properties in a description, whatever their schema. */
export function fieldNamesOf(node: unknown, names: Set<string> = new Set()): ReadonlySet<string> {
  if (Array.isArray(node)) for (const item of node) fieldNamesOf(item, names)
  if (!isObject(node)) return names
  for (const [keyword, child] of Object.entries(node)) {
    if (keyword === 'properties') for (const name of Object.keys(Object(child))) names.add(name)
    fieldNamesOf(child, names)
  }
  return names
}

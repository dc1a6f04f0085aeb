import { dirname, resolve } from 'node:path'
import type { Oas3Decorator } from '@redocly/openapi-core'
import {
  dereference,
  isObject,
  type JsonObject,
  pointAt,
  toChild,
  toList,
  toObject,
} from '../pipeline/description.ts'
import { methods } from '../pipeline/operation-entries.ts'
import { completeEnum } from './rules/extensible-enum.ts'

/** A value of a description, the file that holds it and, if a reference led to it, its JSON Pointer there. */
export interface Placed {
  readonly node: unknown
  readonly file: string
  readonly pointer?: string | undefined
}

/** Returns the target of a reference, or the value itself where it is no reference. */
type Follow = (value: Placed) => Placed

/** The extension of the root object that declares what every operation has in common. */
export const commonKey = 'x-common'

/** A response by its status, in the file that lists it. */
interface Entry {
  readonly responses: JsonObject
  readonly status: string
  readonly file: string
  /** The keys of `x-common` with the headers that not every response has. */
  readonly kinds: readonly string[]
}

/**
 * Adds the headers and responses of `x-common` to the operations of a description, in place. A part
 * keeps what it declares itself, so that a description may be passed again.
 */
export function addCommonParts(root: JsonObject, file: string, follow: Follow): void {
  if (!(commonKey in root)) return
  const common = toObject(root[commonKey])
  const sent = entriesOf(toObject(root['x-undeclared-operations']), file)
  for (const found of operationsIn(root, file, follow)) {
    sent.push(...addResponses(found, common, file, follow))
  }
  const kindsByResponse = new Map<unknown, Set<string>>()
  for (const { responses, status, file: at, kinds } of sent) {
    const { node } = follow({ node: responses[status], file: at })
    const known = kindsByResponse.get(node) ?? new Set()
    kindsByResponse.set(node, known.add(kinds.join()))
  }
  // A description may have no operation to which some of them are added.
  const { responses, requestBodyResponses, idempotencyKeyResponses } = common
  const added = [responses, requestBodyResponses, idempotencyKeyResponses]
  const unsent = added.flatMap((some) => entriesOf(toObject(some), file))
  for (const entry of [...sent, ...unsent]) {
    const given = { node: entry.responses[entry.status], file: entry.file }
    const target = follow(given)
    if (!isObject(target.node)) continue
    const [ofAll, ...ofKinds] = ['headers', ...entry.kinds].map((kind) => toObject(common[kind]))
    const isForOthers = Number(kindsByResponse.get(target.node)?.size) > 1
    if (isForOthers && entry.kinds.length > 0) {
      const own = copyOf(target, given)
      Object.assign(entry.responses, { [entry.status]: own })
      addHeaders({ node: own, file: entry.file }, file, ofAll, ofKinds)
    } else {
      addHeaders(target, file, ofAll, ofKinds)
    }
  }
}

function entriesOf(responses: JsonObject, file: string, kinds: Entry['kinds'] = []): Entry[] {
  return Object.keys(responses).map((status) => ({ responses, status, file, kinds }))
}

/** Adds the responses that an operation does not declare itself; returns all of them. */
function addResponses(
  { pathItem, operation, file: holder }: FoundOperation,
  common: JsonObject,
  file: string,
  follow: Follow,
): Entry[] {
  if (operation['responses'] === undefined) Object.assign(operation, { responses: {} })
  const { node: responses, file: at } = follow({ node: operation['responses'], file: holder })
  if (!isObject(responses)) return []
  const hasKey = hasIdempotencyKey([pathItem, { node: operation, file: holder }], follow)
  const added = {
    ...toObject(common['responses']),
    ...(operation['requestBody'] !== undefined && toObject(common['requestBodyResponses'])),
    ...(hasKey && toObject(common['idempotencyKeyResponses'])),
  }
  replaceContent(responses, { ...seenFrom(at, file, added), ...responses })
  const ofDeprecated = operation['deprecated'] === true ? ['deprecationHeaders'] : []
  return entriesOf(responses, at).map((entry) => {
    const isRepeatable = hasKey && entry.status.startsWith('2')
    const ofRepeated = isRepeatable ? ['idempotencyKeyHeaders'] : []
    return { ...entry, kinds: [...ofDeprecated, ...ofRepeated] }
  })
}

/** Adds headers of `x-common`, which `file` holds, to a response. */
function addHeaders(
  { node, file: holder }: Placed,
  file: string,
  ofAll: JsonObject = {},
  ofKinds: readonly JsonObject[] = [],
): void {
  const { description, headers, ...others } = toObject(node)
  const own = toObject(headers)
  const seen = [ofAll, ...ofKinds].map((entries) => seenFrom(holder, file, entries))
  // Own ones stand before those of some operations, and win over all.
  const [first, ...more] = seen
  const all = Object.assign({}, first, own, ...more, own)
  if (Object.keys(all).length === 0) return
  const head = 'description' in toObject(node) && { description }
  replaceContent(toObject(node), { ...head, headers: all, ...others })
}

/**
 * Returns a response that shares its parts with another one by references, so that findings in them stay
 * where they are written.
 */
function copyOf({ node, file, pointer }: Placed, given: Placed): JsonObject {
  const { description, headers, content, ...others } = toObject(node)
  // Two operations have one response without a reference by an alias of YAML.
  if (pointer === undefined) return structuredClone(toObject(node))
  const start = `${file === given.file ? '' : file}${pointer}`
  const names = Object.keys(toObject(headers))
  return {
    description: toObject(given.node)['description'] ?? description,
    headers: Object.fromEntries(
      names.map((name) => [name, { $ref: toChild(`${start}/headers`, name) }]),
    ),
    ...structuredClone(others),
    ...(content !== undefined && { content: { $ref: `${start}/content` } }),
  }
}

/** An operation, with the path item and the file that hold it. */
interface FoundOperation {
  readonly pathItem: Placed
  readonly operation: JsonObject
  readonly file: string
}

/** Returns the operations that clients may call; those of callbacks and webhooks are the clients' own. */
function* operationsIn(root: JsonObject, file: string, follow: Follow): Generator<FoundOperation> {
  for (const node of Object.values(toObject(root['paths']))) {
    const pathItem = follow({ node, file })
    for (const [method, operation] of Object.entries(toObject(pathItem.node))) {
      if (!methods.includes(method) || !isObject(operation)) continue
      yield { pathItem, operation, file: pathItem.file }
    }
  }
}

/** Returns whether an operation, or its path, has the parameter `Idempotency-Key`. */
function hasIdempotencyKey(declaring: readonly Placed[], follow: Follow): boolean {
  return declaring.some(({ node, file }) =>
    toList(toObject(node)['parameters']).some((parameter) => {
      const { name, in: where } = toObject(follow({ node: parameter, file }).node)
      return where === 'header' && String(name).toLowerCase() === 'idempotency-key'
    }),
  )
}

/** Returns entries of `x-common` as another file must write them, each a value of its own. */
function seenFrom(holder: string, file: string, entries: JsonObject): JsonObject {
  const own = structuredClone(entries)
  if (holder === file) return own
  for (const entry of Object.values(own)) {
    const { $ref } = toObject(entry)
    if (typeof $ref !== 'string' || URL.canParse($ref)) continue
    const [uri = '', fragment = ''] = $ref.split('#')
    const target = uri === '' ? file : resolve(dirname(file), uri)
    Object.assign(toObject(entry), { $ref: `${target}#${fragment}` })
  }
  return own
}

function replaceContent(node: JsonObject, content: JsonObject): void {
  for (const key of Object.keys(node)) Reflect.deleteProperty(node, key)
  Object.assign(node, content)
}

/** Adds what `x-common` and `x-extensible-enum` mean, before a description is linted or bundled. */
const addCommon: Oas3Decorator = () => ({
  Schema(schema) {
    completeEnum(toObject(schema))
  },
  Root(root, { location, resolve }) {
    const follow = (value: Placed): Placed => {
      const { $ref } = toObject(value.node)
      if (typeof $ref !== 'string') return value
      const target = resolve({ $ref }, value.file)
      const { source, pointer } = target.location ?? {}
      return { node: target.node, file: source?.absoluteRef ?? value.file, pointer }
    }
    addCommonParts(toObject(root), location.source.absoluteRef, follow)
  },
})

/** Removes `x-common` from a bundled description: the operations have all of it. */
const removeCommon: Oas3Decorator = () => ({
  Root: {
    leave(root) {
      Reflect.deleteProperty(root, commonKey)
    },
  },
})

/** Replaces references to parts of other responses, which few tools follow, by these parts. */
const inlineParts: Oas3Decorator = () => ({
  Root: {
    leave(root) {
      const bundled = toObject(root)
      const follow = ({ node, file }: Placed) => ({ node: dereference(bundled, node), file })
      const inlined = new Set<string>()
      for (const { operation } of operationsIn(bundled, '', follow)) {
        for (const response of Object.values(toObject(operation['responses']))) {
          inlineHeaders(bundled, toObject(response))
          inlined.add(inlineContent(bundled, toObject(response)))
        }
      }
      removeMediaTypes(toObject(bundled['components']), inlined)
    },
  },
})

function inlineHeaders(root: JsonObject, response: JsonObject): void {
  const headers = toObject(response['headers'])
  for (const [name, header] of Object.entries(headers)) {
    const { $ref } = toObject(header)
    if (typeof $ref !== 'string' || !$ref.startsWith('#/components/responses/')) continue
    Object.assign(headers, { [name]: structuredClone(pointAt(root, $ref)) })
  }
}

/** Returns the reference that was replaced, or an empty text. */
function inlineContent(root: JsonObject, response: JsonObject): string {
  const { $ref } = toObject(response['content'])
  if (typeof $ref !== 'string') return ''
  Object.assign(response, { content: structuredClone(pointAt(root, $ref)) })
  return $ref
}

// Redocly takes the content of a response in another file for a shared media type.
function removeMediaTypes(components: JsonObject, references: ReadonlySet<string>): void {
  const mediaTypes = toObject(components['mediaTypes'])
  for (const name of Object.keys(mediaTypes)) {
    if (!references.has(toChild('#/components/mediaTypes', name))) continue
    Reflect.deleteProperty(mediaTypes, name)
  }
  if (Object.keys(mediaTypes).length === 0) Reflect.deleteProperty(components, 'mediaTypes')
}

// Redocly would run a decorator that has the name of a preprocessor as a preprocessor too.
/** The part of a plugin of Redocly that completes descriptions. */
export const commonParts = {
  preprocessors: { oas3: { 'add-common': addCommon } },
  decorators: { oas3: { 'remove-common': removeCommon, 'inline-parts': inlineParts } },
}

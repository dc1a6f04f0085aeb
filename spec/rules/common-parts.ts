import { dirname, resolve } from 'node:path'
import type { Oas3Decorator } from '@redocly/openapi-core'
import { isObject, type JsonObject, toList, toObject } from '../../scripts/pipeline/description.ts'
import { methods } from '../../scripts/pipeline/operation-entries.ts'

/** A value of a description and the file that holds it. */
export interface Placed {
  readonly node: unknown
  readonly file: string
}

/** Returns the target of a reference, or the value itself where it is no reference. */
type Follow = (value: Placed) => Placed

/** The extension of the root object that declares what every operation has in common. */
export const commonKey = 'x-common'

/**
 * Adds the headers and responses of `x-common` to the operations of a description, in place. A part
 * keeps what it declares itself, so that a description may be passed again.
 */
export function addCommonParts(root: JsonObject, file: string, follow: Follow): void {
  if (!(commonKey in root)) return
  const common = toObject(root[commonKey])
  const addHeaders = (response: Placed, kinds: readonly string[] = []) => {
    const { node, file: holder } = follow(response)
    if (!isObject(node)) return
    const { description, headers, ...others } = node
    const own = toObject(headers)
    const [ofAll, ...ofKinds] = ['headers', ...kinds].map((kind) =>
      seenFrom(holder, file, toObject(common[kind])),
    )
    // Own ones stand before those of some operations, and win over all.
    const all = Object.assign({}, ofAll, own, ...ofKinds, own)
    if (Object.keys(all).length === 0) return
    const head = 'description' in node && { description }
    replaceContent(node, { ...head, headers: all, ...others })
  }
  for (const { pathItem, operation, file: holder } of operationsIn(root, file, follow)) {
    if (operation['responses'] === undefined) Object.assign(operation, { responses: {} })
    const { node: responses, file: at } = follow({ node: operation['responses'], file: holder })
    if (!isObject(responses)) continue
    const hasKey = hasIdempotencyKey([pathItem, { node: operation, file: holder }], follow)
    const added = {
      ...toObject(common['responses']),
      ...(operation['requestBody'] !== undefined && toObject(common['requestBodyResponses'])),
      ...(hasKey && toObject(common['idempotencyKeyResponses'])),
    }
    replaceContent(responses, { ...seenFrom(at, file, added), ...responses })
    for (const [status, node] of Object.entries(responses)) {
      const kinds = operation['deprecated'] === true ? ['deprecationHeaders'] : []
      if (hasKey && status.startsWith('2')) kinds.push('idempotencyKeyHeaders')
      addHeaders({ node, file: at }, kinds)
    }
  }
  // A description may have no operation to which some of them are added.
  const { responses, requestBodyResponses, idempotencyKeyResponses } = common
  const declared = [responses, requestBodyResponses, idempotencyKeyResponses]
  for (const some of [...declared, root['x-undeclared-operations']]) {
    for (const node of Object.values(toObject(some))) addHeaders({ node, file })
  }
}

/** Returns the operations that clients may call; those of callbacks and webhooks are the clients' own. */
function* operationsIn(root: JsonObject, file: string, follow: Follow) {
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

/** Adds what `x-common` declares to the operations, before a description is linted or bundled. */
const addCommon: Oas3Decorator = () => ({
  Root(root, { location, resolve }) {
    const follow = (value: Placed): Placed => {
      const { $ref } = toObject(value.node)
      if (typeof $ref !== 'string') return value
      const target = resolve({ $ref }, value.file)
      return { node: target.node, file: target.location?.source.absoluteRef ?? value.file }
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

// Redocly would run a decorator that has the name of a preprocessor as a preprocessor too.
/** The part of a plugin of Redocly that completes descriptions. */
export const commonParts = {
  preprocessors: { oas3: { 'add-common': addCommon } },
  decorators: { oas3: { 'remove-common': removeCommon } },
}

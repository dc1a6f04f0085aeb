import type { Oas3Decorator } from '@redocly/openapi-core'
import { toDocuments } from '../../server/description/documents.ts'
import { type JsonObject, toObject } from '../../server/description/json.ts'
import type { Located } from '../../server/description/location.ts'
import { toChild, valueAt } from '../../server/description/pointer.ts'
import { operationsIn } from './called-operations.ts'

/** Replaces references to parts of other responses, which few tools follow, by these parts. */
export const inlineParts: Oas3Decorator = () => ({
  Root: {
    leave(root) {
      const bundled = toObject(root)
      const documents = toDocuments(bundled)
      const follow = (node: Located) => documents.follow(node)
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
    Object.assign(headers, { [name]: structuredClone(valueAt(root, $ref)) })
  }
}

/** Returns the reference that was replaced, or an empty text. */
function inlineContent(root: JsonObject, response: JsonObject): string {
  const { $ref } = toObject(response['content'])
  if (typeof $ref !== 'string') return ''
  Object.assign(response, { content: structuredClone(valueAt(root, $ref)) })
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

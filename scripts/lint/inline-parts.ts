import type { Oas3Decorator } from '@redocly/openapi-core'
import { type Documents, toDocuments } from '../../server/description/documents.ts'
import { type JsonObject, toObject } from '../../server/description/json.ts'
import type { Located } from '../../server/description/location.ts'
import { toChild } from '../../server/description/pointer.ts'
import { type Follow, operationsIn } from './called-operations.ts'

/** Replaces references to parts of other responses, which few tools follow, by these parts. */
export const inlineParts: Oas3Decorator = () => ({
  Root: {
    leave(root) {
      const bundled = toObject(root)
      const documents = toDocuments(bundled)
      const follow = (node: Located) => documents.follow(node)
      const inlined = new Set<string>()
      for (const response of responsesIn(bundled, follow)) {
        inlineHeaders(response, documents)
        inlined.add(inlineContent(response, documents))
      }
      removeMediaTypes(toObject(bundled['components']), inlined)
    },
  },
})

/** Returns the responses to requests of operations, and to all others. */
function responsesIn(root: JsonObject, follow: Follow): readonly JsonObject[] {
  const ofOperations = Array.from(operationsIn(root, '', follow), ({ operation }) =>
    Object.values(toObject(operation['responses'])),
  )
  const undeclared = Object.values(toObject(root['x-undeclared-operations']))
  return [...ofOperations.flat(), ...undeclared, root['x-framing-response']].map(toObject)
}

/** Replaces references to headers of other responses by these headers. */
function inlineHeaders(response: JsonObject, documents: Documents): void {
  const headers = toObject(response['headers'])
  for (const [name, header] of Object.entries(headers)) {
    const { $ref } = toObject(header)
    const isOfResponse = typeof $ref === 'string' && $ref.startsWith('#/components/responses/')
    if (isOfResponse) {
      Object.assign(headers, { [name]: structuredClone(documents.followValue(header)) })
    }
  }
}

/** Replaces a reference to the content of another response by that content; returns the reference, or an empty text. */
function inlineContent(response: JsonObject, documents: Documents): string {
  const { content } = response
  const { $ref } = toObject(content)
  if (typeof $ref !== 'string') {
    return ''
  }
  Object.assign(response, { content: structuredClone(documents.followValue(content)) })
  return $ref
}

/** Removes media types of the components: Redocly takes the content of a response in another file for a shared one. */
function removeMediaTypes(components: JsonObject, references: ReadonlySet<string>): void {
  const mediaTypes = toObject(components['mediaTypes'])
  for (const name of Object.keys(mediaTypes)) {
    if (references.has(toChild('#/components/mediaTypes', name))) {
      Reflect.deleteProperty(mediaTypes, name)
    }
  }
  if (Object.keys(mediaTypes).length === 0) {
    Reflect.deleteProperty(components, 'mediaTypes')
  }
}

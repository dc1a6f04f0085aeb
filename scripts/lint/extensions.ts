import type { NodeType } from '@redocly/openapi-core'

/** Redocly's types of nodes, by name. */
type NodeTypes = Record<string, NodeType>

/** The properties that complete a description, its own ones or the platform's. */
const completing = {
  'x-common': 'CommonParts',
  'x-scope-responses': 'Responses',
  'x-unserved-responses': 'Responses',
  'x-undeclared-operations': 'Responses',
  'x-framing-response': 'Response',
}

/** Adds the types of what completes a description. */
export function extendRoot(types: NodeTypes): NodeTypes {
  return {
    ...types,
    Root: withProperties(types['Root'], { ...completing, 'x-platform': 'PlatformParts' }),
    PlatformParts: { properties: completing },
    CommonParts: {
      properties: {
        headers: 'HeadersMap',
        deprecationHeaders: 'HeadersMap',
        responses: 'Responses',
        requestBodyResponses: 'Responses',
        idempotencyKeyHeaders: 'HeadersMap',
        forbiddenHeaders: 'HeadersMap',
        idempotencyKeyResponses: 'Responses',
      },
    },
  }
}

/** Adds the types of our own `x-` properties, so that the linter checks their contents. */
export function extendTypes(types: NodeTypes): NodeTypes {
  return {
    ...extendRoot(types),
    Operation: withProperties(types['Operation'], {
      'x-deprecated-at': { type: 'string' },
      'x-sunset': { type: 'string' },
      'x-replaced-by': 'Replacement',
      'x-paginated-by': { type: 'string' },
      'x-operation-name': { type: 'string' },
    }),
    RequestBody: withProperties(types['RequestBody'], {
      'x-max-bytes': { type: 'integer', minimum: 1 },
    }),
    Replacement: {
      properties: {
        operationId: { type: 'string' },
        description: { type: 'string' },
        url: { type: 'string' },
      },
      required: ['operationId'],
    },
  }
}

function withProperties(type: NodeType | undefined, properties: NodeType['properties']): NodeType {
  return { ...type, properties: { ...type?.properties, ...properties } }
}

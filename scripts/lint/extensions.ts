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

/** Adds the types of what completes a description, and of schemas in extensions, whose references are followed. */
export function extendRoot(redoclyTypes: NodeTypes): NodeTypes {
  const types = correctTypes(redoclyTypes)
  return {
    ...types,
    Root: withProperties(types['Root'], { ...completing, 'x-platform': 'PlatformParts' }),
    MediaType: withProperties(types['MediaType'], { 'x-item-schema': 'Schema' }),
    PlatformParts: { properties: completing },
    HeadersByStatus: { properties: {}, additionalProperties: 'HeadersMap' },
    CommonParts: {
      properties: {
        headers: 'HeadersMap',
        deprecationHeaders: 'HeadersMap',
        responses: 'Responses',
        requestBodyResponses: 'Responses',
        idempotencyKeyHeaders: 'HeadersMap',
        forbiddenHeaders: 'HeadersMap',
        errorHeaders: 'HeadersByStatus',
        idempotencyKeyResponses: 'Responses',
      },
    },
  }
}

/** The limit of a body, or of a file in one. */
const maxBytes = { 'x-max-bytes': { type: 'integer', minimum: 1 } } as const

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
    RequestBody: withProperties(types['RequestBody'], maxBytes),
    Schema: withProperties(types['Schema'], maxBytes),
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

/** Returns the types without the errors that those of OpenAPI 3.2 have in Redocly 2.77. */
function correctTypes(types: NodeTypes): NodeTypes {
  const { DeviceAuthorization, Response, Encoding } = types
  if (DeviceAuthorization === undefined) {
    return types
  }
  const scopes = { type: 'object', additionalProperties: { type: 'string' } } as const
  return {
    ...types,
    // Its scopes would have a type that does not exist, at which the linter fails.
    DeviceAuthorization: withProperties(DeviceAuthorization, { scopes }),
    // A media type would be a map of media types.
    NamedMediaTypes: { properties: {}, additionalProperties: 'MediaType' },
    // The description is not required any more.
    Response: { properties: {}, ...Response, required: [] },
    EncodingList: { properties: {}, items: 'Encoding' },
    Encoding: withProperties(Encoding, {
      encoding: 'EncodingMap',
      prefixEncoding: 'EncodingList',
      itemEncoding: 'Encoding',
    }),
  }
}

function withProperties(type: NodeType | undefined, properties: NodeType['properties']): NodeType {
  return { ...type, properties: { ...type?.properties, ...properties } }
}

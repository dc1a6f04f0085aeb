/** Redocly's type of a node, with the types of its properties. */
interface NodeType {
  readonly properties: { readonly [name: string]: unknown }
  readonly required?: readonly string[]
}

interface NodeTypes {
  readonly [name: string]: NodeType
}

/** Adds the types of our own `x-` properties, so that the linter checks their contents. */
export function extendTypes(types: NodeTypes): NodeTypes {
  return {
    ...types,
    Root: withProperties(types['Root'], {
      'x-common': 'CommonParts',
      'x-undeclared-operations': 'Responses',
      'x-framing-response': 'Response',
    }),
    Operation: withProperties(types['Operation'], {
      'x-deprecated-at': { type: 'string' },
      'x-sunset': { type: 'string' },
      'x-replaced-by': 'Replacement',
      'x-paginated-by': { type: 'string' },
    }),
    RequestBody: withProperties(types['RequestBody'], {
      'x-max-bytes': { type: 'integer', minimum: 1 },
    }),
    CommonParts: {
      properties: {
        headers: 'HeadersMap',
        deprecationHeaders: 'HeadersMap',
        responses: 'Responses',
        requestBodyResponses: 'Responses',
        idempotencyKeyHeaders: 'HeadersMap',
        idempotencyKeyResponses: 'Responses',
      },
    },
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

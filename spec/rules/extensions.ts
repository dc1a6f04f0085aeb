/** Redocly's type of a node: what its properties are. */
interface NodeType {
  readonly properties: { readonly [name: string]: unknown }
  readonly required?: readonly string[]
}

interface NodeTypes {
  readonly [name: string]: NodeType
}

/** Tells the linter what our own `x-` properties hold, so that it looks into them. */
export function extendTypes(types: NodeTypes): NodeTypes {
  return {
    ...types,
    Root: withProperties(types['Root'], {
      'x-outside-operations': 'Responses',
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
    Replacement: {
      properties: { operationId: { type: 'string' }, description: { type: 'string' } },
      required: ['operationId'],
    },
  }
}

function withProperties(type: NodeType | undefined, properties: NodeType['properties']): NodeType {
  return { ...type, properties: { ...type?.properties, ...properties } }
}

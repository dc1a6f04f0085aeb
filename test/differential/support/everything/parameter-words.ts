/** An operation's parameters. */
export interface ParameterSet {
  readonly path?: string
  readonly rows: readonly object[]
}

export const query = (name: string, schema: object, more: object = {}) => ({
  ...{ name, in: 'query', schema },
  ...more,
})
export const header = (name: string, schema: object, more: object = {}) => ({
  ...{ name, in: 'header', schema },
  ...more,
})
export const cookie = (name: string, schema: object) => ({ name, in: 'cookie', schema })
export const path = (name: string, schema: object) => ({ name, in: 'path', required: true, schema })
export const list = { type: 'array', items: { type: 'integer' } }
export const object = {
  type: 'object',
  properties: { a: { type: 'string' }, limit: { type: 'integer' } },
}

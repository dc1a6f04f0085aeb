/** A reference to a schema of the description. */
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
export const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  ...more,
})
export const text = { type: 'string' }
export const integer = { type: 'integer' }

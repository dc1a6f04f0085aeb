/** The keys of a path item that hold operations. */
export const methods: readonly string[] = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
]

/** These, and the one that is new in OpenAPI 3.2; others are in `additionalOperations`. */
export const allMethods: readonly string[] = [...methods, 'query']

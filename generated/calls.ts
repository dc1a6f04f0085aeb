// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.

/** How each operation is called, by operationId. */
export const calls = {
  /**
   * List animals
   */
  "listPets": {
    "method": "get",
    "path": "/pets",
    "query": true,
    "cursor": "cursor"
  },
  /**
   * Add an animal
   */
  "createPet": {
    "method": "post",
    "path": "/pets",
    "body": true,
    "idempotent": true
  },
  /**
   * Get an animal
   * @deprecated It will be removed on 2030-12-05. Use GET /pets with the status filter instead.
   */
  "getPet": {
    "method": "get",
    "path": "/pets/{petId}",
    "replacement": "GET /pets with the status filter"
  },
} as const

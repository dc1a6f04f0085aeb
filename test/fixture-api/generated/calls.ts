// Generated from openapi.yaml by `npm run generate`. Do not edit.

/** How each operation is called, by operationId. */
export const calls = {
  /**
   * List tools
   */
  "listTools": {
    "method": "get",
    "path": "/tools",
    "query": true,
    "cursor": "cursor"
  },
  /**
   * Create a tool
   */
  "createTool": {
    "method": "post",
    "path": "/tools",
    "body": true,
    "idempotent": true
  },
  /**
   * Get a tool
   */
  "getTool": {
    "method": "get",
    "path": "/tools/{toolId}"
  },
  /**
   * Replace a tool
   */
  "replaceTool": {
    "method": "put",
    "path": "/tools/{toolId}",
    "body": true
  },
  /**
   * Update a tool
   */
  "updateTool": {
    "method": "patch",
    "path": "/tools/{toolId}",
    "body": true
  },
  /**
   * Delete a tool
   */
  "deleteTool": {
    "method": "delete",
    "path": "/tools/{toolId}"
  },
  /**
   * Get the manual of a tool
   * @deprecated It will be removed on 2031-01-31. Use GET /tools/{toolId} instead.
   */
  "getManual": {
    "method": "get",
    "path": "/tools/{toolId}/manual",
    "replacement": "GET /tools/{toolId}"
  },
  /**
   * Get a loan of a member
   */
  "getLoan": {
    "method": "get",
    "path": "/members/{member}/loans/{number}.json"
  },
  /**
   * Get the opening hours
   */
  "getOpeningHours": {
    "method": "get",
    "path": "/opening-hours"
  },
} as const

// Generated from openapi.yaml by `npm run generate`. Do not edit.

/** The path that the description's server URLs end in. */
export const basePath = "/lending/v2"

/** What a service needs to know of each operation at run time, by operationId. */
export const operations = {
  "listTools": {
    "operationId": "listTools",
    "method": "get",
    "path": "/tools",
    "security": [
      {
        "apiKey": []
      }
    ],
    "parameters": {
      "path": {},
      "query": {
        "limit": {
          "required": false,
          "type": "integer",
          "default": 10
        },
        "cursor": {
          "required": false,
          "type": "string"
        },
        "kind": {
          "required": false,
          "type": "string"
        },
        "tag": {
          "required": false,
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "ids": {
          "required": false,
          "type": "array",
          "items": {
            "type": "integer"
          },
          "explode": false
        },
        "heavier-than": {
          "required": false,
          "type": "number"
        }
      },
      "header": {
        "X-Trace": {
          "required": false,
          "type": "string",
          "format": "uuid"
        }
      },
      "cookie": {
        "shelf": {
          "required": false,
          "type": "integer"
        }
      }
    }
  },
  "createTool": {
    "operationId": "createTool",
    "method": "post",
    "path": "/tools",
    "security": [
      {
        "apiKey": []
      }
    ],
    "parameters": {
      "path": {},
      "query": {},
      "header": {
        "Idempotency-Key": {
          "required": false,
          "type": "string"
        }
      },
      "cookie": {}
    },
    "requestBody": {
      "required": true,
      "mediaTypes": [
        "application/json"
      ],
      "maxBytes": 20000
    }
  },
  "getTool": {
    "operationId": "getTool",
    "method": "get",
    "path": "/tools/{toolId}",
    "security": [
      {
        "apiKey": []
      }
    ],
    "parameters": {
      "path": {
        "toolId": {
          "required": true,
          "type": "integer",
          "format": "int64"
        }
      },
      "query": {},
      "header": {},
      "cookie": {}
    }
  },
  "replaceTool": {
    "operationId": "replaceTool",
    "method": "put",
    "path": "/tools/{toolId}",
    "security": [
      {
        "apiKey": []
      }
    ],
    "parameters": {
      "path": {
        "toolId": {
          "required": true,
          "type": "integer",
          "format": "int64"
        }
      },
      "query": {},
      "header": {},
      "cookie": {}
    },
    "requestBody": {
      "required": true,
      "mediaTypes": [
        "application/json"
      ],
      "maxBytes": 20000
    }
  },
  "updateTool": {
    "operationId": "updateTool",
    "method": "patch",
    "path": "/tools/{toolId}",
    "security": [
      {
        "apiKey": []
      }
    ],
    "parameters": {
      "path": {
        "toolId": {
          "required": true,
          "type": "integer",
          "format": "int64"
        }
      },
      "query": {},
      "header": {},
      "cookie": {}
    },
    "requestBody": {
      "required": true,
      "mediaTypes": [
        "application/json"
      ],
      "maxBytes": 1000
    }
  },
  "deleteTool": {
    "operationId": "deleteTool",
    "method": "delete",
    "path": "/tools/{toolId}",
    "security": [
      {
        "apiKey": []
      }
    ],
    "parameters": {
      "path": {
        "toolId": {
          "required": true,
          "type": "integer",
          "format": "int64"
        }
      },
      "query": {},
      "header": {},
      "cookie": {}
    }
  },
  "getManual": {
    "operationId": "getManual",
    "method": "get",
    "path": "/tools/{toolId}/manual",
    "security": [
      {
        "apiKey": []
      }
    ],
    "parameters": {
      "path": {
        "toolId": {
          "required": true,
          "type": "integer",
          "format": "int64"
        }
      },
      "query": {},
      "header": {},
      "cookie": {}
    },
    "deprecation": {
      "since": "2026-11-20",
      "sunset": "2031-01-31",
      "replacedBy": {
        "operationId": "getTool",
        "description": "GET /tools/{toolId}"
      }
    }
  },
  "getLoan": {
    "operationId": "getLoan",
    "method": "get",
    "path": "/members/{member}/loans/{number}.json",
    "security": [
      {
        "apiKey": []
      }
    ],
    "parameters": {
      "path": {
        "member": {
          "required": true,
          "type": "string"
        },
        "number": {
          "required": true,
          "type": "integer"
        }
      },
      "query": {},
      "header": {},
      "cookie": {}
    }
  },
  "getOpeningHours": {
    "operationId": "getOpeningHours",
    "method": "get",
    "path": "/opening-hours",
    "security": [
      {}
    ],
    "parameters": {
      "path": {},
      "query": {},
      "header": {},
      "cookie": {}
    }
  }
} as const

/** What `spec/service.yaml` says beside the description. */
export const settings = {} as const

/** How the credentials of each security scheme are sent, by its name. */
export const securitySchemes = {
  "apiKey": {
    "type": "http",
    "scheme": "bearer"
  }
} as const

// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.

/** The path that the description's server URLs end in. */
export const basePath = "/v1"

/** What a service needs to know of each operation at run time, by operationId. */
export const operations = {
  "listPets": {
    "operationId": "listPets",
    "method": "get",
    "path": "/pets",
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
          "default": 20
        },
        "status": {
          "required": false,
          "type": "string"
        },
        "cursor": {
          "required": false,
          "type": "string"
        }
      },
      "header": {},
      "cookie": {}
    }
  },
  "createPet": {
    "operationId": "createPet",
    "method": "post",
    "path": "/pets",
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
      "maxBytes": 100000
    }
  },
  "getPet": {
    "operationId": "getPet",
    "method": "get",
    "path": "/pets/{petId}",
    "security": [
      {
        "apiKey": []
      }
    ],
    "parameters": {
      "path": {
        "petId": {
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
      "sunset": "2030-12-05",
      "replacedBy": {
        "operationId": "listPets",
        "description": "GET /pets with the status filter"
      }
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

// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.

/** Example responses of each operation, by status: the required headers, and bodies by name. */
export const examples = {
  "listPets": {
    200: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "page": [
          {
            "id": 1,
            "name": "Rex",
            "categoryId": 7,
            "status": "available"
          },
          {
            "id": 2,
            "name": "Mia",
            "categoryId": 3
          }
        ],
        "empty": []
      }
    },
    400: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "invalidRequest": {
          "code": "invalid_request",
          "message": "The request breaks the contract in 1 place.",
          "status": 400,
          "details": [
            {
              "path": "/query/limit",
              "message": "must be at most 100"
            }
          ]
        }
      }
    },
    401: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "WWW-Authenticate": "Bearer error=\"invalid_token\""
      },
      "bodies": {
        "missing": {
          "code": "missing_api_key",
          "message": "Send an API key: Authorization: Bearer <API_KEY>.",
          "status": 401
        },
        "invalid": {
          "code": "invalid_api_key",
          "message": "The API key is not valid.",
          "status": 401
        }
      }
    },
    406: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "notAcceptable": {
          "code": "not_acceptable",
          "message": "The response is application/json, which the Accept header rules out.",
          "status": 406
        }
      }
    },
    429: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Retry-After": "30"
      },
      "bodies": {
        "rateLimited": {
          "code": "rate_limited",
          "message": "The limit of 60 requests is reached. Retry in 30 seconds.",
          "status": 429
        },
        "banned": {
          "code": "api_key_banned",
          "message": "The API key is banned after repeated requests over its limit. Retry in 300 seconds.",
          "status": 429
        }
      }
    },
    500: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "internalError": {
          "code": "internal_error",
          "message": "The service failed. Quote the X-Request-Id header when you ask for help.",
          "status": 500
        }
      }
    },
    503: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Retry-After": "30"
      },
      "bodies": {
        "unavailable": {
          "code": "unavailable",
          "message": "The service is unavailable. Retry in 1 second.",
          "status": 503
        }
      }
    }
  },
  "createPet": {
    201: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "complete": {
          "id": 1,
          "name": "Rex",
          "categoryId": 7,
          "status": "available"
        },
        "minimal": {
          "id": 2,
          "name": "Mia",
          "categoryId": 3
        }
      }
    },
    400: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "invalidRequest": {
          "code": "invalid_request",
          "message": "The request breaks the contract in 2 places.",
          "status": 400,
          "details": [
            {
              "path": "/body/name",
              "message": "is missing"
            },
            {
              "path": "/body/count",
              "message": "must be an integer"
            }
          ]
        },
        "malformedJson": {
          "code": "malformed_json",
          "message": "The body is not I-JSON (RFC 7493).",
          "status": 400,
          "details": [
            {
              "path": "/body",
              "message": "byte 17: the name 'name' occurs twice in one object"
            }
          ]
        }
      }
    },
    401: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "WWW-Authenticate": "Bearer error=\"invalid_token\""
      },
      "bodies": {
        "missing": {
          "code": "missing_api_key",
          "message": "Send an API key: Authorization: Bearer <API_KEY>.",
          "status": 401
        },
        "invalid": {
          "code": "invalid_api_key",
          "message": "The API key is not valid.",
          "status": 401
        }
      }
    },
    406: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "notAcceptable": {
          "code": "not_acceptable",
          "message": "The response is application/json, which the Accept header rules out.",
          "status": 406
        }
      }
    },
    409: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Retry-After": "30"
      },
      "bodies": {
        "inProgress": {
          "code": "idempotency_in_progress",
          "message": "The first request with this Idempotency-Key is still running.",
          "status": 409
        }
      }
    },
    413: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "tooLarge": {
          "code": "payload_too_large",
          "message": "The body is larger than 100000 bytes.",
          "status": 413
        }
      }
    },
    415: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "unsupported": {
          "code": "unsupported_media_type",
          "message": "The body must be application/json.",
          "status": 415
        }
      }
    },
    422: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "reused": {
          "code": "idempotency_key_reused",
          "message": "This Idempotency-Key was used for another request.",
          "status": 422
        }
      }
    },
    429: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Retry-After": "30"
      },
      "bodies": {
        "rateLimited": {
          "code": "rate_limited",
          "message": "The limit of 60 requests is reached. Retry in 30 seconds.",
          "status": 429
        },
        "banned": {
          "code": "api_key_banned",
          "message": "The API key is banned after repeated requests over its limit. Retry in 300 seconds.",
          "status": 429
        }
      }
    },
    500: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "internalError": {
          "code": "internal_error",
          "message": "The service failed. Quote the X-Request-Id header when you ask for help.",
          "status": 500
        }
      }
    },
    503: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Retry-After": "30"
      },
      "bodies": {
        "unavailable": {
          "code": "unavailable",
          "message": "The service is unavailable. Retry in 1 second.",
          "status": 503
        }
      }
    }
  },
  "getPet": {
    200: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "complete": {
          "id": 1,
          "name": "Rex",
          "categoryId": 7,
          "status": "available"
        },
        "minimal": {
          "id": 2,
          "name": "Mia",
          "categoryId": 3
        }
      }
    },
    400: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "invalidRequest": {
          "code": "invalid_request",
          "message": "The request breaks the contract in 1 place.",
          "status": 400,
          "details": [
            {
              "path": "/query/limit",
              "message": "must be at most 100"
            }
          ]
        }
      }
    },
    401: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "WWW-Authenticate": "Bearer error=\"invalid_token\""
      },
      "bodies": {
        "missing": {
          "code": "missing_api_key",
          "message": "Send an API key: Authorization: Bearer <API_KEY>.",
          "status": 401
        },
        "invalid": {
          "code": "invalid_api_key",
          "message": "The API key is not valid.",
          "status": 401
        }
      }
    },
    404: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "notFound": {
          "code": "not_found",
          "message": "There is no pet 42.",
          "status": 404
        }
      }
    },
    406: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "notAcceptable": {
          "code": "not_acceptable",
          "message": "The response is application/json, which the Accept header rules out.",
          "status": 406
        }
      }
    },
    429: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Retry-After": "30"
      },
      "bodies": {
        "rateLimited": {
          "code": "rate_limited",
          "message": "The limit of 60 requests is reached. Retry in 30 seconds.",
          "status": 429
        },
        "banned": {
          "code": "api_key_banned",
          "message": "The API key is banned after repeated requests over its limit. Retry in 300 seconds.",
          "status": 429
        }
      }
    },
    500: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff"
      },
      "bodies": {
        "internalError": {
          "code": "internal_error",
          "message": "The service failed. Quote the X-Request-Id header when you ask for help.",
          "status": 500
        }
      }
    },
    503: {
      "headers": {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1795132860",
        "X-Request-Id": "01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Retry-After": "30"
      },
      "bodies": {
        "unavailable": {
          "code": "unavailable",
          "message": "The service is unavailable. Retry in 1 second.",
          "status": 503
        }
      }
    }
  }
} as const

// Generated from workshop.yaml by `npm run generate`. Do not edit.

/** The path that the description's server URLs end in. */
export const basePath = "/v2/api"

/** What a service needs to know of each operation at run time, by operationId. */
export const operations = {
  "searchTools": {
    "operationId": "searchTools",
    "method": "get",
    "path": "/tools",
    "security": [
      {
        "appKey": [],
        "appId": []
      },
      {
        "tokens": [
          "tools:read"
        ]
      }
    ],
    "parameters": {
      "path": {},
      "query": {
        "order": {
          "required": false,
          "type": "string",
          "default": "it's \"new\""
        },
        "tag": {
          "required": false,
          "type": "array",
          "items": {
            "type": "string",
            "emptyText": true
          },
          "default": []
        },
        "ids": {
          "required": false,
          "type": "array",
          "items": {
            "type": "integer"
          },
          "explode": false
        },
        "sizes": {
          "required": false,
          "type": "array",
          "items": {
            "type": [
              "integer",
              "null"
            ]
          },
          "style": "pipeDelimited"
        },
        "filter": {
          "required": false,
          "type": "object",
          "properties": {
            "maker": {
              "type": [
                "string",
                "null"
              ],
              "emptyText": true
            },
            "weight": {
              "type": "object",
              "properties": {
                "max": {
                  "type": "number"
                }
              }
            }
          },
          "style": "deepObject",
          "explode": true
        },
        "near": {
          "required": false,
          "content": "json"
        },
        "limit": {
          "required": false,
          "type": "integer",
          "format": "int32",
          "default": 50
        },
        "anything": {
          "required": false
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
        "session-hint": {
          "required": false,
          "type": [
            "string",
            "null"
          ],
          "emptyText": true
        }
      }
    }
  },
  "addTool": {
    "operationId": "addTool",
    "method": "post",
    "path": "/tools",
    "security": [
      {
        "desk": []
      },
      {
        "tokens": [
          "tools:read",
          "tools:write"
        ],
        "certificate": []
      },
      {
        "identity": []
      }
    ],
    "parameters": {
      "path": {},
      "query": {
        "order": {
          "required": false,
          "type": "string"
        }
      },
      "header": {
        "X-Trace": {
          "required": false,
          "type": "string",
          "format": "uuid"
        }
      },
      "cookie": {}
    },
    "requestBody": {
      "required": true,
      "mediaTypes": [
        "application/json",
        "multipart/form-data",
        "application/octet-stream"
      ],
      "forms": {
        "multipart/form-data": {
          "tool": {
            "required": true,
            "type": "object",
            "properties": {
              "voltage": {
                "type": "number"
              },
              "cordless": {
                "type": "boolean"
              },
              "power": {
                "type": "integer"
              },
              "kind": {
                "type": "string"
              },
              "parts": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "of": {
                      "type": [
                        "object",
                        "null"
                      ],
                      "properties": {
                        "of": {},
                        "parts": {
                          "type": "array",
                          "items": {
                            "type": "object",
                            "properties": {
                              "of": {},
                              "parts": {},
                              "name": {
                                "type": "string",
                                "emptyText": true
                              }
                            },
                            "additionalProperties": {
                              "type": "string",
                              "emptyText": true
                            }
                          }
                        },
                        "name": {
                          "type": "string",
                          "emptyText": true
                        }
                      },
                      "additionalProperties": {
                        "type": "string",
                        "emptyText": true
                      }
                    },
                    "parts": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "properties": {
                          "of": {
                            "type": [
                              "object",
                              "null"
                            ],
                            "properties": {
                              "of": {},
                              "parts": {},
                              "name": {
                                "type": "string",
                                "emptyText": true
                              }
                            },
                            "additionalProperties": {
                              "type": "string",
                              "emptyText": true
                            }
                          },
                          "parts": {},
                          "name": {
                            "type": "string",
                            "emptyText": true
                          }
                        },
                        "additionalProperties": {
                          "type": "string",
                          "emptyText": true
                        }
                      }
                    },
                    "name": {
                      "type": "string",
                      "emptyText": true
                    }
                  },
                  "additionalProperties": {
                    "type": "string",
                    "emptyText": true
                  }
                }
              },
              "place": {
                "type": "object",
                "properties": {
                  "labels": {
                    "type": "object",
                    "additionalProperties": {
                      "type": "string",
                      "emptyText": true
                    }
                  },
                  "position": {
                    "type": "array",
                    "items": {
                      "type": "number"
                    }
                  },
                  "shelf": {
                    "type": "string",
                    "emptyText": true
                  }
                }
              },
              "callbackUrl": {
                "type": "string"
              },
              "note": {
                "type": [
                  "string",
                  "null"
                ],
                "emptyText": true
              },
              "name": {
                "type": "string",
                "emptyText": true
              },
              "id": {
                "type": "integer"
              },
              "blade": {
                "type": "array",
                "items": {
                  "type": [
                    "number",
                    "string"
                  ]
                }
              },
              "teeth": {
                "type": "integer"
              }
            },
            "additionalProperties": false
          },
          "photo": {
            "required": true,
            "mediaTypes": [
              "image/png"
            ],
            "file": true
          }
        }
      }
    }
  },
  "GET /tools/{toolId}": {
    "operationId": "GET /tools/{toolId}",
    "method": "get",
    "path": "/tools/{toolId}",
    "security": [
      {}
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
      {},
      {
        "session": []
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
      "required": false,
      "mediaTypes": [
        "application/*"
      ],
      "jsonRanges": [
        "application/*"
      ]
    },
    "deprecation": {
      "sunset": "2031-01-31"
    }
  },
  "removeTool": {
    "operationId": "removeTool",
    "method": "delete",
    "path": "/tools/{toolId}",
    "security": [
      {
        "appKey": [],
        "appId": []
      },
      {
        "tokens": [
          "tools:read"
        ]
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
    "deprecation": {}
  },
  "getManual": {
    "operationId": "getManual",
    "method": "get",
    "path": "/tools/{toolId}/manual",
    "security": [
      {
        "appKey": [],
        "appId": []
      },
      {
        "tokens": [
          "tools:read"
        ]
      }
    ],
    "parameters": {
      "path": {
        "toolId": {
          "required": true,
          "type": "integer",
          "format": "int64",
          "style": "label"
        }
      },
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
  "appKey": {
    "type": "apiKey",
    "in": "header",
    "name": "x-app-key"
  },
  "appId": {
    "type": "apiKey",
    "in": "query",
    "name": "app_id"
  },
  "session": {
    "type": "apiKey",
    "in": "cookie",
    "name": "session"
  },
  "desk": {
    "type": "http",
    "scheme": "basic"
  },
  "tokens": {
    "type": "oauth2"
  },
  "identity": {
    "type": "openIdConnect",
    "openIdConnectUrl": "https://tokens.workshop.test/.well-known/openid-configuration"
  },
  "certificate": {
    "type": "mutualTLS"
  }
} as const

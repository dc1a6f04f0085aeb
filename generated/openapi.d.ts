// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/pets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pets
         * @description One page of pets, ordered by ascending `id`, optionally only those with one status. The `Link` header names the next page, if there is one.
         */
        get: operations["listPets"];
        put?: never;
        /**
         * Add a pet
         * @description Adds a pet and returns it with its new `id`. With an `Idempotency-Key` the request may be repeated, for 24 hours by default, without adding a second pet.
         */
        post: operations["createPet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a pet
         * @deprecated
         * @description One pet by its `id`. Deprecated: it will be removed on 5 December 2030. Use `GET /pets` with the `status` filter instead.
         */
        get: operations["getPet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Format: int64
         * @description An identifier. It stays within the integers that every JSON parser reads exactly (RFC 8259, section 6).
         * @example 1
         */
        Id: number;
        /**
         * @description Availability status of a pet.
         * @example available
         * @enum {string}
         */
        PetStatus: "available" | "pending" | "sold";
        /**
         * @description The pet's name, kept as it was sent.
         * @example Rex
         */
        PetName: string;
        /**
         * @description A pet to add. The service assigns its identifier.
         * @example {
         *       "name": "Rex",
         *       "categoryId": 7,
         *       "status": "available"
         *     }
         */
        NewPet: {
            name: components["schemas"]["PetName"];
            /** @description Identifier of the category that the pet belongs to. */
            categoryId: components["schemas"]["Id"];
            status?: components["schemas"]["PetStatus"];
        };
        /**
         * @description A pet in the store.
         * @example {
         *       "id": 1,
         *       "name": "Rex",
         *       "categoryId": 7,
         *       "status": "available"
         *     }
         */
        Pet: {
            /** @description Unique identifier, assigned by the service on creation. */
            id: components["schemas"]["Id"];
            name: components["schemas"]["PetName"];
            /** @description Identifier of the category that the pet belongs to. */
            categoryId: components["schemas"]["Id"];
            status?: components["schemas"]["PetStatus"];
        };
        /**
         * @description A page of pets.
         * @example [
         *       {
         *         "id": 1,
         *         "name": "Rex",
         *         "categoryId": 7,
         *         "status": "available"
         *       }
         *     ]
         */
        Pets: components["schemas"]["Pet"][];
        /**
         * @description What went wrong, for programs.
         * @example not_found
         * @enum {string}
         */
        ErrorCode: "invalid_request" | "bad_request_framing" | "malformed_json" | "missing_api_key" | "invalid_api_key" | "not_found" | "method_not_allowed" | "not_acceptable" | "idempotency_in_progress" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "api_key_banned" | "internal_error" | "unavailable";
        /**
         * @description A violation of the contract by a request.
         * @example {
         *       "path": "/query/limit",
         *       "message": "must be at most 100"
         *     }
         */
        ErrorDetail: {
            /**
             * @description A JSON Pointer (RFC 6901) to the violation, with its location first: `/body/name`, `/query/limit`, `/path/id`, `/headers/idempotency-key`.
             * @example /query/limit
             */
            path: string;
            /**
             * @description What is wrong there.
             * @example must be at most 100
             */
            message: string;
        };
        /**
         * @description Why a request failed.
         * @example {
         *       "code": "not_found",
         *       "message": "There is no item 42.",
         *       "status": 404
         *     }
         */
        Error: {
            code: components["schemas"]["ErrorCode"];
            /**
             * @description What went wrong, for people.
             * @example There is no item 42.
             */
            message: string;
            /**
             * @description The HTTP status code.
             * @example 404
             */
            status: number;
            /**
             * @description The violations of a request that violates the contract, at most 100.
             * @example [
             *       {
             *         "path": "/query/limit",
             *         "message": "must be at most 100"
             *       }
             *     ]
             */
            details?: components["schemas"]["ErrorDetail"][];
        };
        /**
         * @description A parameter violates the contract.
         * @example {
         *       "code": "invalid_request",
         *       "message": "The request breaks the contract in 1 place.",
         *       "status": 400,
         *       "details": [
         *         {
         *           "path": "/query/limit",
         *           "message": "must be at most 100"
         *         }
         *       ]
         *     }
         */
        InvalidParametersError: components["schemas"]["Error"] & {
            /** @enum {string} */
            code?: "invalid_request";
            /** @enum {integer} */
            status?: 400;
        };
        /**
         * @description The API key is missing or invalid.
         * @example {
         *       "code": "missing_api_key",
         *       "message": "Send an API key: Authorization: Bearer <API_KEY>.",
         *       "status": 401
         *     }
         */
        UnauthorizedError: components["schemas"]["Error"] & {
            /** @enum {string} */
            code?: "missing_api_key" | "invalid_api_key";
            /** @enum {integer} */
            status?: 401;
        };
        /**
         * @description The client does not accept JSON.
         * @example {
         *       "code": "not_acceptable",
         *       "message": "The response is application/json, which the Accept header rules out.",
         *       "status": 406
         *     }
         */
        NotAcceptableError: components["schemas"]["Error"] & {
            /** @enum {string} */
            code?: "not_acceptable";
            /** @enum {integer} */
            status?: 406;
        };
        /**
         * @description Too many requests.
         * @example {
         *       "code": "rate_limited",
         *       "message": "The limit of 60 requests is reached. Retry in 30 seconds.",
         *       "status": 429
         *     }
         */
        RateLimitedError: components["schemas"]["Error"] & {
            /** @enum {string} */
            code?: "rate_limited" | "api_key_banned";
            /** @enum {integer} */
            status?: 429;
        };
        /**
         * @description The service failed.
         * @example {
         *       "code": "internal_error",
         *       "message": "The service failed. Quote the X-Request-Id header when you ask for help.",
         *       "status": 500
         *     }
         */
        InternalServerError: components["schemas"]["Error"] & {
            /** @enum {string} */
            code?: "internal_error";
            /** @enum {integer} */
            status?: 500;
        };
        /**
         * @description The service is unavailable.
         * @example {
         *       "code": "unavailable",
         *       "message": "The service is unavailable. Retry in 1 second.",
         *       "status": 503
         *     }
         */
        UnavailableError: components["schemas"]["Error"] & {
            /** @enum {string} */
            code?: "unavailable";
            /** @enum {integer} */
            status?: 503;
        };
        /**
         * @description The body or a parameter violates the contract.
         * @example {
         *       "code": "invalid_request",
         *       "message": "The request breaks the contract in 2 places.",
         *       "status": 400,
         *       "details": [
         *         {
         *           "path": "/body/name",
         *           "message": "is missing"
         *         },
         *         {
         *           "path": "/body/count",
         *           "message": "must be an integer"
         *         }
         *       ]
         *     }
         */
        InvalidRequestError: components["schemas"]["Error"] & {
            /** @enum {string} */
            code?: "invalid_request" | "malformed_json";
            /** @enum {integer} */
            status?: 400;
        };
        /**
         * @description The first request with this key is still running.
         * @example {
         *       "code": "idempotency_in_progress",
         *       "message": "The first request with this Idempotency-Key is still running.",
         *       "status": 409
         *     }
         */
        IdempotencyInProgressError: components["schemas"]["Error"] & {
            /** @enum {string} */
            code?: "idempotency_in_progress";
            /** @enum {integer} */
            status?: 409;
        };
        /**
         * @description The body is too large.
         * @example {
         *       "code": "payload_too_large",
         *       "message": "The body is larger than 100000 bytes.",
         *       "status": 413
         *     }
         */
        PayloadTooLargeError: components["schemas"]["Error"] & {
            /** @enum {string} */
            code?: "payload_too_large";
            /** @enum {integer} */
            status?: 413;
        };
        /**
         * @description The body has another media type or content coding.
         * @example {
         *       "code": "unsupported_media_type",
         *       "message": "The body must be application/json.",
         *       "status": 415
         *     }
         */
        UnsupportedMediaTypeError: components["schemas"]["Error"] & {
            /** @enum {string} */
            code?: "unsupported_media_type";
            /** @enum {integer} */
            status?: 415;
        };
        /**
         * @description The key was used for another request.
         * @example {
         *       "code": "idempotency_key_reused",
         *       "message": "This Idempotency-Key was used for another request.",
         *       "status": 422
         *     }
         */
        IdempotencyKeyReusedError: components["schemas"]["Error"] & {
            /** @enum {string} */
            code?: "idempotency_key_reused";
            /** @enum {integer} */
            status?: 422;
        };
        /**
         * @description There is no such resource, or no such path.
         * @example {
         *       "code": "not_found",
         *       "message": "There is no item 42.",
         *       "status": 404
         *     }
         */
        NotFoundError: components["schemas"]["Error"] & {
            /** @enum {string} */
            code?: "not_found";
            /** @enum {integer} */
            status?: 404;
        };
        /**
         * @description The path does not support the method.
         * @example {
         *       "code": "method_not_allowed",
         *       "message": "This path does not support DELETE.",
         *       "status": 405
         *     }
         */
        MethodNotAllowedError: components["schemas"]["Error"] & {
            /** @enum {string} */
            code?: "method_not_allowed";
            /** @enum {integer} */
            status?: 405;
        };
        /**
         * @description The request could not be read as HTTP.
         * @example {
         *       "code": "bad_request_framing",
         *       "message": "The request must have exactly one Host header.",
         *       "status": 400
         *     }
         */
        BadRequestFramingError: components["schemas"]["Error"] & {
            /** @enum {string} */
            code?: "bad_request_framing";
            /** @enum {integer} */
            status?: 400 | 408 | 414 | 417 | 431 | 501 | 505;
        };
    };
    responses: {
        /** @description A parameter violates the contract; `details` lists each violation. */
        InvalidParameters: {
            headers: {
                /**
                 * @description Requests allowed in the window, minute or day, with the smallest share left.
                 * @example 60
                 */
                "X-RateLimit-Limit": number;
                /**
                 * @description Requests left in that window.
                 * @example 59
                 */
                "X-RateLimit-Remaining": number;
                /**
                 * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                 * @example 1795132860
                 */
                "X-RateLimit-Reset": number;
                /**
                 * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                 * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                 */
                "X-Request-Id": string;
                /**
                 * @description Responses must not be cached.
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description Browsers must not guess another media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidParametersError"];
            };
        };
        /** @description The API key is missing or invalid. */
        Unauthorized: {
            headers: {
                /**
                 * @description Requests allowed in the window, minute or day, with the smallest share left.
                 * @example 60
                 */
                "X-RateLimit-Limit": number;
                /**
                 * @description Requests left in that window.
                 * @example 59
                 */
                "X-RateLimit-Remaining": number;
                /**
                 * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                 * @example 1795132860
                 */
                "X-RateLimit-Reset": number;
                /**
                 * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                 * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                 */
                "X-Request-Id": string;
                /**
                 * @description Responses must not be cached.
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description Browsers must not guess another media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                /**
                 * @description How to authenticate, as in RFC 6750.
                 * @example Bearer error="invalid_token"
                 */
                "WWW-Authenticate": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"];
            };
        };
        /** @description `Accept` rules JSON out. */
        NotAcceptable: {
            headers: {
                /**
                 * @description Requests allowed in the window, minute or day, with the smallest share left.
                 * @example 60
                 */
                "X-RateLimit-Limit": number;
                /**
                 * @description Requests left in that window.
                 * @example 59
                 */
                "X-RateLimit-Remaining": number;
                /**
                 * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                 * @example 1795132860
                 */
                "X-RateLimit-Reset": number;
                /**
                 * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                 * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                 */
                "X-Request-Id": string;
                /**
                 * @description Responses must not be cached.
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description Browsers must not guess another media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotAcceptableError"];
            };
        };
        /** @description The rate limit is exceeded, or the key is banned for a while. */
        TooManyRequests: {
            headers: {
                /**
                 * @description Requests allowed in the window, minute or day, with the smallest share left.
                 * @example 60
                 */
                "X-RateLimit-Limit": number;
                /**
                 * @description Requests left in that window.
                 * @example 59
                 */
                "X-RateLimit-Remaining": number;
                /**
                 * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                 * @example 1795132860
                 */
                "X-RateLimit-Reset": number;
                /**
                 * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                 * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                 */
                "X-Request-Id": string;
                /**
                 * @description Responses must not be cached.
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description Browsers must not guess another media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                /**
                 * @description Seconds to wait before the next attempt.
                 * @example 30
                 */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedError"];
            };
        };
        /** @description The service failed. Quote the `X-Request-Id` header when you ask for help. */
        InternalError: {
            headers: {
                /**
                 * @description Requests allowed in the window, minute or day, with the smallest share left.
                 * @example 60
                 */
                "X-RateLimit-Limit": number;
                /**
                 * @description Requests left in that window.
                 * @example 59
                 */
                "X-RateLimit-Remaining": number;
                /**
                 * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                 * @example 1795132860
                 */
                "X-RateLimit-Reset": number;
                /**
                 * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                 * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                 */
                "X-Request-Id": string;
                /**
                 * @description Responses must not be cached.
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description Browsers must not guess another media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalServerError"];
            };
        };
        /** @description The store cannot be reached, or the service is overloaded or shutting down. */
        Unavailable: {
            headers: {
                /**
                 * @description Requests allowed in the window, minute or day, with the smallest share left.
                 * @example 60
                 */
                "X-RateLimit-Limit": number;
                /**
                 * @description Requests left in that window.
                 * @example 59
                 */
                "X-RateLimit-Remaining": number;
                /**
                 * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                 * @example 1795132860
                 */
                "X-RateLimit-Reset": number;
                /**
                 * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                 * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                 */
                "X-Request-Id": string;
                /**
                 * @description Responses must not be cached.
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description Browsers must not guess another media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                /**
                 * @description Seconds to wait before the next attempt.
                 * @example 30
                 */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnavailableError"];
            };
        };
        /** @description The body is missing, is not I-JSON (RFC 7493), lacks required fields or holds invalid values, or a parameter violates the contract; `details` lists each violation. */
        InvalidRequest: {
            headers: {
                /**
                 * @description Requests allowed in the window, minute or day, with the smallest share left.
                 * @example 60
                 */
                "X-RateLimit-Limit": number;
                /**
                 * @description Requests left in that window.
                 * @example 59
                 */
                "X-RateLimit-Remaining": number;
                /**
                 * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                 * @example 1795132860
                 */
                "X-RateLimit-Reset": number;
                /**
                 * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                 * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                 */
                "X-Request-Id": string;
                /**
                 * @description Responses must not be cached.
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description Browsers must not guess another media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidRequestError"];
            };
        };
        /** @description The first request with this `Idempotency-Key` is still running. */
        IdempotencyInProgress: {
            headers: {
                /**
                 * @description Requests allowed in the window, minute or day, with the smallest share left.
                 * @example 60
                 */
                "X-RateLimit-Limit": number;
                /**
                 * @description Requests left in that window.
                 * @example 59
                 */
                "X-RateLimit-Remaining": number;
                /**
                 * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                 * @example 1795132860
                 */
                "X-RateLimit-Reset": number;
                /**
                 * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                 * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                 */
                "X-Request-Id": string;
                /**
                 * @description Responses must not be cached.
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description Browsers must not guess another media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                /**
                 * @description Seconds to wait before the next attempt.
                 * @example 30
                 */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdempotencyInProgressError"];
            };
        };
        /** @description The body is larger than the operation accepts, as sent or decompressed. */
        PayloadTooLarge: {
            headers: {
                /**
                 * @description Requests allowed in the window, minute or day, with the smallest share left.
                 * @example 60
                 */
                "X-RateLimit-Limit": number;
                /**
                 * @description Requests left in that window.
                 * @example 59
                 */
                "X-RateLimit-Remaining": number;
                /**
                 * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                 * @example 1795132860
                 */
                "X-RateLimit-Reset": number;
                /**
                 * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                 * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                 */
                "X-Request-Id": string;
                /**
                 * @description Responses must not be cached.
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description Browsers must not guess another media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLargeError"];
            };
        };
        /** @description The body is not `application/json`, or its content coding is neither gzip nor br. */
        UnsupportedMediaType: {
            headers: {
                /**
                 * @description Requests allowed in the window, minute or day, with the smallest share left.
                 * @example 60
                 */
                "X-RateLimit-Limit": number;
                /**
                 * @description Requests left in that window.
                 * @example 59
                 */
                "X-RateLimit-Remaining": number;
                /**
                 * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                 * @example 1795132860
                 */
                "X-RateLimit-Reset": number;
                /**
                 * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                 * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                 */
                "X-Request-Id": string;
                /**
                 * @description Responses must not be cached.
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description Browsers must not guess another media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                /**
                 * @description The media types that the service reads, when the one that was sent is none of them.
                 * @example application/json
                 */
                Accept?: string;
                /**
                 * @description The content codings that the service reads, when the one that was sent is none of them.
                 * @example gzip, br
                 */
                "Accept-Encoding"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnsupportedMediaTypeError"];
            };
        };
        /** @description This `Idempotency-Key` was used for another request. */
        IdempotencyKeyReused: {
            headers: {
                /**
                 * @description Requests allowed in the window, minute or day, with the smallest share left.
                 * @example 60
                 */
                "X-RateLimit-Limit": number;
                /**
                 * @description Requests left in that window.
                 * @example 59
                 */
                "X-RateLimit-Remaining": number;
                /**
                 * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                 * @example 1795132860
                 */
                "X-RateLimit-Reset": number;
                /**
                 * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                 * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                 */
                "X-Request-Id": string;
                /**
                 * @description Responses must not be cached.
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description Browsers must not guess another media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdempotencyKeyReusedError"];
            };
        };
        /** @description The methods that the path supports. */
        Options: {
            headers: {
                /**
                 * @description Requests allowed in the window, minute or day, with the smallest share left.
                 * @example 60
                 */
                "X-RateLimit-Limit": number;
                /**
                 * @description Requests left in that window.
                 * @example 59
                 */
                "X-RateLimit-Remaining": number;
                /**
                 * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                 * @example 1795132860
                 */
                "X-RateLimit-Reset": number;
                /**
                 * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                 * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                 */
                "X-Request-Id": string;
                /**
                 * @description Responses must not be cached.
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description Browsers must not guess another media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                /**
                 * @description The methods that this path supports.
                 * @example GET, HEAD, OPTIONS, POST
                 */
                Allow: string;
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description There is no such resource, or no such path. */
        NotFound: {
            headers: {
                /**
                 * @description Requests allowed in the window, minute or day, with the smallest share left.
                 * @example 60
                 */
                "X-RateLimit-Limit": number;
                /**
                 * @description Requests left in that window.
                 * @example 59
                 */
                "X-RateLimit-Remaining": number;
                /**
                 * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                 * @example 1795132860
                 */
                "X-RateLimit-Reset": number;
                /**
                 * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                 * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                 */
                "X-Request-Id": string;
                /**
                 * @description Responses must not be cached.
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description Browsers must not guess another media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description The path does not support the method; `Allow` says which it supports. */
        MethodNotAllowed: {
            headers: {
                /**
                 * @description Requests allowed in the window, minute or day, with the smallest share left.
                 * @example 60
                 */
                "X-RateLimit-Limit": number;
                /**
                 * @description Requests left in that window.
                 * @example 59
                 */
                "X-RateLimit-Remaining": number;
                /**
                 * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                 * @example 1795132860
                 */
                "X-RateLimit-Reset": number;
                /**
                 * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                 * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                 */
                "X-Request-Id": string;
                /**
                 * @description Responses must not be cached.
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description Browsers must not guess another media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                /**
                 * @description The methods that this path supports.
                 * @example GET, HEAD, OPTIONS, POST
                 */
                Allow: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MethodNotAllowedError"];
            };
        };
        /** @description The request could not be read as HTTP, or not within the limits on its time, its target or its header section. The status is 400, 408, 414, 417, 431, 501 or 505. */
        BadRequestFraming: {
            headers: {
                /**
                 * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                 * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                 */
                "X-Request-Id": string;
                /**
                 * @description Responses must not be cached.
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description Browsers must not guess another media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BadRequestFramingError"];
            };
        };
    };
    parameters: {
        /**
         * @description Maximum number of pets to return. From 1 to 100; default 20.
         * @example 20
         */
        Limit: number;
        /**
         * @description Returns only pets with this status.
         * @example available
         */
        Status: components["schemas"]["PetStatus"];
        /** @description Where the page starts, as the `Link` header of the page before gave it. It is opaque and belongs to the `status` filter that it was made for; `limit` may change. */
        Cursor: string;
        /**
         * @description The identifier of the pet.
         * @example 1
         */
        PetId: components["schemas"]["Id"];
        /**
         * @description A key that identifies this request, 1 to 255 printable ASCII characters that you choose, best a random UUID. The same key for the same request returns the first response again, for 24 hours by default. The quoted form of draft-ietf-httpapi-idempotency-key-header means the same key.
         * @example 6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d55
         */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Requests allowed in the window, minute or day, with the smallest share left.
         * @example 60
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests left in that window.
         * @example 59
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
         * @example 1795132860
         */
        "X-RateLimit-Reset": number;
        /**
         * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
         * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
         */
        "X-Request-Id": string;
        /**
         * @description Responses must not be cached.
         * @example no-store
         */
        "Cache-Control": "no-store";
        /**
         * @description Browsers must not guess another media type.
         * @example nosniff
         */
        "X-Content-Type-Options": "nosniff";
        /**
         * @description Links as in RFC 8288: `rel="next"` to the next page, only when there is one, and on every response of a deprecated operation `rel="successor-version"` to its replacement.
         * @example </v1/items?limit=20&cursor=AAAAAAAAABTkb0y2rZ1m3m9nQ2xVwz8K>; rel="next"
         */
        Link: string;
        /**
         * @description How to authenticate, as in RFC 6750.
         * @example Bearer error="invalid_token"
         */
        "WWW-Authenticate": string;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 30
         */
        "Retry-After": number;
        /**
         * @description Present when this is the response to an earlier request with the same `Idempotency-Key`.
         * @example true
         */
        "Idempotent-Replayed": true;
        /**
         * @description The media types that the service reads, when the one that was sent is none of them.
         * @example application/json
         */
        Accept: string;
        /**
         * @description The content codings that the service reads, when the one that was sent is none of them.
         * @example gzip, br
         */
        "Accept-Encoding": string;
        /**
         * @description On every response of a deprecated operation, since when it is deprecated, as in RFC 9745.
         * @example @1795132800
         */
        Deprecation: string;
        /**
         * @description On every response of a deprecated operation, when it will be removed, as in RFC 8594.
         * @example Thu, 05 Dec 2030 00:00:00 GMT
         */
        Sunset: string;
        /**
         * @description The methods that this path supports.
         * @example GET, HEAD, OPTIONS, POST
         */
        Allow: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPets: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of pets to return. From 1 to 100; default 20.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Returns only pets with this status.
                 * @example available
                 */
                status?: components["schemas"]["PetStatus"];
                /** @description Where the page starts, as the `Link` header of the page before gave it. It is opaque and belongs to the `status` filter that it was made for; `limit` may change. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of pets. It is empty when there are none. */
            200: {
                headers: {
                    /**
                     * @description Requests allowed in the window, minute or day, with the smallest share left.
                     * @example 60
                     */
                    "X-RateLimit-Limit": number;
                    /**
                     * @description Requests left in that window.
                     * @example 59
                     */
                    "X-RateLimit-Remaining": number;
                    /**
                     * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                     * @example 1795132860
                     */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                     * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Responses must not be cached.
                     * @example no-store
                     */
                    "Cache-Control": "no-store";
                    /**
                     * @description Browsers must not guess another media type.
                     * @example nosniff
                     */
                    "X-Content-Type-Options": "nosniff";
                    /**
                     * @description Links as in RFC 8288: `rel="next"` to the next page, only when there is one, and on every response of a deprecated operation `rel="successor-version"` to its replacement.
                     * @example </v1/items?limit=20&cursor=AAAAAAAAABTkb0y2rZ1m3m9nQ2xVwz8K>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pets"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key that identifies this request, 1 to 255 printable ASCII characters that you choose, best a random UUID. The same key for the same request returns the first response again, for 24 hours by default. The quoted form of draft-ietf-httpapi-idempotency-key-header means the same key.
                 * @example 6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d55
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The pet to add. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPet"];
            };
        };
        responses: {
            /** @description The pet as it was stored. */
            201: {
                headers: {
                    /**
                     * @description Requests allowed in the window, minute or day, with the smallest share left.
                     * @example 60
                     */
                    "X-RateLimit-Limit": number;
                    /**
                     * @description Requests left in that window.
                     * @example 59
                     */
                    "X-RateLimit-Remaining": number;
                    /**
                     * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                     * @example 1795132860
                     */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                     * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Responses must not be cached.
                     * @example no-store
                     */
                    "Cache-Control": "no-store";
                    /**
                     * @description Browsers must not guess another media type.
                     * @example nosniff
                     */
                    "X-Content-Type-Options": "nosniff";
                    /**
                     * @description Present when this is the response to an earlier request with the same `Idempotency-Key`.
                     * @example true
                     */
                    "Idempotent-Replayed"?: true;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the pet.
                 * @example 1
                 */
                petId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pet. */
            200: {
                headers: {
                    /**
                     * @description Requests allowed in the window, minute or day, with the smallest share left.
                     * @example 60
                     */
                    "X-RateLimit-Limit": number;
                    /**
                     * @description Requests left in that window.
                     * @example 59
                     */
                    "X-RateLimit-Remaining": number;
                    /**
                     * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                     * @example 1795132860
                     */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                     * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Responses must not be cached.
                     * @example no-store
                     */
                    "Cache-Control": "no-store";
                    /**
                     * @description Browsers must not guess another media type.
                     * @example nosniff
                     */
                    "X-Content-Type-Options": "nosniff";
                    /**
                     * @description On every response of a deprecated operation, since when it is deprecated, as in RFC 9745.
                     * @example @1795132800
                     */
                    Deprecation?: string;
                    /**
                     * @description On every response of a deprecated operation, when it will be removed, as in RFC 8594.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset?: string;
                    /**
                     * @description Links as in RFC 8288: `rel="next"` to the next page, only when there is one, and on every response of a deprecated operation `rel="successor-version"` to its replacement.
                     * @example </v1/items?limit=20&cursor=AAAAAAAAABTkb0y2rZ1m3m9nQ2xVwz8K>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            /** @description A parameter violates the contract; `details` lists each violation. */
            400: {
                headers: {
                    /**
                     * @description Requests allowed in the window, minute or day, with the smallest share left.
                     * @example 60
                     */
                    "X-RateLimit-Limit": number;
                    /**
                     * @description Requests left in that window.
                     * @example 59
                     */
                    "X-RateLimit-Remaining": number;
                    /**
                     * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                     * @example 1795132860
                     */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                     * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Responses must not be cached.
                     * @example no-store
                     */
                    "Cache-Control": "no-store";
                    /**
                     * @description Browsers must not guess another media type.
                     * @example nosniff
                     */
                    "X-Content-Type-Options": "nosniff";
                    /**
                     * @description On every response of a deprecated operation, since when it is deprecated, as in RFC 9745.
                     * @example @1795132800
                     */
                    Deprecation?: string;
                    /**
                     * @description On every response of a deprecated operation, when it will be removed, as in RFC 8594.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset?: string;
                    /**
                     * @description Links as in RFC 8288: `rel="next"` to the next page, only when there is one, and on every response of a deprecated operation `rel="successor-version"` to its replacement.
                     * @example </v1/items?limit=20&cursor=AAAAAAAAABTkb0y2rZ1m3m9nQ2xVwz8K>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidParametersError"];
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    /**
                     * @description Requests allowed in the window, minute or day, with the smallest share left.
                     * @example 60
                     */
                    "X-RateLimit-Limit": number;
                    /**
                     * @description Requests left in that window.
                     * @example 59
                     */
                    "X-RateLimit-Remaining": number;
                    /**
                     * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                     * @example 1795132860
                     */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                     * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Responses must not be cached.
                     * @example no-store
                     */
                    "Cache-Control": "no-store";
                    /**
                     * @description Browsers must not guess another media type.
                     * @example nosniff
                     */
                    "X-Content-Type-Options": "nosniff";
                    /**
                     * @description How to authenticate, as in RFC 6750.
                     * @example Bearer error="invalid_token"
                     */
                    "WWW-Authenticate": string;
                    /**
                     * @description On every response of a deprecated operation, since when it is deprecated, as in RFC 9745.
                     * @example @1795132800
                     */
                    Deprecation?: string;
                    /**
                     * @description On every response of a deprecated operation, when it will be removed, as in RFC 8594.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset?: string;
                    /**
                     * @description Links as in RFC 8288: `rel="next"` to the next page, only when there is one, and on every response of a deprecated operation `rel="successor-version"` to its replacement.
                     * @example </v1/items?limit=20&cursor=AAAAAAAAABTkb0y2rZ1m3m9nQ2xVwz8K>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthorizedError"];
                };
            };
            /** @description There is no such resource, or no such path. */
            404: {
                headers: {
                    /**
                     * @description Requests allowed in the window, minute or day, with the smallest share left.
                     * @example 60
                     */
                    "X-RateLimit-Limit": number;
                    /**
                     * @description Requests left in that window.
                     * @example 59
                     */
                    "X-RateLimit-Remaining": number;
                    /**
                     * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                     * @example 1795132860
                     */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                     * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Responses must not be cached.
                     * @example no-store
                     */
                    "Cache-Control": "no-store";
                    /**
                     * @description Browsers must not guess another media type.
                     * @example nosniff
                     */
                    "X-Content-Type-Options": "nosniff";
                    /**
                     * @description On every response of a deprecated operation, since when it is deprecated, as in RFC 9745.
                     * @example @1795132800
                     */
                    Deprecation?: string;
                    /**
                     * @description On every response of a deprecated operation, when it will be removed, as in RFC 8594.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset?: string;
                    /**
                     * @description Links as in RFC 8288: `rel="next"` to the next page, only when there is one, and on every response of a deprecated operation `rel="successor-version"` to its replacement.
                     * @example </v1/items?limit=20&cursor=AAAAAAAAABTkb0y2rZ1m3m9nQ2xVwz8K>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description `Accept` rules JSON out. */
            406: {
                headers: {
                    /**
                     * @description Requests allowed in the window, minute or day, with the smallest share left.
                     * @example 60
                     */
                    "X-RateLimit-Limit": number;
                    /**
                     * @description Requests left in that window.
                     * @example 59
                     */
                    "X-RateLimit-Remaining": number;
                    /**
                     * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                     * @example 1795132860
                     */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                     * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Responses must not be cached.
                     * @example no-store
                     */
                    "Cache-Control": "no-store";
                    /**
                     * @description Browsers must not guess another media type.
                     * @example nosniff
                     */
                    "X-Content-Type-Options": "nosniff";
                    /**
                     * @description On every response of a deprecated operation, since when it is deprecated, as in RFC 9745.
                     * @example @1795132800
                     */
                    Deprecation?: string;
                    /**
                     * @description On every response of a deprecated operation, when it will be removed, as in RFC 8594.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset?: string;
                    /**
                     * @description Links as in RFC 8288: `rel="next"` to the next page, only when there is one, and on every response of a deprecated operation `rel="successor-version"` to its replacement.
                     * @example </v1/items?limit=20&cursor=AAAAAAAAABTkb0y2rZ1m3m9nQ2xVwz8K>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotAcceptableError"];
                };
            };
            /** @description The rate limit is exceeded, or the key is banned for a while. */
            429: {
                headers: {
                    /**
                     * @description Requests allowed in the window, minute or day, with the smallest share left.
                     * @example 60
                     */
                    "X-RateLimit-Limit": number;
                    /**
                     * @description Requests left in that window.
                     * @example 59
                     */
                    "X-RateLimit-Remaining": number;
                    /**
                     * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                     * @example 1795132860
                     */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                     * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Responses must not be cached.
                     * @example no-store
                     */
                    "Cache-Control": "no-store";
                    /**
                     * @description Browsers must not guess another media type.
                     * @example nosniff
                     */
                    "X-Content-Type-Options": "nosniff";
                    /**
                     * @description Seconds to wait before the next attempt.
                     * @example 30
                     */
                    "Retry-After": number;
                    /**
                     * @description On every response of a deprecated operation, since when it is deprecated, as in RFC 9745.
                     * @example @1795132800
                     */
                    Deprecation?: string;
                    /**
                     * @description On every response of a deprecated operation, when it will be removed, as in RFC 8594.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset?: string;
                    /**
                     * @description Links as in RFC 8288: `rel="next"` to the next page, only when there is one, and on every response of a deprecated operation `rel="successor-version"` to its replacement.
                     * @example </v1/items?limit=20&cursor=AAAAAAAAABTkb0y2rZ1m3m9nQ2xVwz8K>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedError"];
                };
            };
            /** @description The service failed. Quote the `X-Request-Id` header when you ask for help. */
            500: {
                headers: {
                    /**
                     * @description Requests allowed in the window, minute or day, with the smallest share left.
                     * @example 60
                     */
                    "X-RateLimit-Limit": number;
                    /**
                     * @description Requests left in that window.
                     * @example 59
                     */
                    "X-RateLimit-Remaining": number;
                    /**
                     * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                     * @example 1795132860
                     */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                     * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Responses must not be cached.
                     * @example no-store
                     */
                    "Cache-Control": "no-store";
                    /**
                     * @description Browsers must not guess another media type.
                     * @example nosniff
                     */
                    "X-Content-Type-Options": "nosniff";
                    /**
                     * @description On every response of a deprecated operation, since when it is deprecated, as in RFC 9745.
                     * @example @1795132800
                     */
                    Deprecation?: string;
                    /**
                     * @description On every response of a deprecated operation, when it will be removed, as in RFC 8594.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset?: string;
                    /**
                     * @description Links as in RFC 8288: `rel="next"` to the next page, only when there is one, and on every response of a deprecated operation `rel="successor-version"` to its replacement.
                     * @example </v1/items?limit=20&cursor=AAAAAAAAABTkb0y2rZ1m3m9nQ2xVwz8K>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalServerError"];
                };
            };
            /** @description The store cannot be reached, or the service is overloaded or shutting down. */
            503: {
                headers: {
                    /**
                     * @description Requests allowed in the window, minute or day, with the smallest share left.
                     * @example 60
                     */
                    "X-RateLimit-Limit": number;
                    /**
                     * @description Requests left in that window.
                     * @example 59
                     */
                    "X-RateLimit-Remaining": number;
                    /**
                     * @description When that window resets, in seconds since 1970-01-01T00:00:00Z.
                     * @example 1795132860
                     */
                    "X-RateLimit-Reset": number;
                    /**
                     * @description The ID of this request in the service's log: the client's own `X-Request-Id` if that is 8 to 64 letters, digits or dashes, else a new one.
                     * @example 01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Responses must not be cached.
                     * @example no-store
                     */
                    "Cache-Control": "no-store";
                    /**
                     * @description Browsers must not guess another media type.
                     * @example nosniff
                     */
                    "X-Content-Type-Options": "nosniff";
                    /**
                     * @description Seconds to wait before the next attempt.
                     * @example 30
                     */
                    "Retry-After": number;
                    /**
                     * @description On every response of a deprecated operation, since when it is deprecated, as in RFC 9745.
                     * @example @1795132800
                     */
                    Deprecation?: string;
                    /**
                     * @description On every response of a deprecated operation, when it will be removed, as in RFC 8594.
                     * @example Thu, 05 Dec 2030 00:00:00 GMT
                     */
                    Sunset?: string;
                    /**
                     * @description Links as in RFC 8288: `rel="next"` to the next page, only when there is one, and on every response of a deprecated operation `rel="successor-version"` to its replacement.
                     * @example </v1/items?limit=20&cursor=AAAAAAAAABTkb0y2rZ1m3m9nQ2xVwz8K>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
}

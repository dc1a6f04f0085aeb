// Generated from openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tools
         * @description One page of tools, ordered by ascending `id`.
         */
        get: operations["listTools"];
        put?: never;
        /**
         * Create a tool
         * @description Creates a tool. With an `Idempotency-Key` the request may be repeated.
         */
        post: operations["createTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/{toolId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the tool. At least 1.
                 * @example 1
                 */
                toolId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Get a tool
         * @description One tool by its `id`.
         */
        get: operations["getTool"];
        /**
         * Replace a tool
         * @description Replaces every field of a tool but its `id`.
         */
        put: operations["replaceTool"];
        post?: never;
        /**
         * Delete a tool
         * @description Deletes a tool.
         */
        delete: operations["deleteTool"];
        options?: never;
        head?: never;
        /**
         * Update a tool
         * @description Changes the fields that are sent; `null` removes a note.
         */
        patch: operations["updateTool"];
        trace?: never;
    };
    "/tools/{toolId}/manual": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the manual of a tool
         * @deprecated
         * @description Deprecated, and will be removed on 31 January 2031. Use `getTool` instead.
         */
        get: operations["getManual"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{member}/loans/{number}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a loan of a member
         * @description One loan of a member.
         */
        get: operations["getLoan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/opening-hours": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the opening hours
         * @description When the library is open. Anyone may ask.
         */
        get: operations["getOpeningHours"];
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
         * @description An identifier.
         * @example 1
         */
        Id: number;
        /**
         * @description The kind of a tool.
         * @example saw
         * @enum {string}
         */
        Kind: "drill" | "saw";
        /**
         * @description A word to find a tool by.
         * @example wood
         */
        Tag: string;
        /**
         * @description What every tool has, new or stored.
         * @example {
         *       "name": "Ryoba"
         *     }
         */
        ToolFields: {
            /**
             * @description The name of the tool.
             * @example Ryoba
             */
            name: string;
            /**
             * @description What to know about it; null when there is nothing.
             * @example Sharp
             */
            note?: string | null;
            /**
             * @description Words to find it by.
             * @example [
             *       "wood"
             *     ]
             */
            tags?: components["schemas"]["Tag"][];
            /**
             * @description How much it weighs, in kilograms.
             * @example 1.5
             */
            weight?: number;
            /**
             * Format: date
             * @description The day on which it was bought.
             * @example 2026-11-20
             */
            bought?: string;
            /**
             * @description Other facts, by name.
             * @example {
             *       "colour": "red"
             *     }
             */
            labels?: {
                [key: string]: string;
            };
        };
        /**
         * @description A drill to create.
         * @example {
         *       "kind": "drill",
         *       "name": "Bit",
         *       "power": 500
         *     }
         */
        NewDrill: components["schemas"]["ToolFields"] & components["schemas"]["DrillFields"] & {
            /** @enum {string} */
            kind: "drill";
        };
        /**
         * @description A saw to create.
         * @example {
         *       "kind": "saw",
         *       "name": "Ryoba",
         *       "teeth": 24
         *     }
         */
        NewSaw: components["schemas"]["ToolFields"] & components["schemas"]["SawFields"] & {
            /** @enum {string} */
            kind: "saw";
        };
        /**
         * @description What only a drill has.
         * @example {
         *       "kind": "drill",
         *       "power": 500
         *     }
         */
        DrillFields: {
            /**
             * @description It is a drill.
             * @example drill
             * @constant
             */
            kind: "drill";
            /**
             * @description Its power in watts.
             * @example 500
             */
            power: number;
            /**
             * @description Whether it works without a cord.
             * @example true
             */
            isCordless?: boolean;
        };
        /**
         * @description What only a saw has.
         * @example {
         *       "kind": "saw"
         *     }
         */
        SawFields: {
            /**
             * @description It is a saw.
             * @example saw
             * @constant
             */
            kind: "saw";
            /**
             * @description How many teeth it has.
             * @example 24
             */
            teeth?: number;
            /**
             * @description Length and thickness of the blade.
             * @example [
             *       240,
             *       0.5
             *     ]
             */
            blade?: number[] | null;
        };
        /**
         * @description What the service adds to a tool.
         * @example {
         *       "id": 1
         *     }
         */
        Stored: {
            id: components["schemas"]["Id"];
        };
        /**
         * @description A tool to create.
         * @example {
         *       "kind": "saw",
         *       "name": "Ryoba",
         *       "teeth": 24
         *     }
         */
        NewTool: components["schemas"]["NewDrill"] | components["schemas"]["NewSaw"];
        /**
         * @description A drill.
         * @example {
         *       "id": 1,
         *       "kind": "drill",
         *       "name": "Bit",
         *       "power": 500,
         *       "note": null,
         *       "tags": []
         *     }
         */
        Drill: components["schemas"]["Stored"] & components["schemas"]["ToolFields"] & components["schemas"]["DrillFields"] & {
            /** @enum {string} */
            kind: "drill";
        };
        /**
         * @description A saw.
         * @example {
         *       "id": 2,
         *       "kind": "saw",
         *       "name": "Ryoba",
         *       "note": null,
         *       "tags": []
         *     }
         */
        Saw: components["schemas"]["Stored"] & components["schemas"]["ToolFields"] & components["schemas"]["SawFields"] & {
            /** @enum {string} */
            kind: "saw";
        };
        /**
         * @description A tool.
         * @example {
         *       "id": 1,
         *       "kind": "drill",
         *       "name": "Bit",
         *       "power": 500,
         *       "note": null,
         *       "tags": []
         *     }
         */
        Tool: components["schemas"]["Drill"] | components["schemas"]["Saw"];
        /**
         * @description A page of tools.
         * @example [
         *       {
         *         "id": 1,
         *         "kind": "drill",
         *         "name": "Bit",
         *         "power": 500,
         *         "note": null,
         *         "tags": []
         *       }
         *     ]
         */
        Tools: components["schemas"]["Tool"][];
        /**
         * @description Fields of a tool to change, at least one.
         * @example {
         *       "note": null
         *     }
         */
        ToolChanges: {
            /**
             * @description The new name.
             * @example Ryoba
             */
            name?: string;
            /**
             * @description The new note; null removes it.
             * @example Sharp
             */
            note?: string | null;
            /**
             * @description The new tags.
             * @example [
             *       "wood"
             *     ]
             */
            tags?: components["schemas"]["Tag"][];
        };
        /**
         * @description The manual of a tool.
         * @example {
         *       "text": "Do not drop it."
         *     }
         */
        Manual: {
            /**
             * @description What it says.
             * @example Do not drop it.
             */
            text: string;
        };
        /**
         * @description A loan of a member.
         * @example {
         *       "member": "ann",
         *       "number": 7,
         *       "due": "2031-02-03"
         *     }
         */
        Loan: {
            /**
             * @description The name of the member.
             * @example ann
             */
            member: string;
            /**
             * @description The number of the loan.
             * @example 7
             */
            number: number;
            /**
             * Format: date
             * @description When the tool comes back.
             * @example 2031-02-03
             */
            due: string;
            /**
             * @description What was paid, or why nothing was.
             * @example 12.5
             */
            deposit?: number | "waived";
        };
        /**
         * @description Hours by day; null on days when it is closed.
         * @example {
         *       "mon": "9-17",
         *       "sat": null
         *     }
         */
        OpeningHours: {
            [key: string]: string | null;
        };
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
         * @description Maximum number of tools to return. From 1 to 50; default 10.
         * @example 10
         */
        Limit: number;
        /** @description Where the page starts, as the `Link` header of the page before gave it. */
        Cursor: string;
        /**
         * @description Returns only tools of this kind.
         * @example saw
         */
        Kind: components["schemas"]["Kind"];
        /**
         * @description Returns only tools with all of these tags; the parameter is repeated. At most 3 items; no item twice.
         * @example [
         *       "wood"
         *     ]
         */
        Tags: components["schemas"]["Tag"][];
        /**
         * @description Returns only these tools, separated by commas. From 1 to 5 items.
         * @example [
         *       1,
         *       2
         *     ]
         */
        Ids: components["schemas"]["Id"][];
        /**
         * @description Returns only tools that weigh more, in kilograms. More than 0, at most 1000.
         * @example 0.5
         */
        Weight: number;
        /**
         * @description The shelf that the client last looked at. From 1 to 99.
         * @example 7
         */
        Shelf: number;
        /**
         * @description Names the visit that this request belongs to.
         * @example 6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d55
         */
        Trace: string;
        /**
         * @description The identifier of the tool. At least 1.
         * @example 1
         */
        ToolId: components["schemas"]["Id"];
        /**
         * @description The name of the member. From 2 to 20 characters.
         * @example ann
         */
        Member: string;
        /**
         * @description The number of the loan. At least 1.
         * @example 7
         */
        LoanNumber: number;
        /**
         * @description A key that identifies this request, 1 to 255 printable ASCII characters that you choose, best a random UUID. The same key for the same request returns the first response again, for 24 hours by default. The quoted form of draft-ietf-httpapi-idempotency-key-header means the same key.
         * @example 6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d55
         */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description How many tools there are in all.
         * @example 2
         */
        "X-Total": number;
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
    listTools: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of tools to return. From 1 to 50; default 10.
                 * @example 10
                 */
                limit?: number;
                /** @description Where the page starts, as the `Link` header of the page before gave it. */
                cursor?: string;
                /**
                 * @description Returns only tools of this kind.
                 * @example saw
                 */
                kind?: components["schemas"]["Kind"];
                /**
                 * @description Returns only tools with all of these tags; the parameter is repeated. At most 3 items; no item twice.
                 * @example [
                 *       "wood"
                 *     ]
                 */
                tag?: components["schemas"]["Tag"][];
                /**
                 * @description Returns only these tools, separated by commas. From 1 to 5 items.
                 * @example [
                 *       1,
                 *       2
                 *     ]
                 */
                ids?: components["schemas"]["Id"][];
                /**
                 * @description Returns only tools that weigh more, in kilograms. More than 0, at most 1000.
                 * @example 0.5
                 */
                "heavier-than"?: number;
            };
            header?: {
                /**
                 * @description Names the visit that this request belongs to.
                 * @example 6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d55
                 */
                "X-Trace"?: string;
            };
            path?: never;
            cookie?: {
                /**
                 * @description The shelf that the client last looked at. From 1 to 99.
                 * @example 7
                 */
                shelf?: number;
            };
        };
        requestBody?: never;
        responses: {
            /** @description A page of tools. */
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
                    /**
                     * @description How many tools there are in all.
                     * @example 2
                     */
                    "X-Total"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tools"];
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
    createTool: {
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
        /** @description The tool to create. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTool"];
            };
        };
        responses: {
            /** @description The tool as it was stored. */
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
                    "application/json": components["schemas"]["Tool"];
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
    getTool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the tool. At least 1.
                 * @example 1
                 */
                toolId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tool. */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tool"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceTool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the tool. At least 1.
                 * @example 1
                 */
                toolId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /** @description The tool in its place. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTool"];
            };
        };
        responses: {
            /** @description The tool as it is now. */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tool"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the tool. At least 1.
                 * @example 1
                 */
                toolId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tool is deleted. */
            204: {
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
                content?: never;
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateTool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the tool. At least 1.
                 * @example 1
                 */
                toolId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /** @description The fields to change. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolChanges"];
            };
        };
        responses: {
            /** @description The tool as it is now. */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tool"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getManual: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the tool. At least 1.
                 * @example 1
                 */
                toolId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The manual. */
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
                    "application/json": components["schemas"]["Manual"];
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
    getLoan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the member. From 2 to 20 characters.
                 * @example ann
                 */
                member: string;
                /**
                 * @description The number of the loan. At least 1.
                 * @example 7
                 */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The loan. */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Loan"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpeningHours: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The opening hours. */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpeningHours"];
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
}

// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.

import { createLinkedList } from '../client/link-pages.ts'
import type { components, paths } from './openapi.d.ts'

/** How each operation is called, by operationId. */
export const calls = {
  "listPets": {
    "method": "get",
    "path": "/pets",
    "query": true,
    "pages": {
      "style": "link",
      "parameter": "cursor",
      "createList": createLinkedList
    }
  },
  "createPet": {
    "method": "post",
    "path": "/pets",
    "body": true,
    "idempotent": true
  },
  "getPet": {
    "method": "get",
    "path": "/pets/{petId}",
    "replacement": "GET /pets with the status filter"
  }
} as const

/**
 * A method for each operation: path parameters in the order of the path, then the body, the query
 * and the options. What a client adds to every result and takes as options is its own.
 */
export interface Methods<CallResult, ListResult, CallOptions, ListOptions> {
  /**
   * List pets
   *
   * One page of pets, ordered by ascending `id`, optionally only those with one status. The `Link` header names the next page, if there is one.
   *
   * @param query
   * - `limit`: Maximum number of pets to return. From 1 to 100; default 20.
   * - `status`: Returns only pets with this status.
   * - `cursor`: Where the page starts, as the `Link` header of the page before gave it. It is opaque and belongs to the `status` filter that it was made for; `limit` may change.
   */
  listPets(
    query?: ListPetsQuery,
    options?: ListOptions,
  ): Promise<Page<Pet, ListPetsQuery>> & ListResult
  /**
   * Add a pet
   *
   * Adds a pet and returns it with its new `id`. With an `Idempotency-Key` the request may be repeated, for 24 hours by default, without adding a second pet.
   *
   * @param body The pet to add.
   * @param options
   * - `headers["Idempotency-Key"]`: A key that identifies this request, 1 to 255 printable ASCII characters that you choose, best a random UUID. The same key for the same request returns the first response again, for 24 hours by default. The quoted form of draft-ietf-httpapi-idempotency-key-header means the same key.
   */
  createPet(
    body: NewPet,
    options?: CallOptions & { readonly headers?: CreatePetHeaders | undefined },
  ): Promise<Pet> & CallResult
  /**
   * Get a pet
   *
   * One pet by its `id`. Deprecated: it will be removed on 5 December 2030. Use `GET /pets` with the `status` filter instead.
   *
   * @param petId The identifier of the pet.
   * @deprecated It will be removed on 2030-12-05. Use GET /pets with the status filter instead.
   */
  getPet(
    petId: GetPetPath["petId"],
    options?: CallOptions,
  ): Promise<Pet> & CallResult
}

/** A page of a list, with the query of the next page; undefined on the last page. */
export type Page<Item, Query> = Item[] & { readonly next: Query | undefined }

/** The query parameters of `listPets`. */
export type ListPetsQuery = { [Key in keyof NonNullable<paths["/pets"]['get']['parameters']['query']>]: NonNullable<paths["/pets"]['get']['parameters']['query']>[Key] }

/** The header fields of a request of `createPet`. */
export type CreatePetHeaders = { [Key in keyof NonNullable<paths["/pets"]['post']['parameters']['header']>]: NonNullable<paths["/pets"]['post']['parameters']['header']>[Key] }

/** The path parameters of `getPet`. */
export type GetPetPath = { [Key in keyof NonNullable<paths["/pets/{petId}"]['get']['parameters']['path']>]: NonNullable<paths["/pets/{petId}"]['get']['parameters']['path']>[Key] }

/** The bodies of error responses, by status. */
export interface ErrorBodies {
  readonly 400: InvalidParametersError | InvalidRequestError
  readonly 401: UnauthorizedError
  readonly 404: NotFoundError
  readonly 406: NotAcceptableError
  readonly 409: IdempotencyInProgressError
  readonly 413: PayloadTooLargeError
  readonly 415: UnsupportedMediaTypeError
  readonly 422: IdempotencyKeyReusedError
  readonly 429: RateLimitedError
  readonly 500: InternalServerError
  readonly 503: UnavailableError
}

/** The body of an error response: of any, or of one with a status. */
export type ErrorBody<Status extends keyof ErrorBodies = keyof ErrorBodies> = ErrorBodies[Status]

/** An identifier. It stays within the integers that every JSON parser reads exactly (RFC 8259, section 6). */
export type Id = components['schemas']["Id"]

/** Availability status of a pet. */
export type PetStatus = components['schemas']["PetStatus"]

/** The pet's name, kept as it was sent. */
export type PetName = components['schemas']["PetName"]

/** A pet to add. The service assigns its identifier. */
export type NewPet = { [Key in keyof components['schemas']["NewPet"]]: components['schemas']["NewPet"][Key] }

/** A pet in the store. */
export type Pet = { [Key in keyof components['schemas']["Pet"]]: components['schemas']["Pet"][Key] }

/** A page of pets. */
export type Pets = components['schemas']["Pets"]

/** What went wrong, for programs. */
export type ErrorCode = components['schemas']["ErrorCode"]

/** A violation of the contract by a request. */
export type ErrorDetail = { [Key in keyof components['schemas']["ErrorDetail"]]: components['schemas']["ErrorDetail"][Key] }

/** Why a request failed. */
export type Error = { [Key in keyof components['schemas']["Error"]]: components['schemas']["Error"][Key] }

/** A parameter violates the contract. */
export type InvalidParametersError = { [Key in keyof components['schemas']["InvalidParametersError"]]: components['schemas']["InvalidParametersError"][Key] }

/** The API key is missing or invalid. */
export type UnauthorizedError = { [Key in keyof components['schemas']["UnauthorizedError"]]: components['schemas']["UnauthorizedError"][Key] }

/** The client does not accept JSON. */
export type NotAcceptableError = { [Key in keyof components['schemas']["NotAcceptableError"]]: components['schemas']["NotAcceptableError"][Key] }

/** Too many requests. */
export type RateLimitedError = { [Key in keyof components['schemas']["RateLimitedError"]]: components['schemas']["RateLimitedError"][Key] }

/** The service failed. */
export type InternalServerError = { [Key in keyof components['schemas']["InternalServerError"]]: components['schemas']["InternalServerError"][Key] }

/** The service is unavailable. */
export type UnavailableError = { [Key in keyof components['schemas']["UnavailableError"]]: components['schemas']["UnavailableError"][Key] }

/** The body or a parameter violates the contract. */
export type InvalidRequestError = { [Key in keyof components['schemas']["InvalidRequestError"]]: components['schemas']["InvalidRequestError"][Key] }

/** The first request with this key is still running. */
export type IdempotencyInProgressError = { [Key in keyof components['schemas']["IdempotencyInProgressError"]]: components['schemas']["IdempotencyInProgressError"][Key] }

/** The body is too large. */
export type PayloadTooLargeError = { [Key in keyof components['schemas']["PayloadTooLargeError"]]: components['schemas']["PayloadTooLargeError"][Key] }

/** The body has another media type or content coding. */
export type UnsupportedMediaTypeError = { [Key in keyof components['schemas']["UnsupportedMediaTypeError"]]: components['schemas']["UnsupportedMediaTypeError"][Key] }

/** The key was used for another request. */
export type IdempotencyKeyReusedError = { [Key in keyof components['schemas']["IdempotencyKeyReusedError"]]: components['schemas']["IdempotencyKeyReusedError"][Key] }

/** There is no such resource, or no such path. */
export type NotFoundError = { [Key in keyof components['schemas']["NotFoundError"]]: components['schemas']["NotFoundError"][Key] }

/** The path does not support the method. */
export type MethodNotAllowedError = { [Key in keyof components['schemas']["MethodNotAllowedError"]]: components['schemas']["MethodNotAllowedError"][Key] }

/** The request could not be read as HTTP. */
export type BadRequestFramingError = { [Key in keyof components['schemas']["BadRequestFramingError"]]: components['schemas']["BadRequestFramingError"][Key] }

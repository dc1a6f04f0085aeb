// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.

import type { components, paths } from './openapi.d.ts'

/** How each operation is called, by operationId. */
export const calls = {
  "listPets": {
    "method": "get",
    "path": "/pets",
    "query": true,
    "cursor": "cursor"
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
   * List animals
   *
   * One page of animals, ordered by ascending `id`, optionally only those with one status. The `Link` header names the next page, if there is one.
   */
  listPets(
    query?: paths["/pets"]['get']['parameters']['query'],
    options?: ListOptions,
  ): Promise<Page<Pet, NonNullable<paths["/pets"]['get']['parameters']['query']>>> & ListResult
  /**
   * Add an animal
   *
   * Adds an animal and answers with it, its new `id` included. With an `Idempotency-Key` the request may be repeated for 24 hours without adding a second animal.
   *
   * @param body The animal to add.
   */
  createPet(
    body: NewPet,
    options?: CallOptions & { readonly headers?: paths["/pets"]['post']['parameters']['header'] },
  ): Promise<Pet> & CallResult
  /**
   * Get an animal
   *
   * One animal by its `id`. Deprecated: it will be removed on 5 December 2030. Use `GET /pets` with the `status` filter instead.
   *
   * @param petId The identifier of the animal.
   * @deprecated It will be removed on 2030-12-05. Use GET /pets with the status filter instead.
   */
  getPet(
    petId: paths["/pets/{petId}"]['get']['parameters']['path']["petId"],
    options?: CallOptions,
  ): Promise<Pet> & CallResult
}

/** A page of a list, with the query of the next page; undefined on the last page. */
export type Page<Item, Query> = Item[] & { readonly next: Query | undefined }

/** An identifier. It stays within the integers that every JSON parser reads exactly (RFC 8259, section 6). */
export type Id = components['schemas']["Id"]

/** Availability status of an animal. */
export type PetStatus = components['schemas']["PetStatus"]

/** What a new animal and a stored one have in common. */
export type PetFields = { [Key in keyof components['schemas']["PetFields"]]: components['schemas']["PetFields"][Key] }

/** An animal to add. The service assigns its identifier. */
export type NewPet = { [Key in keyof components['schemas']["NewPet"]]: components['schemas']["NewPet"][Key] }

/** An animal in the store. */
export type Pet = { [Key in keyof components['schemas']["Pet"]]: components['schemas']["Pet"][Key] }

/** A page of animals. */
export type Pets = components['schemas']["Pets"]

/** What went wrong, for programs. */
export type ErrorCode = components['schemas']["ErrorCode"]

/** One fault of a request. */
export type ErrorDetail = { [Key in keyof components['schemas']["ErrorDetail"]]: components['schemas']["ErrorDetail"][Key] }

/** Why a request was not answered with 2xx. */
export type Error = { [Key in keyof components['schemas']["Error"]]: components['schemas']["Error"][Key] }

// Generated from openapi.yaml by `npm run generate`. Do not edit.

/** Whether a value keeps the contract for sure; of another nothing is known. */
export type Accepts = (value: unknown) => boolean

/** The SHA-256 of the description that the functions are compiled from. */
export declare const digest: string

/** Of path, query, headers by lower-case name, cookies and body, by operationId; defaults are filled in. */
export declare const requests: Readonly<Record<string, Accepts>>

/** Of an answer. */
export interface Answer {
  /** Of headers and body, but for headers that are not there. */
  readonly accepts: Accepts
  /** The headers that have to be there. */
  readonly owed: readonly string[]
}

/** By operationId and status. */
export declare const answers: Readonly<Record<string, Readonly<Record<number, Answer>>>>

/** Of answers that belong to no operation, by status. */
export declare const outside: Readonly<Record<number, Answer>>

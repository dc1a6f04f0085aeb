import type { JsonObject } from '../../server/description/json.ts'

/** A location in a description, as Redocly passes it to a rule. */
export interface Location {
  readonly absolutePointer: string
  /** The file. */
  readonly source: { readonly absoluteRef: string }
  readonly pointer: string
  child(segments: string | readonly string[]): Location
  /** Returns the location of the key instead of its value. */
  key(): Location
}

/** The context that Redocly passes to a rule with each node of a description. */
export interface Context {
  /** The type of the node, with the properties that OpenAPI defines. */
  readonly type: { readonly name: string; readonly properties: Readonly<Record<string, unknown>> }
  readonly location: Location
  /** The key of the node in what holds it. */
  readonly key: string | number
  /** The version of OpenAPI, such as `oas3_0`. */
  readonly specVersion: string
  report(problem: { readonly message: string; readonly location: Location }): void
  /** Follows a reference that is written in a file, such as that of the node. */
  resolve(value: unknown, file?: string): { readonly node?: unknown; readonly location?: Location }
}

type Visit = (node: JsonObject, context: Context) => void

/** Creates a visitor for one description, with a function for each type of node. */
export type Rule = () => {
  readonly [nodeType: string]: Visit | { readonly enter?: Visit; readonly leave?: Visit }
}

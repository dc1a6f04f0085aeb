import type { JsonObject } from '../../scripts/pipeline/description.ts'

/** A place in a description, as Redocly hands it to a rule. */
export interface Location {
  readonly absolutePointer: string
  readonly pointer: string
  child(segments: string | readonly string[]): Location
  /** The same place, marked at its name instead of its value. */
  key(): Location
}

/** What a rule may ask while the linter walks over a description. */
export interface Context {
  /** The type of the node, with what OpenAPI says that it may have. */
  readonly type: { readonly properties: Readonly<Record<string, unknown>> }
  readonly location: Location
  report(problem: { readonly message: string; readonly location: Location }): void
  resolve(value: unknown): { readonly node?: unknown; readonly location?: Location }
}

type Visit = (node: JsonObject, context: Context) => void

/** Makes a fresh visitor for one description: what to do at each type of node. */
export type Rule = () => {
  readonly [nodeType: string]: Visit | { readonly enter?: Visit; readonly leave?: Visit }
}

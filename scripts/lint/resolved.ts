import { type JsonObject, toList, toObject } from '../../server/description/json.ts'
import type { References } from '../../server/description/schemas.ts'
import type { Context, Location } from './rule.ts'

/** An object of a description and its location, which is the target's when it was a `$ref`. */
export interface Resolved {
  readonly node: JsonObject
  readonly location: Location
}

/** Follows a value that is a `$ref`; undefined where it cannot be resolved. */
export function resolve(
  value: unknown,
  location: Location,
  context: Context,
): Resolved | undefined {
  if (typeof toObject(value)['$ref'] !== 'string') {
    return { node: toObject(value), location }
  }
  const { node, location: target } = context.resolve(value, location.source.absoluteRef)
  return node === undefined || target === undefined
    ? undefined
    : { node: toObject(node), location: target }
}

/** Returns the security schemes of a description, by name; one that cannot be resolved has no fields. */
export function resolveSecuritySchemes(
  { components }: JsonObject,
  context: Context,
): ReadonlyMap<string, JsonObject> {
  const place = context.location.child(['components', 'securitySchemes'])
  const schemes = resolve(toObject(components)['securitySchemes'], place, context)
  const entries = Object.entries(schemes?.node ?? {}).map(([name, value]) => {
    const scheme = resolve(value, schemes?.location ?? place, context)
    return [name, scheme?.node ?? {}] as const
  })
  return new Map(entries)
}

/** Returns the schema without its `allOf` and `$ref`, each entry of the one, and what the other refers to. */
export function readParts(
  { allOf, $ref, ...ownKeywords }: JsonObject,
  context: Context,
): Resolved[] {
  const { location } = context
  const target = $ref === undefined ? undefined : resolve({ $ref }, location, context)
  const entries = toList(allOf).map((entry, index) =>
    resolve(entry, location.child(['allOf', String(index)]), context),
  )
  return [{ node: ownKeywords, location }, ...entries, target].filter((part) => part !== undefined)
}

/** Returns references as the model of a description follows them, found by Redocly. */
export function toReferences(context: Context): References {
  return {
    tryNext({ file, value }) {
      if (typeof toObject(value)['$ref'] !== 'string') {
        return undefined
      }
      const { node, location } = context.resolve(value, file)
      if (node === undefined || location === undefined) {
        return undefined
      }
      return { file: location.source.absoluteRef, pointer: location.pointer, value: node }
    },
  }
}

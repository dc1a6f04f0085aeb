import type { JsonObject } from '../../../server/description/json.ts'
import { resolve } from '../resolved.ts'
import type { Context, Rule } from '../rule.ts'

/** What a rule demands of the keys of a map. */
interface NameRule {
  readonly type: string
  /** The property with the map; the object itself is the map if there is none. */
  readonly property?: string
  readonly isValid: (name: string) => boolean
  readonly message: string
}

/** Returns the names in the braces of a path. */
function readPathParameters(path: string): string[] {
  return Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name)
}

const nameRules: Readonly<Record<string, NameRule>> = {
  // Redocly finds no other names in a path: it would not miss the declaration of one.
  'path-parameter-name': {
    type: 'Paths',
    isValid: (path) => readPathParameters(path).every((name) => /^[\w.-]*$/.test(name)),
    message:
      'A path parameter is named with ASCII letters, digits and _ . - alone; rename it, in the path and where it is declared.',
  },
  'exact-statuses': {
    type: 'Responses',
    isValid: (status) => /^[1-5][0-9]{2}$/.test(status),
    message: 'Name each status, such as "404"; ranges and default allow any response.',
  },
  'media-type-name': {
    type: 'MediaTypesMap',
    isValid: (name) => /^[a-z]+\/[a-z0-9][a-z0-9!#$&^_.+-]*$/.test(name),
    message:
      'A media type is type/subtype in lower case without parameters, such as application/json.',
  },
  'body-media-type': {
    type: 'RequestBody',
    property: 'content',
    isValid: (name) => /[/+]json$/.test(name),
    message:
      'The service reads request bodies as JSON; use application/json or a type that ends in +json.',
  },
  'response-media-type': {
    type: 'Response',
    property: 'content',
    isValid: (name) => name === 'application/json',
    message: 'The service sends application/json alone; describe the response so.',
  },
}

/** Creates the rules on names, by their own name. */
export function createNameRules(): Record<string, Rule> {
  const rules = Object.entries(nameRules).map(([name, rule]) => [name, toRule(rule)] as const)
  return Object.fromEntries(rules)
}

function toRule({ type, property, isValid, message }: NameRule): Rule {
  function visit(node: JsonObject, context: Context): void {
    const { location } = context
    const map =
      property === undefined
        ? { node, location }
        : resolve(node[property], location.child(property), context)

    for (const name of Object.keys(map?.node ?? {})) {
      if (name.startsWith('x-') || isValid(name)) {
        continue
      }
      context.report({ message, location: (map?.location ?? location).child(name).key() })
    }
  }
  return () => ({ [type]: visit })
}

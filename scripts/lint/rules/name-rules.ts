import type { JsonObject } from '../../../server/description/json.ts'
import type { Context, Rule } from '../rule.ts'

/** What a rule demands of the keys of a map. */
interface NameRule {
  readonly type: string
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
    isValid: (name) => /^[a-z0-9!#$&^_.+*-]+\/[a-z0-9!#$&^_.+*-]+\s*(?:;.*)?$/i.test(name),
    message: 'A media type is type/subtype, such as application/json: no request has another one.',
  },
}

/** Creates the rules on names, by their own name. */
export function createNameRules(): Record<string, Rule> {
  const rules = Object.entries(nameRules).map(([name, rule]) => [name, toRule(rule)] as const)
  return Object.fromEntries(rules)
}

function toRule({ type, isValid, message }: NameRule): Rule {
  function visit(map: JsonObject, { location, report }: Context): void {
    for (const name of Object.keys(map)) {
      if (name.startsWith('x-') || isValid(name)) {
        continue
      }
      report({ message, location: location.child(name).key() })
    }
  }
  return () => ({ [type]: visit })
}

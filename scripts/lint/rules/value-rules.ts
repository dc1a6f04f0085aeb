import { type JsonObject, toList } from '../../../server/description/json.ts'
import { withoutOrigin } from '../../../server/description/servers.ts'
import type { Rule } from '../rule.ts'

/** What a rule demands of the values of some properties. */
interface ValueRule {
  readonly types: readonly string[]
  readonly properties: readonly string[]
  readonly isValid: (value: unknown, node: JsonObject) => boolean
  readonly message: string
}

/** The days of the year, by the length of their months. */
const daysOfYear = [
  '(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])',
  '(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)',
  '02-(?:0[1-9]|1\\d|2[0-8])',
]
const day = new RegExp(`^\\d{4}-(?:${daysOfYear.join('|')})$`)

const valueRules: Readonly<Record<string, ValueRule>> = {
  'openapi-version': {
    types: ['Root'],
    properties: ['openapi'],
    isValid: matches(/^3\.[012]\.\d+$/),
    message:
      'The service runs OpenAPI 3.0, 3.1 and 3.2; write one of them, such as openapi: 3.1.0.',
  },
  version: {
    types: ['Info'],
    properties: ['version'],
    isValid: matches(/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/),
    message:
      'The version is three numbers, such as 1.2.0, so that it can follow from what changes.',
  },
  'server-path': {
    types: ['Server'],
    properties: ['url'],
    // A variable in the host matters to nothing that the service does.
    isValid: (url) => !/[{}]/.test(withoutOrigin(String(url))),
    message:
      'The service has the operations below the path with the variables at their defaults, not below other paths; write the path without variables.',
  },
  'operation-id-casing': {
    types: ['Operation'],
    properties: ['operationId'],
    isValid: matches(/^[a-z][A-Za-z0-9]*$/),
    message:
      'An operationId is camelCase, such as listBooks, because it names a method and a file.',
  },
  'operation-id-free': {
    types: ['Operation'],
    properties: ['operationId'],
    isValid: isNot(/^(?:raw|then)$/),
    message:
      'The client has raw already, and with then it would be a promise; choose another operationId.',
  },
  'deprecation-dates': {
    types: ['Operation', 'Parameter', 'Header', 'Schema'],
    properties: ['x-deprecated-at', 'x-sunset'],
    isValid: matches(day),
    message: 'Give a day of the calendar, such as "2030-12-05" (not 29 February).',
  },
  'enum-values': {
    types: ['Schema'],
    properties: ['enum'],
    isValid: (value) => toList(value).length > 0,
    message: 'No value fits an empty enum; list the values, or remove it.',
  },
  'safe-integer-range': {
    types: ['Schema'],
    properties: ['minimum', 'maximum'],
    isValid: (value, { format }) => format !== 'int64' || Number.isSafeInteger(value),
    message: 'An int64 beyond 2^53 is rounded by most JSON parsers; stay within ±9007199254740991.',
  },
}

/** Creates the rules on values, by name. */
export function createValueRules(): Record<string, Rule> {
  const rules = Object.entries(valueRules).map(([name, rule]) => [name, toRule(rule)] as const)
  return Object.fromEntries(rules)
}

function toRule({ types, properties, isValid, message }: ValueRule): Rule {
  return () => {
    const visitors = types.map((type) => {
      const visit: ReturnType<Rule>[string] = (node, { location, report }) => {
        for (const property of properties.filter((name) => name in node)) {
          if (!isValid(node[property], node)) {
            report({ message, location: location.child(property) })
          }
        }
      }
      return [type, visit] as const
    })
    return Object.fromEntries(visitors)
  }
}

// A value of another type has a rule of its own.
function matches(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value !== 'string' || pattern.test(value)
}

function isNot(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value !== 'string' || !pattern.test(value)
}

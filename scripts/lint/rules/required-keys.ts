import { type ContentKind, kindOf } from '../../../server/description/content-kind.ts'
import type { JsonObject } from '../../../server/description/json.ts'
import type { Rule } from '../rule.ts'

/** Which keys a rule demands of an object. */
interface RequiredKeys {
  readonly type: string
  readonly isConcerned?: (node: JsonObject, key: string) => boolean
  readonly keys: readonly string[]
  /** Whether one of the keys is enough. */
  readonly isOneEnough?: boolean
  readonly message: string
}

/** The content of which a description shows examples. */
const shownKinds: readonly ContentKind[] = ['json', 'text']

const requiredKeys: Readonly<Record<string, RequiredKeys>> = {
  'body-limit': {
    type: 'RequestBody',
    keys: ['x-max-bytes'],
    message: 'Declare how large the body may be, in bytes; add x-max-bytes.',
  },
  'undeclared-operations': {
    type: 'Root',
    keys: ['x-undeclared-operations', 'x-framing-response'],
    message:
      'Declare the responses to requests that match no operation (x-undeclared-operations, by status) and to those that are not valid HTTP (x-framing-response), or refer to platform.yaml, which has them.',
  },
  'deprecation-facts': {
    type: 'Operation',
    isConcerned: ({ deprecated }) => deprecated === true,
    keys: ['x-deprecated-at', 'x-sunset', 'x-replaced-by'],
    message:
      'A deprecated operation declares since when, until when and what to use instead (x-deprecated-at, x-sunset, x-replaced-by).',
  },
  'media-type-example': {
    type: 'MediaType',
    // The mock has samples of bytes, and of streams by the schema of their items.
    isConcerned: (_, name) => shownKinds.includes(kindOf(name)),
    keys: ['example', 'examples'],
    isOneEnough: true,
    message: 'Show what this media type holds; add an example or examples.',
  },
  'header-example': {
    type: 'Header',
    keys: ['example', 'examples', 'content'],
    isOneEnough: true,
    message: 'Show a value of this header; add an example or examples.',
  },
  'safe-integer-bounds': {
    type: 'Schema',
    isConcerned: ({ format }) => format === 'int64',
    keys: ['minimum', 'maximum'],
    message:
      'An int64 beyond 2^53 is rounded by most JSON parsers; add minimum -9007199254740991 and maximum 9007199254740991, or narrower.',
  },
}

/** Creates the rules on required keys, by name. */
export function createRequiredKeyRules(): Record<string, Rule> {
  const rules = Object.entries(requiredKeys).map(([name, rule]) => [name, toRule(rule)] as const)
  return Object.fromEntries(rules)
}

function toRule({ type, isConcerned, keys, isOneEnough = false, message }: RequiredKeys): Rule {
  return () => ({
    [type](node, { key, location, report }) {
      if (isConcerned?.(node, String(key)) === false) {
        return
      }
      const hasKey = (name: string) => name in node
      const isComplete = isOneEnough ? keys.some(hasKey) : keys.every(hasKey)
      if (!isComplete) {
        report({ message, location: location.key() })
      }
    },
  })
}

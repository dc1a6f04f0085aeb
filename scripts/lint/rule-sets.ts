import type { RuleSeverity } from '@redocly/openapi-core'
import { completionSettings } from './completion.ts'

/** The settings of rules, by their name. */
type RuleSettings = Record<
  string,
  RuleSeverity | { severity: RuleSeverity; [option: string]: unknown }
>

/** Rules that hold for every description: without them the service would not do what the description says. */
const needed: RuleSettings = {
  // The extensions of the platform
  'service/extensible-enum': 'error',
  'service/pagination-declared': 'error',
  'service/deprecation-dates': 'error',
  'service/sunset-after-deprecation': 'error',
  'service/replacement-exists': 'error',
  'service/replacement-link': 'error',

  // Security: the rule of Redocly rejects every API without security as well.
  'security-defined': 'off',
  'service/security-scheme-defined': 'error',

  'service/condition-in-all-of': 'warn',
  // The service allows null where OpenAPI 3.0 says nullable without a type, such as beside allOf.
  'nullable-type-sibling': 'warn',
  // A component may be written before what uses it.
  'no-unused-components': 'warn',
  // It does not know the properties of the schema around an `if` or a part of `allOf`.
  'no-required-schema-properties-undefined': 'warn',
}

/** Rules about values that have no effect, as they do not fit their own schema, and about what is not certain. */
const advice = [
  'service/default-valid',
  'service/enum-values',
  'service/header-example-valid',
  'service/linear-pattern',
  'service/media-type-effect',
  'service/one-base-path',
  'service/server-path',
]

/** What the rules about examples are set to. */
function examplesWith(severity: RuleSeverity): RuleSettings {
  // An example is valid if its schema accepts it. Otherwise these would close each schema, and reject what
  // an `if` allows beside its own properties.
  const setting = { severity, allowAdditionalProperties: true }
  return {
    'no-invalid-media-type-examples': setting,
    'no-invalid-parameter-examples': setting,
    'no-invalid-schema-examples': setting,
  }
}

/** Rules of style: the service serves a description that does not follow them. */
const style = [
  'info-license',
  'info-license-strict',
  'no-ambiguous-paths',
  'no-duplicated-enum-values',
  'no-enum-type-mismatch',
  'no-illogical-composition-keywords',
  'no-mixed-number-range-constraints',
  'no-path-trailing-slash',
  'no-schema-type-mismatch',
  'no-unsafe-markdown',
  'operation-summary',
  'operation-tag-defined',
  'tag-description',
  'service/component-schema-example',
  'service/deprecation-facts',
  'service/header-example',
  'service/idempotency-authenticated',
  'service/media-type-example',
  'service/open-base',
  'service/operation-security',
  'service/parameter-example',
  'service/parameter-form',
  'service/scope-declared',
  'service/scope-token',
  'service/sunset-announced',
]

/** What a new API of this house declares, so that its consumers find nothing unusual. */
const ofHouse = [
  'service/openapi-version',
  'service/version',
  'service/operation-id-casing',
  'service/operation-id-free',

  // Paths
  'service/path-parameter-name',

  // Statuses and headers: the platform adds them
  'service/exact-statuses',
  'service/operation-statuses',
  'service/body-statuses',
  'service/undeclared-statuses',
  'service/undeclared-operations',
  'service/body-limit',
  'service/response-headers',
  'service/www-authenticate',
  'service/allow',
  'service/error-headers',
  'service/retry-after',
  'service/deprecation-headers',

  // Bodies and schemas
  'service/component-name-free',
  'service/known-keywords',
  'service/known-format',
  'service/error-schema',
  'service/media-type-name',
  'service/safe-integer-bounds',
  'service/safe-integer-range',
]

/** Rules of Redocly about what is served all the same. */
const harmless = [
  'no-duplicated-tag-names',
  'no-example-value-and-externalValue',
  'no-server-variables-empty-enum',
  'no-undefined-server-variable',
  'path-not-include-query',
  'security-scopes-defined',
  'spec-components-invalid-map-name',
  'spec-discriminator-defaultMapping',
  'spec-example-values',
  'spec-no-invalid-encoding-combinations',
  'spec-no-invalid-tag-parents',
  'spec-querystring-parameters',
  'spec-ref-siblings',
]

/** Rules of Redocly about what another file has, or the platform adds. */
const superfluous = [
  'no-empty-servers',
  'no-server-example.com',
  'no-server-trailing-slash',
  'nullable-type-sibling',
  'operation-2xx-response',
  'operation-4xx-response',
  'operation-operationId',
  'operation-operationId-unique',
  'operation-operationId-url-safe',
]

/** The option of the rule `struct` by which its harmless errors are warnings. */
export const toleranceOption = 'isTolerant'

/** What an API may extend in its `redocly.yaml`: what the service needs, and that with the rules of the house. */
export const ruleSets = {
  served: {
    ...completionSettings,
    rules: {
      ...needed,
      ...withSeverity('warn', [...advice, ...style, ...harmless]),
      ...examplesWith('warn'),
      ...withSeverity('off', [...ofHouse, ...superfluous]),
      struct: { severity: 'error', [toleranceOption]: true } satisfies RuleSettings[string],
    },
  },
  house: {
    ...completionSettings,
    rules: {
      ...needed,
      ...withSeverity('error', [...advice, ...style, ...ofHouse]),
      ...examplesWith('error'),
    },
  },
}

function withSeverity(severity: RuleSeverity, names: readonly string[]): RuleSettings {
  return Object.fromEntries(names.map((name) => [name, severity]))
}

import type { RuleSeverity } from '@redocly/openapi-core'
import { completionSettings } from './completion.ts'

/** The settings of rules, by their name. */
type RuleSettings = Record<
  string,
  RuleSeverity | { severity: RuleSeverity; [option: string]: unknown }
>

/** Rules that the service needs: without them it would not start, or not do what the description says. */
const needed: RuleSettings = {
  'service/openapi-version': 'error',
  'service/version': 'error',

  // Names of the platform
  'service/component-name-free': 'error',

  // Paths
  'service/path-parameter-name': 'error',

  // What the service implements
  'service/known-keywords': 'error',
  'service/extensible-enum': 'error',

  // Security: the rule of Redocly rejects every API without security as well.
  'security-defined': 'off',
  'service/security-scheme-defined': 'error',

  // Operations
  'service/operation-id-casing': 'error',
  'service/operation-id-free': 'error',
  'service/pagination-declared': 'error',

  // Statuses
  'service/exact-statuses': 'error',
  'service/operation-statuses': 'error',
  'service/body-statuses': 'error',
  'service/undeclared-statuses': 'error',
  'service/body-limit': 'error',
  'service/undeclared-operations': 'error',

  // Headers
  'service/response-headers': 'error',
  'service/www-authenticate': 'error',
  'service/allow': 'error',
  'service/error-headers': 'error',
  'service/retry-after': 'error',

  // Deprecation
  'service/deprecation-headers': 'error',
  'service/deprecation-dates': 'error',
  'service/sunset-after-deprecation': 'error',
  'service/replacement-exists': 'error',
  'service/replacement-link': 'error',

  // Schemas
  'service/enum-values': 'error',
  'service/error-schema': 'error',
  'service/condition-in-all-of': 'warn',
  'service/default-valid': 'error',
  'service/known-format': 'error',
  'service/linear-pattern': 'error',
  'service/safe-integer-bounds': 'error',
  'service/safe-integer-range': 'error',

  // Examples
  // An example is valid if its schema accepts it. Otherwise these would close each schema, and reject what
  // an `if` allows beside its own properties.
  'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
  'no-invalid-parameter-examples': { severity: 'error', allowAdditionalProperties: true },
  'no-invalid-schema-examples': { severity: 'error', allowAdditionalProperties: true },
  'service/header-example-valid': 'error',

  // Media types
  'service/media-type-name': 'error',
  'service/body-media-type': 'error',
  'service/response-media-type': 'error',

  // A component may be written before what uses it.
  'no-unused-components': 'warn',
  // It does not know the properties of the schema around an `if` or a part of `allOf`.
  'no-required-schema-properties-undefined': 'warn',
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
  'service/one-base-path',
  'service/operation-security',
  'service/parameter-example',
  'service/scope-declared',
  'service/server-path',
  'service/sunset-announced',
]

/** What an API may extend in its `redocly.yaml`: what the service needs, and that with the rules of style. */
export const ruleSets = {
  served: { ...completionSettings, rules: { ...needed, ...withSeverity('warn') } },
  house: { ...completionSettings, rules: { ...needed, ...withSeverity('error') } },
}

function withSeverity(severity: RuleSeverity): RuleSettings {
  return Object.fromEntries(style.map((name) => [name, severity]))
}

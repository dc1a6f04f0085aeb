import { completion } from './completion.ts'
import { extendTypes } from './extensions.ts'
import type { Rule } from './rule.ts'
import { ruleSets } from './rule-sets.ts'
import { componentNameFree } from './rules/component-name-free.ts'
import { componentSchemaExample } from './rules/component-schema-example.ts'
import { conditionInAllOf } from './rules/condition-in-all-of.ts'
import { defaultValid } from './rules/default-valid.ts'
import { errorHeaders } from './rules/error-headers.ts'
import { errorSchema } from './rules/error-schema.ts'
import { extensibleEnum } from './rules/extensible-enum.ts'
import { headerExampleValid } from './rules/header-example-valid.ts'
import { idempotencyAuthenticated } from './rules/idempotency-authenticated.ts'
import { knownFormat } from './rules/known-format.ts'
import { knownKeywords } from './rules/known-keywords.ts'
import { linearPattern } from './rules/linear-pattern.ts'
import { mediaTypeEffect } from './rules/media-type-effect.ts'
import { createNameRules } from './rules/name-rules.ts'
import { oneBasePath } from './rules/one-base-path.ts'
import { openBase } from './rules/open-base.ts'
import { operationSecurity } from './rules/operation-security.ts'
import { paginationDeclared } from './rules/pagination-declared.ts'
import { parameterExample } from './rules/parameter-example.ts'
import { parameterForm } from './rules/parameter-form.ts'
import { replacementExists } from './rules/replacement-exists.ts'
import { replacementLink } from './rules/replacement-link.ts'
import {
  allow,
  deprecationHeaders,
  responseHeaders,
  retryAfter,
  wwwAuthenticate,
} from './rules/required-headers.ts'
import { createRequiredKeyRules } from './rules/required-keys.ts'
import { bodyStatuses, operationStatuses, undeclaredStatuses } from './rules/required-statuses.ts'
import { scopeDeclared } from './rules/scope-declared.ts'
import { scopeToken } from './rules/scope-token.ts'
import { securitySchemeDefined } from './rules/security-scheme-defined.ts'
import { sunsetAfterDeprecation } from './rules/sunset-after-deprecation.ts'
import { sunsetAnnounced } from './rules/sunset-announced.ts'
import { createValueRules } from './rules/value-rules.ts'

const rules: Readonly<Record<string, Rule>> = {
  ...createValueRules(),
  ...createNameRules(),
  ...createRequiredKeyRules(),
  allow,
  'body-statuses': bodyStatuses,
  'component-name-free': componentNameFree,
  'component-schema-example': componentSchemaExample,
  'condition-in-all-of': conditionInAllOf,
  'default-valid': defaultValid,
  'deprecation-headers': deprecationHeaders,
  'error-headers': errorHeaders,
  'error-schema': errorSchema,
  'extensible-enum': extensibleEnum,
  'header-example-valid': headerExampleValid,
  'idempotency-authenticated': idempotencyAuthenticated,
  'known-format': knownFormat,
  'known-keywords': knownKeywords,
  'linear-pattern': linearPattern,
  'media-type-effect': mediaTypeEffect,
  'one-base-path': oneBasePath,
  'open-base': openBase,
  'operation-security': operationSecurity,
  'operation-statuses': operationStatuses,
  'pagination-declared': paginationDeclared,
  'parameter-example': parameterExample,
  'parameter-form': parameterForm,
  'replacement-exists': replacementExists,
  'replacement-link': replacementLink,
  'response-headers': responseHeaders,
  'retry-after': retryAfter,
  'scope-declared': scopeDeclared,
  'scope-token': scopeToken,
  'security-scheme-defined': securitySchemeDefined,
  'sunset-after-deprecation': sunsetAfterDeprecation,
  'sunset-announced': sunsetAnnounced,
  'undeclared-statuses': undeclaredStatuses,
  'www-authenticate': wwwAuthenticate,
}

/** The platform's plugin of Redocly: what completes descriptions, its rules, and the sets of them to extend. */
export default function plugin() {
  return {
    id: 'service',
    ...completion,
    typeExtension: { oas3: extendTypes },
    rules: { oas3: besideReferences() },
    configs: ruleSets,
  }
}

/** Returns the rules, which look at keywords beside the `$ref` of a schema, too, which Redocly does not visit. */
function besideReferences(): Record<string, Rule> {
  const entries = Object.entries(rules).map(([name, rule]) => {
    return [name, besideReference(rule)] as const
  })
  return Object.fromEntries(entries)
}

function besideReference(rule: Rule): Rule {
  return () => {
    const visitors = rule()
    const { Schema: visit } = visitors
    if (!(visit instanceof Function)) {
      return visitors
    }
    return {
      ...visitors,
      ref(node, context) {
        const isAlone = Object.keys(node).length === 1
        if (context.type.name === 'Schema' && !isAlone) {
          visit(node, context)
        }
      },
    }
  }
}

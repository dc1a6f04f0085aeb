import { completion } from './completion.ts'
import { extendTypes } from './extensions.ts'
import type { Rule } from './rule.ts'
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
import { oneBasePath } from './rules/one-base-path.ts'
import { openBase } from './rules/open-base.ts'
import { paginationDeclared } from './rules/pagination-declared.ts'
import { parameterExample } from './rules/parameter-example.ts'
import { replacementExists } from './rules/replacement-exists.ts'
import { replacementLink } from './rules/replacement-link.ts'
import { sunsetAfterDeprecation } from './rules/sunset-after-deprecation.ts'
import { sunsetAnnounced } from './rules/sunset-announced.ts'

/** The lint rules that a configuration of Redocly's own rules cannot express, and `x-common`. */
export default function plugin() {
  return {
    id: 'service',
    ...completion,
    typeExtension: { oas3: extendTypes },
    rules: {
      oas3: {
        'condition-in-all-of': besideReferences(conditionInAllOf),
        'default-valid': besideReferences(defaultValid),
        'error-headers': errorHeaders,
        'error-schema': errorSchema,
        'extensible-enum': besideReferences(extensibleEnum),
        'header-example-valid': headerExampleValid,
        'idempotency-authenticated': idempotencyAuthenticated,
        'known-format': besideReferences(knownFormat),
        'known-keywords': besideReferences(knownKeywords),
        'linear-pattern': besideReferences(linearPattern),
        'one-base-path': oneBasePath,
        'open-base': besideReferences(openBase),
        'pagination-declared': paginationDeclared,
        'parameter-example': parameterExample,
        'replacement-exists': replacementExists,
        'replacement-link': replacementLink,
        'sunset-after-deprecation': sunsetAfterDeprecation,
        'sunset-announced': besideReferences(sunsetAnnounced),
      },
    },
  }
}

/** Returns a rule that looks at keywords beside the `$ref` of a schema, too, which Redocly does not visit. */
function besideReferences(rule: Rule): Rule {
  return () => {
    const visitors = rule()
    const { Schema: visit } = visitors
    return {
      ...visitors,
      ref(node, context) {
        const isAlone = Object.keys(node).length === 1
        if (context.type.name === 'Schema' && !isAlone && visit instanceof Function)
          visit(node, context)
      },
    }
  }
}

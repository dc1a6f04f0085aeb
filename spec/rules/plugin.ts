import { commonParts } from './common-parts.ts'
import { conditionInAllOf } from './condition-in-all-of.ts'
import { defaultValid } from './default-valid.ts'
import { errorHeaders } from './error-headers.ts'
import { errorSchema } from './error-schema.ts'
import { extensibleEnum } from './extensible-enum.ts'
import { extendTypes } from './extensions.ts'
import { headerExampleValid } from './header-example-valid.ts'
import { idempotencyAuthenticated } from './idempotency-authenticated.ts'
import { knownFormat } from './known-format.ts'
import { knownKeywords } from './known-keywords.ts'
import { linearPattern } from './linear-pattern.ts'
import { oneBasePath } from './one-base-path.ts'
import { openBase } from './open-base.ts'
import { paginationDeclared } from './pagination-declared.ts'
import { parameterExample } from './parameter-example.ts'
import { replacementExists } from './replacement-exists.ts'
import { replacementLink } from './replacement-link.ts'
import type { Rule } from './rule.ts'
import { sunsetAfterDeprecation } from './sunset-after-deprecation.ts'
import { sunsetAnnounced } from './sunset-announced.ts'

/** The lint rules that a configuration of Redocly's own rules cannot express, and `x-common`. */
export default function plugin() {
  return {
    id: 'service',
    ...commonParts,
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

import { commonParts } from './common-parts.ts'
import { componentSchemaExample } from './component-schema-example.ts'
import { defaultValid } from './default-valid.ts'
import { errorHeaders } from './error-headers.ts'
import { errorSchema } from './error-schema.ts'
import { extendTypes } from './extensions.ts'
import { headerExampleValid } from './header-example-valid.ts'
import { idempotencyAuthenticated } from './idempotency-authenticated.ts'
import { knownFormat } from './known-format.ts'
import { knownKeywords } from './known-keywords.ts'
import { linearPattern } from './linear-pattern.ts'
import { oneBasePath } from './one-base-path.ts'
import { openBase } from './open-base.ts'
import { paginationDeclared } from './pagination-declared.ts'
import { replacementExists } from './replacement-exists.ts'
import { sunsetAfterDeprecation } from './sunset-after-deprecation.ts'

/** The lint rules that a configuration of Redocly's own rules cannot express, and `x-common`. */
export default function plugin() {
  return {
    id: 'service',
    ...commonParts,
    typeExtension: { oas3: extendTypes },
    rules: {
      oas3: {
        'component-schema-example': componentSchemaExample,
        'default-valid': defaultValid,
        'error-headers': errorHeaders,
        'error-schema': errorSchema,
        'header-example-valid': headerExampleValid,
        'idempotency-authenticated': idempotencyAuthenticated,
        'known-format': knownFormat,
        'known-keywords': knownKeywords,
        'linear-pattern': linearPattern,
        'one-base-path': oneBasePath,
        'open-base': openBase,
        'pagination-declared': paginationDeclared,
        'replacement-exists': replacementExists,
        'sunset-after-deprecation': sunsetAfterDeprecation,
      },
    },
  }
}

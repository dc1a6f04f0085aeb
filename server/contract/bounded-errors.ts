import {
  _,
  type Ajv2020,
  type CodeGen,
  type CodeKeywordDefinition,
  type KeywordCxt,
} from 'ajv/dist/2020.js'

/** Errors after which a loop over the items or members of a value ends. */
export const maxErrorsOfLoop = 200

/** Keywords that loop over the items or members of a value, and reject it if they reject one of them. */
const loopingKeywords = ['items', 'propertyNames', 'additionalProperties', 'patternProperties']

/**
 * Ends the loops of an instance of Ajv after enough errors. A body may have a hundred thousand items, each
 * with an error of each form of a `oneOf`; Ajv has no option that limits them, and takes quadratic time for
 * those of a `$ref`.
 */
export function boundErrors(ajv: Ajv2020): void {
  for (const keyword of loopingKeywords) {
    boundErrorsOf(ajv, keyword)
  }
}

function boundErrorsOf(ajv: Ajv2020, keyword: string): void {
  const definition = ajv.getKeyword(keyword)
  if (typeof definition === 'boolean') {
    throw new Error(`Ajv does not know ${keyword}.`)
  }
  // Keywords of Ajv's own generate code. The definition belongs to this instance of Ajv alone.
  const { code } = definition as CodeKeywordDefinition
  Object.assign(definition, {
    code: (context: KeywordCxt, ruleType?: string) => code(withBoundedLoops(context), ruleType),
  })
}

/** Returns the context of a keyword in which the loops that it generates end after enough errors. */
function withBoundedLoops(context: KeywordCxt): KeywordCxt {
  const { gen } = context
  const errors = _`errors`

  function bound(): () => void {
    // Forms of a `oneOf` that were tried before may have left errors.
    const before = gen.const('before', errors)
    return () => gen.if(_`${errors} - ${before} >= ${maxErrorsOfLoop}`, () => gen.break())
  }

  const forRange: CodeGen['forRange'] = (name, from, to, body) => {
    const breakAtBound = bound()
    return gen.forRange(name, from, to, (index) => {
      breakAtBound()
      body(index)
    })
  }
  const forIn: CodeGen['forIn'] = (name, object, body) => {
    const breakAtBound = bound()
    return gen.forIn(name, object, (key) => {
      breakAtBound()
      body(key)
    })
  }
  const bounded: CodeGen = Object.create(gen, {
    forRange: { value: forRange },
    forIn: { value: forIn },
  })
  return Object.create(context, { gen: { value: bounded } })
}

import {
  type About,
  becomes,
  type Changed,
  changeOf,
  describeChange,
  type Named,
  type Rule,
  sentences,
  show,
  showAll,
} from './rule.ts'
import { type Slot, slots, type Way, wayOf } from './slots.ts'

type Verdict = readonly [bump: Rule<never>['bump'], consequence: string]

/** The effect of a change on the values that a schema allows. */
type Effect = 'narrower' | 'wider' | 'other' | 'none'

const { errorsMayGrow, promised, rejected, stillValid, surprising } = sentences
const other: Verdict = ['major', 'Requests may be rejected, and responses may differ.']
const none: Verdict = ['patch', 'No request is affected.']

/** What each effect means in each way, unless a rule says otherwise. */
const verdicts: Readonly<Record<Effect, Readonly<Record<Way, Verdict>>>> = {
  narrower: {
    request: ['major', rejected],
    response: ['minor', promised],
    error: ['minor', promised],
  },
  wider: {
    request: ['minor', stillValid],
    response: ['major', surprising],
    error: ['major', surprising],
  },
  other: { request: other, response: other, error: other },
  none: { request: none, response: none, error: none },
}

/** Rules that hold for schemas of parameters, headers, bodies and properties, without the first part of the ID. */
interface SchemaRule<Facts> {
  readonly title: string
  readonly effect: Effect
  readonly what: (facts: Facts) => string
  readonly verdicts: Readonly<Record<Way, Verdict>>
}

function schemaRule<Facts>(
  title: string,
  effect: Effect,
  what: (facts: Facts) => string,
  exceptions: Partial<Record<Way, Verdict>> = {},
): SchemaRule<Facts> {
  return { title, effect, what, verdicts: { ...verdicts[effect], ...exceptions } }
}

interface Listed extends About {
  readonly values: readonly unknown[]
}

interface Inner {
  /** What has changed inside, in a sentence. */
  readonly detail: string
}

const alsoAllows = ({ subject, values }: Listed) => `${subject} now also allows ${showAll(values)}`
const noLongerAllows = ({ subject, values }: Listed) =>
  `${subject} no longer allows ${showAll(values)}`
const keywordIs =
  (keyword: string, state: string) =>
  ({ subject, keyword: written = keyword }: About & Written) =>
    `\`${written}\` of ${subject} ${state}`
/** The keyword that the description has; a `oneOf` whose schemas exclude each other is an `anyOf`. */
type Written = { readonly keyword?: string | undefined }
const alternative =
  (keyword: string, state: string) =>
  ({ subject, name, keyword: written = keyword }: Named & Written) =>
    `\`${written}\` of ${subject} ${state} ${show(name)}`
const mapped =
  (state: string) =>
  ({ subject, name }: Named) =>
    `the value ${show(name)} of the discriminator of ${subject} ${state}`
const mayGrow: Partial<Record<Way, Verdict>> = { error: ['minor', errorsMayGrow] }
const rare: Verdict = ['minor', 'Code that does not use it works as before.']
const untilSunset = 'It works until its sunset; move to its replacement before that.'
const announced: Verdict = ['minor', untilSunset]
const extensible: Verdict = [
  'minor',
  'The values are marked as not final: code treats one that it does not know like none.',
]

function boundRules<Name extends string>(name: Name, keyword: string, isLowest: boolean) {
  const [tighter, looser] = isLowest ? ['increased', 'decreased'] : ['decreased', 'increased']
  const what = (facts: Changed & { readonly keyword?: string }) =>
    describeChange(facts.keyword ?? keyword, facts)
  const rules = {
    [`${name}-set`]: schemaRule(`\`${keyword}\` is new`, 'narrower', what),
    [`${name}-${tighter}`]: schemaRule(`\`${keyword}\` is stricter`, 'narrower', what),
    [`${name}-${looser}`]: schemaRule(`\`${keyword}\` is looser`, 'wider', what, mayGrow),
    [`${name}-unset`]: schemaRule(`\`${keyword}\` was removed`, 'wider', what, mayGrow),
  }
  // TypeScript does not follow the names that are put together.
  return rules as Record<
    `${Name}-${'set' | 'increased' | 'decreased' | 'unset'}`,
    SchemaRule<Changed>
  >
}

export const schemaRules = {
  'type-generalized': schemaRule('the type allows more', 'wider', changeOfKeyword('type')),
  'type-specialized': schemaRule('the type allows less', 'narrower', changeOfKeyword('type')),
  'type-changed': schemaRule('the type is another one', 'other', changeOfKeyword('type')),
  'became-nullable': schemaRule('it may be `null`', 'wider', becomes('now nullable')),
  'became-not-nullable': schemaRule(
    'it is never `null`',
    'narrower',
    becomes('no longer nullable'),
  ),
  'became-allowed': schemaRule('any value where none was allowed', 'wider', becomes('now allowed')),
  'became-forbidden': schemaRule('no value any more', 'narrower', becomes('no longer allowed')),
  'schema-added': schemaRule('a first `schema`', 'narrower', keywordIs('schema', 'is new')),
  'schema-removed': schemaRule(
    'no `schema` any more',
    'other',
    keywordIs('schema', 'is no longer stated'),
  ),
  'enum-value-added': schemaRule('a list of values has more', 'wider', alsoAllows, mayGrow),
  'enum-value-removed': schemaRule('a list of values has fewer', 'narrower', noLongerAllows),
  'x-extensible-enum-value-added': schemaRule(
    'a list of values that is marked as not final has more',
    'wider',
    alsoAllows,
    { response: extensible, error: extensible },
  ),
  'became-enum': schemaRule(
    'a first list of values',
    'narrower',
    ({ subject, values }: Listed) => `${subject} now allows ${showAll(values)} only`,
  ),
  'enum-removed': schemaRule('no list of values any more', 'wider', ({ subject }: About) => {
    return `${subject} now allows other values than those of its list`
  }),
  'became-extensible-enum': schemaRule(
    'a list of values is marked as not final (`x-extensible-enum`)',
    'wider',
    becomes('now marked as a list that may grow'),
    { request: none },
  ),
  'became-final-enum': schemaRule(
    'a list of values is no longer marked as not final',
    'none',
    becomes('no longer marked as a list that may grow'),
    { response: ['minor', promised], error: ['minor', promised] },
  ),
  ...boundRules('max', 'maximum', false),
  ...boundRules('min', 'minimum', true),
  ...boundRules('max-length', 'maxLength', false),
  ...boundRules('min-length', 'minLength', true),
  ...boundRules('max-items', 'maxItems', false),
  ...boundRules('min-items', 'minItems', true),
  ...boundRules('max-properties', 'maxProperties', false),
  ...boundRules('min-properties', 'minProperties', true),
  'pattern-added': schemaRule('a first `pattern`', 'narrower', changeOf('pattern')),
  'pattern-changed': schemaRule('another `pattern`', 'other', changeOf('pattern')),
  'pattern-removed': schemaRule('no `pattern` any more', 'wider', changeOf('pattern')),
  'format-added': schemaRule('a first `format`', 'narrower', changeOf('format')),
  'format-changed': schemaRule('another `format`', 'other', changeOf('format')),
  'format-generalized': schemaRule('a wider `format`', 'wider', changeOf('format')),
  'format-specialized': schemaRule('a narrower `format`', 'narrower', changeOf('format')),
  'format-removed': schemaRule('no `format` any more', 'wider', changeOf('format')),
  'multiple-of-added': schemaRule(
    '`multipleOf` is new, or a multiple of the one before',
    'narrower',
    changeOf('multipleOf'),
  ),
  'multiple-of-changed': schemaRule('another `multipleOf`', 'other', changeOf('multipleOf')),
  'multiple-of-removed': schemaRule(
    '`multipleOf` was removed, or is a divisor of the one before',
    'wider',
    changeOf('multipleOf'),
  ),
  'content-encoding-added': schemaRule(
    'a first `contentEncoding`',
    'narrower',
    changeOf('contentEncoding'),
  ),
  'content-encoding-changed': schemaRule(
    'another `contentEncoding`',
    'other',
    changeOf('contentEncoding'),
  ),
  'content-encoding-removed': schemaRule(
    'no `contentEncoding` any more',
    'wider',
    changeOf('contentEncoding'),
  ),
  'content-media-type-added': schemaRule(
    'a first `contentMediaType`',
    'narrower',
    changeOf('contentMediaType'),
  ),
  'content-media-type-changed': schemaRule(
    'another `contentMediaType`',
    'other',
    changeOf('contentMediaType'),
  ),
  'content-media-type-removed': schemaRule(
    'no `contentMediaType` any more',
    'wider',
    changeOf('contentMediaType'),
  ),
  'unique-items-added': schemaRule(
    'items must be unique',
    'narrower',
    keywordIs('uniqueItems', 'is new'),
  ),
  'unique-items-removed': schemaRule(
    'items need not be unique',
    'wider',
    keywordIs('uniqueItems', 'is no longer stated'),
  ),
  'additional-properties-added': schemaRule(
    'an object may have other properties, too',
    'wider',
    ({ subject }: About) => `${subject} now allows properties that are not listed`,
  ),
  'additional-properties-removed': schemaRule(
    'an object may have no other properties',
    'narrower',
    ({ subject }: About) => `${subject} no longer allows properties that are not listed`,
  ),
  'dependent-required-added': schemaRule(
    '`dependentRequired` has more',
    'narrower',
    keywordIs('dependentRequired', 'now asks for more'),
  ),
  'dependent-required-removed': schemaRule(
    '`dependentRequired` has less',
    'wider',
    keywordIs('dependentRequired', 'now asks for less'),
  ),
  'dependent-schema-added': schemaRule(
    '`dependentSchemas` has more',
    'narrower',
    keywordIs('dependentSchemas', 'has a new schema'),
  ),
  'dependent-schema-removed': schemaRule(
    '`dependentSchemas` has less',
    'wider',
    keywordIs('dependentSchemas', 'has lost a schema'),
  ),
  'pattern-property-added': schemaRule(
    'a first schema for a pattern of names',
    'narrower',
    keywordIs('patternProperties', 'has a new schema'),
  ),
  'pattern-property-removed': schemaRule(
    'no schema for a pattern of names any more',
    'wider',
    keywordIs('patternProperties', 'has lost a schema'),
  ),
  'property-names-added': schemaRule(
    '`propertyNames` is new',
    'narrower',
    keywordIs('propertyNames', 'is new'),
  ),
  'property-names-removed': schemaRule(
    '`propertyNames` was removed',
    'wider',
    keywordIs('propertyNames', 'was removed'),
  ),
  'unevaluated-items-added': schemaRule(
    '`unevaluatedItems` is new, beside alternatives',
    'narrower',
    keywordIs('unevaluatedItems', 'is new'),
  ),
  'unevaluated-items-removed': schemaRule(
    '`unevaluatedItems` was removed, beside alternatives',
    'wider',
    keywordIs('unevaluatedItems', 'was removed'),
  ),
  'contains-added': schemaRule('`contains` is new', 'narrower', keywordIs('contains', 'is new')),
  'contains-changed': schemaRule(
    '`contains`, or how many items match it, is another one',
    'other',
    keywordIs('contains', 'was changed'),
  ),
  'contains-generalized': schemaRule(
    'fewer items must match `contains`, or more may',
    'wider',
    keywordIs('contains', 'now allows other numbers of items, too'),
  ),
  'contains-specialized': schemaRule(
    'more items must match `contains`, or fewer may',
    'narrower',
    keywordIs('contains', 'now allows fewer numbers of items'),
  ),
  'contains-removed': schemaRule(
    '`contains` was removed',
    'wider',
    keywordIs('contains', 'was removed'),
  ),
  'any-of-added': schemaRule(
    'a schema in `anyOf` is new',
    'wider',
    alternative('anyOf', 'also allows'),
  ),
  'any-of-removed': schemaRule(
    'a schema in `anyOf` was removed',
    'narrower',
    alternative('anyOf', 'no longer allows'),
  ),
  'one-of-added': schemaRule(
    'a schema in `oneOf` is new',
    'wider',
    alternative('oneOf', 'also allows'),
  ),
  'one-of-removed': schemaRule(
    'a schema in `oneOf` was removed',
    'narrower',
    alternative('oneOf', 'no longer allows'),
  ),
  'alternatives-added': schemaRule(
    'first alternatives beside other keywords',
    'narrower',
    keywordIs('anyOf', 'is new'),
  ),
  'alternatives-removed': schemaRule(
    'no alternatives beside other keywords any more',
    'wider',
    keywordIs('anyOf', 'was removed'),
  ),
  'alternatives-changed': schemaRule(
    'alternatives became one schema, or one schema alternatives, and it is not one of them',
    'other',
    keywordIs('anyOf', 'was changed'),
  ),
  'one-of-generalized': schemaRule(
    '`oneOf` became `anyOf`',
    'wider',
    keywordIs('oneOf', 'is now `anyOf`'),
  ),
  'one-of-specialized': schemaRule(
    '`anyOf` became `oneOf`',
    'narrower',
    keywordIs('anyOf', 'is now `oneOf`'),
  ),
  'not-added': schemaRule('`not` is new', 'narrower', keywordIs('not', 'is new')),
  'not-changed': schemaRule('inside of `not`', 'other', ({ detail }: Inner) => detail),
  'not-removed': schemaRule('`not` was removed', 'wider', keywordIs('not', 'was removed')),
  'if-added': schemaRule('`if` is new', 'narrower', keywordIs('if', 'is new')),
  'if-changed': schemaRule('inside of `if`', 'other', ({ detail }: Inner) => detail),
  'if-removed': schemaRule('`if` was removed', 'wider', keywordIs('if', 'was removed')),
  'discriminator-added': schemaRule(
    '`discriminator` is new',
    'other',
    keywordIs('discriminator', 'is new'),
  ),
  'discriminator-removed': schemaRule(
    '`discriminator` was removed',
    'other',
    keywordIs('discriminator', 'was removed'),
  ),
  'discriminator-property-name-changed': schemaRule(
    'another property names the form',
    'other',
    changeOf('propertyName'),
  ),
  'discriminator-mapping-added': schemaRule(
    'a discriminator has more values',
    'wider',
    mapped('is new'),
  ),
  'discriminator-mapping-changed': schemaRule(
    'a value of a discriminator names another schema',
    'other',
    mapped('leads to another schema'),
  ),
  'discriminator-mapping-deleted': schemaRule(
    'a discriminator has fewer values',
    'other',
    mapped('was removed'),
  ),
  'discriminator-default-changed': schemaRule(
    'another schema is for the values that a discriminator does not list (`defaultMapping`)',
    'other',
    changeOf('defaultMapping'),
  ),
  'default-value-added': schemaRule('a first `default`', 'none', changeOf('default'), {
    request: ['major', 'Requests that omit it now mean something else.'],
  }),
  'default-value-changed': schemaRule('another `default`', 'none', changeOf('default'), {
    request: ['major', 'Requests that omit it now mean something else.'],
  }),
  'default-value-removed': schemaRule('no `default` any more', 'none', changeOf('default'), {
    request: ['major', 'Requests that omit it now mean something else.'],
  }),
  'became-read-only': schemaRule('it is readOnly', 'narrower', becomes('now readOnly'), {
    response: rare,
    error: rare,
  }),
  'became-not-read-only': schemaRule(
    'it is no longer readOnly',
    'wider',
    becomes('no longer readOnly'),
    { response: rare, error: rare },
  ),
  'became-write-only': schemaRule('it is writeOnly', 'other', becomes('now writeOnly'), {
    request: rare,
    response: ['major', 'Responses no longer contain it.'],
    error: ['major', 'Responses no longer contain it.'],
  }),
  'became-not-write-only': schemaRule(
    'it is no longer writeOnly',
    'other',
    becomes('no longer writeOnly'),
    {
      request: rare,
      response: ['minor', 'Responses may contain it.'],
      error: ['minor', 'Responses may contain it.'],
    },
  ),
  deprecated: schemaRule('it is deprecated', 'none', becomes('now deprecated'), {
    request: announced,
    response: announced,
    error: announced,
  }),
  reactivated: schemaRule('it is no longer deprecated', 'none', becomes('no longer deprecated'), {
    request: ['minor', 'Code that uses it can stay.'],
    response: ['minor', 'Code that uses it can stay.'],
    error: ['minor', 'Code that uses it can stay.'],
  }),
  'sunset-date-added': schemaRule('a first sunset', 'none', changeOf('x-sunset'), {
    request: announced,
    response: announced,
    error: announced,
  }),
  'sunset-date-postponed': schemaRule('a later sunset', 'none', changeOf('x-sunset'), {
    request: announced,
    response: announced,
    error: announced,
  }),
  'sunset-date-changed-too-small': schemaRule('an earlier sunset', 'none', changeOf('x-sunset'), {
    request: ['major', 'Code that uses it must move sooner than was announced.'],
    response: ['major', 'Code that uses it must move sooner than was announced.'],
    error: ['major', 'Code that uses it must move sooner than was announced.'],
  }),
  'sunset-deleted': schemaRule('no sunset any more', 'none', changeOf('x-sunset'), {
    request: ['minor', 'It has no day of removal any more.'],
    response: ['minor', 'It has no day of removal any more.'],
    error: ['minor', 'It has no day of removal any more.'],
  }),
}

function changeOfKeyword(keyword: string): (facts: Changed) => string {
  return (facts) => describeChange(keyword, facts)
}

export type SchemaStem = keyof typeof schemaRules
export type SchemaFacts<Stem extends SchemaStem> = Parameters<(typeof schemaRules)[Stem]['what']>[0]
/** Properties always have a schema. */
type Unused = `${string}-property-schema-${'added' | 'removed'}`
export type SchemaRuleId = Exclude<`${Slot}-${SchemaStem}`, Unused>

type AllSchemaRules = {
  readonly [Stem in SchemaStem as Exclude<`${Slot}-${Stem}`, Unused>]: Rule<SchemaFacts<Stem>>
}

/** The rules for schemas with their whole IDs, such as `request-property-max-decreased`. */
export const rulesOfSchemas = createRules()

function createRules(): AllSchemaRules {
  const rules = slots.flatMap((slot) =>
    Object.entries(schemaRules).map(([stem, { title, effect, what, verdicts: byWay }]) => {
      const way = wayOf(slot)
      const [bump, consequence] = byWay[way]
      const isNarrower = effect === 'narrower' || effect === 'other'
      const isStored = slot === 'response-body' || slot === 'response-property'
      const narrowsResponses = isNarrower && isStored && { narrowsResponses: true as const }
      return [`${slot}-${stem}`, { title, bump, what, consequence, ...narrowsResponses }]
    }),
  )
  const usedRules = rules.filter(([id]) => !/-property-schema-(?:added|removed)$/.test(String(id)))
  // `Object.fromEntries` does not keep which rule has which ID.
  return Object.fromEntries(usedRules) as AllSchemaRules
}

type Wording = (said: string) => string

const says =
  (words: string): Wording =>
  () =>
    words
const limit =
  (words: string): Wording =>
  (said) =>
    `must be ${words} ${said.split(' ').at(-1)}`
const size =
  (words: string, one: string): Wording =>
  (said) => {
    const count = /\d+/.exec(said)?.[0] ?? '?'
    return `must have ${words} ${count} ${one}${count === '1' ? '' : 's'}`
  }

/** What the validator says of a fault, in words of our own, by the keyword that was broken. */
const wordings: Readonly<Record<string, Wording>> = {
  type: (said) =>
    `must be ${said.replace('must be ', '').split(',').map(withArticle).join(' or ')}`,
  required: says('is missing'),
  dependentRequired: says('is missing, which another field asks for'),
  additionalProperties: says('is not a known field'),
  unevaluatedProperties: says('is not a known field'),
  propertyNames: says('has a field whose name is not allowed'),
  enum: (said) => `must be one of ${said.split(': ').slice(1).join(': ')}`,
  const: says('must be the one value that the contract gives'),
  minimum: limit('at least'),
  maximum: limit('at most'),
  exclusiveMinimum: limit('more than'),
  exclusiveMaximum: limit('less than'),
  multipleOf: limit('a multiple of'),
  minLength: size('at least', 'character'),
  maxLength: size('at most', 'character'),
  minItems: size('at least', 'item'),
  maxItems: size('at most', 'item'),
  minProperties: size('at least', 'field'),
  maxProperties: size('at most', 'field'),
  uniqueItems: says('must not have the same item twice'),
  contains: says('lacks an item that the contract asks for'),
  pattern: says('must match the pattern that the contract gives'),
  format: (said) => `must have the format ${/"(.*)"/.exec(said)?.[1] ?? 'that the contract gives'}`,
  readOnly: says('is for answers only'),
  oneOf: says('must fit exactly one of the forms that the contract gives'),
  anyOf: says('must fit one of the forms that the contract gives'),
  not: says('must not have the form that the contract rules out'),
}

/** Says in plain words what is wrong, given a keyword of JSON Schema and what Ajv says of it. */
export function inPlainWords(keyword: string, said: string): string {
  const wording = Object.hasOwn(wordings, keyword) ? wordings[keyword] : undefined
  return wording?.(said) ?? 'does not fit the contract'
}

function withArticle(type: string): string {
  if (type === 'null') return type
  return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`
}

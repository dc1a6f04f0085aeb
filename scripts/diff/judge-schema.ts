import { type Effect, effectOf, missingFrom } from './effect.ts'
import { type Case, type Judge, type Judgement, show, showChange, toSentence } from './judgement.ts'

const consequences = {
  refused: 'Requests that were accepted until now are refused with 400.',
  unexpected: 'Answers may hold what the last release ruled out: prepare code that relies on it.',
  newValue: 'Answers may hold it: prepare code that knows the others only, such as a switch.',
  larger: 'Answers may go beyond the old bound: prepare code that relies on it, such as a column.',
  both: 'Requests may be refused and answers may differ from what the last release promised.',
  more: 'Requests may use it; those that are sent today stay valid.',
  failure: 'Failures may hold it; code that decides by the status works as before.',
  missing: 'Answers may lack it: prepare code that relies on it.',
  promise: 'Answers keep to more than was promised; code that reads them works as before.',
  bound: 'Together with the other bound it allows no less than before.',
  unused: 'No request and no answer is affected.',
} as const

const bounds = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum']

/** Judges what a schema allows; the same words mean the opposite for requests and for answers. */
export const judgeSchema: Judge = (difference) => {
  const { kind, typeName, property } = difference
  if (typeName !== 'Schema' || kind !== 'modified' || property === undefined) return undefined
  if (property === 'default') return judgeDefault(difference)
  if (property === 'readOnly' || property === 'writeOnly') return judgeOneWay(difference)
  const effect = effectOf(property, difference.base?.value, difference.revision?.value)
  if (effect === undefined) return undefined
  if (effect === 'same') return 'nothing'
  return { ...judgeEffect(effect, difference), what: toSentence(say(property, difference)) }
}

/** What it means that a schema allows other values than before. */
export function judgeEffect(effect: Effect, difference: Case) {
  const { directions, property, typeName, path, revision, pageSize } = difference
  const isNarrower = effect !== 'wider'
  const isWider = effect !== 'narrower'
  // A new kind of failure is to be expected; a failure without a promised member is not.
  const mayGrow = property === 'enum' || isOfSize(property)
  // Two keywords say a bound together, which Redocly looks at as one.
  const isBound = bounds.includes(property ?? '') && difference.verdicts.length === 0
  const refuses = isNarrower && directions.has('request') && !isBound
  const surprises =
    isWider && !isBound && (directions.has('answer') || (directions.has('failure') && !mayGrow))
  const isOfBody = typeName === 'Schema' && !path.includes('/headers/')
  // The length of a page depends on the request, not on what is stored.
  const isPageSize =
    property === 'maxItems' && Number(revision?.value) >= (pageSize ?? Number.POSITIVE_INFINITY)
  return {
    step: refuses || surprises ? 'major' : directions.size === 0 ? 'patch' : 'minor',
    consequence: consequences[toConsequence(refuses, surprises, isWider, difference)],
    ...(isNarrower && isOfBody && !isPageSize && directions.has('answer')
      ? { narrowsAnswers: true }
      : {}),
  } satisfies Omit<Judgement, 'what'>
}

function toConsequence(
  refuses: boolean,
  surprises: boolean,
  isWider: boolean,
  { directions, property }: Case,
): keyof typeof consequences {
  if (refuses) return surprises ? 'both' : 'refused'
  if (surprises && property === 'required') return 'missing'
  if (surprises && property === 'enum') return 'newValue'
  if (surprises) return isOfSize(property) ? 'larger' : 'unexpected'
  if (directions.size === 0) return 'unused'
  if (!isWider) return directions.has('request') ? 'bound' : 'promise'
  return directions.has('request') ? 'more' : 'failure'
}

function isOfSize(property: string | undefined): boolean {
  return /^(?:min|max)/.test(property ?? '')
}

function say(property: string, difference: Case): string {
  const { subject, base, revision } = difference
  const [before, after] = [base?.value, revision?.value]
  const isRequired = property === 'required'
  if (!isRequired && !(property === 'enum' && before !== undefined && after !== undefined)) {
    return `\`${property}\` of ${subject} ${showChange(difference)}`
  }
  const list = (values: readonly unknown[]) => values.map(show).join(', ')
  const lost = list(missingFrom(before, after))
  const gained = list(missingFrom(after, before))
  const [wins, loses] = isRequired
    ? ['now requires', 'no longer requires']
    : ['now also allows', 'no longer allows']
  const clauses = [gained && `${wins} ${gained}`, lost && `${loses} ${lost}`]
  return `${subject} ${clauses.filter((clause) => clause !== '').join(' and ')}`
}

// What is only read may not be sent, and what is only written is not answered.
function judgeOneWay(difference: Case): Judgement {
  const what = toSentence(
    `\`${difference.property}\` of ${difference.subject} ${showChange(difference)}`,
  )
  const isOneWay = difference.revision?.value === true
  const way = difference.property === 'readOnly' ? 'request' : 'answer'
  if (isOneWay && difference.directions.has(way)) {
    return {
      step: 'major',
      what,
      consequence: consequences[way === 'request' ? 'refused' : 'missing'],
    }
  }
  return { step: 'minor', what, consequence: consequences.more }
}

function judgeDefault(difference: Case): Judgement {
  const what = toSentence(`the default of ${difference.subject} ${showChange(difference)}`)
  if (!difference.directions.has('request')) {
    return { step: 'patch', what, consequence: 'No request is affected.' }
  }
  // A first one as well: until now, what was left out meant something else.
  return {
    step: 'major',
    what,
    consequence: 'Requests that leave it out are answered differently.',
  }
}

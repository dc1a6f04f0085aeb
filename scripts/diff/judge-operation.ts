import { isObject, toObject } from '../pipeline/description.ts'
import { type Case, type Judge, type Judgement, show, showChange, toSentence } from './judgement.ts'
import { toPlace } from './pointer.ts'

/** Judges operations that were added or removed, their names, deprecations and sunsets. */
export const judgeOperation: Judge = (difference) => {
  const { kind, typeName, property, pointer } = difference
  if (typeName !== 'Operation') return undefined
  if (kind === 'added') return judgeNew(difference)
  if (kind === 'removed') return judgeRemoved(difference)
  const place = toPlace(pointer)
  if (property === 'operationId') return judgeName(difference, place)
  if (property === 'deprecated') return judgeDeprecated(difference, place)
  if (property === 'x-sunset') return judgeSunset(difference, place)
  return property === 'x-paginated-by' ? judgePaging(difference, place) : undefined
}

function judgeNew({ pointer, revision }: Case): Judgement {
  const { operationId } = toObject(revision?.value)
  const name = operationId === undefined ? '' : `, ${show(operationId)}`
  return {
    step: 'minor',
    what: `${toPlace(pointer)} is new${name}.`,
    consequence: 'There is a call more; the others stay as they are.',
  }
}

function judgeRemoved({ pointer, base }: Case): Judgement {
  const { 'x-sunset': sunset, 'x-replaced-by': replacement, operationId } = toObject(base?.value)
  const use = isObject(replacement)
    ? `; use ${replacement['description'] ?? show(replacement['operationId'])}`
    : ''
  const end = typeof sunset === 'string' ? `, which was announced for ${sunset}` : ''
  const name = operationId === undefined ? '' : `, ${show(operationId)},`
  return {
    step: 'major',
    what: `${toPlace(pointer)}${name} was removed${end}.`,
    consequence: toSentence(`calls to it fail${use}`),
    sunset: typeof sunset === 'string' ? sunset : 'never announced',
  }
}

function judgeName(difference: Case, place: string): Judgement {
  const what = toSentence(`the operationId of ${place} ${showChange(difference)}`)
  return difference.base?.value === undefined
    ? { step: 'minor', what, consequence: 'The client gets a method of this name.' }
    : {
        step: 'major',
        what,
        consequence: 'The client calls its method by the new name; code with the old one fails.',
      }
}

function judgeDeprecated({ revision }: Case, place: string): Judgement {
  return revision?.value === true
    ? {
        step: 'minor',
        what: `${place} is deprecated.`,
        consequence: 'It works until its sunset; move to its replacement before that.',
      }
    : {
        step: 'minor',
        what: `${place} is no longer deprecated.`,
        consequence: 'Code that uses it may stay as it is.',
      }
}

function judgeSunset(difference: Case, place: string): Judgement {
  const [before, after] = [difference.base?.value, difference.revision?.value]
  const what = toSentence(`the sunset of ${place} ${showChange(difference)}`)
  // Days are written so that their order is that of their text.
  const isEarlier = typeof before === 'string' && typeof after === 'string' && after < before
  if (isEarlier) {
    const consequence = `Whoever planned to move by ${before} has to be done by ${after}.`
    return { step: 'major', what, consequence }
  }
  const consequence =
    after === undefined
      ? 'It no longer has a day on which it will be removed.'
      : `Calls to it work until ${after}.`
  return { step: 'minor', what, consequence }
}

function judgePaging(difference: Case, place: string): Judgement {
  const what = toSentence(`\`x-paginated-by\` of ${place} ${showChange(difference)}`)
  if (difference.base?.value === undefined) {
    return { step: 'minor', what, consequence: 'The client can walk its pages.' }
  }
  return difference.revision?.value === undefined
    ? { step: 'major', what, consequence: 'The client no longer walks its pages.' }
    : { step: 'minor', what, consequence: 'The client walks its pages by the new parameter.' }
}

import { toObject } from '../pipeline/description.ts'
import { judgeEffect } from './judge-schema.ts'
import {
  announcedEnd,
  type Case,
  type Judge,
  type Judgement,
  renamedInPath,
  show,
  showChange,
  toSentence,
} from './judgement.ts'

const refused = 'Requests that were accepted until now are refused with 400.'
const optional = 'Requests may send it; those that are sent today stay valid.'

/** Judges parameters and bodies: what a request must and may send. */
export const judgeRequest: Judge = (difference) => {
  const { typeName, kind, property } = difference
  if (property === 'x-max-bytes') return judgeSize(difference)
  if (typeName !== 'Parameter' && typeName !== 'RequestBody') return undefined
  if (kind !== 'modified') return judgePresence(difference)
  if (property === 'required') return judgeRequired(difference)
  if (typeName === 'RequestBody') return undefined
  if (property === 'name') return judgeParameterName(difference)
  if (property === 'deprecated') return judgeDeprecated(difference)
  const isForm = ['in', 'style', 'explode', 'allowReserved'].includes(property ?? '')
  return isForm ? judgeForm(difference) : undefined
}

// A body is measured before it is read: fewer bytes refuse what went through before.
function judgeSize(difference: Case): Judgement {
  // No limit is the largest one.
  const [before, after] = [difference.base, difference.revision].map((side) =>
    Number(side?.value ?? Number.POSITIVE_INFINITY),
  )
  const effect = Number(after) < Number(before) ? 'narrower' : 'wider'
  const what = toSentence(
    `the largest size of ${difference.subject}, in bytes, ${showChange(difference)}`,
  )
  const { step } = judgeEffect(effect, { ...difference, directions: new Set(['request']) })
  const consequence =
    effect === 'narrower'
      ? 'Larger bodies, which were accepted until now, are refused with 413.'
      : 'Larger bodies are accepted; those that are sent today stay valid.'
  return { step, what, consequence }
}

function judgePresence({ kind, subject, base, revision }: Case): Judgement {
  if (kind === 'removed') {
    return {
      step: 'major',
      what: toSentence(`${subject} was removed`),
      consequence: 'Requests that send it are refused with 400, or it is not heard any more.',
      ...announcedEnd(base?.value),
    }
  }
  return toObject(revision?.value ?? base?.value)['required'] === true
    ? { step: 'major', what: toSentence(`${subject} is new and required`), consequence: refused }
    : { step: 'minor', what: toSentence(`${subject} is new and optional`), consequence: optional }
}

function judgeRequired({ subject, revision }: Case): Judgement {
  return revision?.value === true
    ? { step: 'major', what: toSentence(`${subject} is now required`), consequence: refused }
    : {
        step: 'minor',
        what: toSentence(`${subject} is now optional`),
        consequence: 'Requests may leave it out; those that are sent today stay valid.',
      }
}

function judgeParameterName({ description, base, revision, pointer }: Case): Judgement {
  const place = toObject(description)['in']
  const what = `The ${String(place)} parameter ${show(base?.value)} is now named ${show(revision?.value)}.`
  // Its value stands in the path by position, whatever its name; but types have that name.
  if (place === 'path') return { step: 'major', what, consequence: renamedInPath }
  const isSameHeader =
    place === 'header' &&
    String(base?.value).toLowerCase() === String(revision?.value).toLowerCase()
  return isSameHeader && pointer !== ''
    ? { step: 'patch', what, consequence: 'Names of headers are the same in either case.' }
    : { step: 'major', what, consequence: 'Requests with the old name are refused with 400.' }
}

function judgeDeprecated({ subject, revision }: Case): Judgement {
  const state = revision?.value === true ? 'deprecated' : 'no longer deprecated'
  return {
    step: 'minor',
    what: toSentence(`${subject} is ${state}`),
    consequence: 'Requests with it go on to work.',
  }
}

function judgeForm(difference: Case): Judgement {
  return {
    step: 'major',
    what: toSentence(
      `\`${difference.property}\` of ${difference.subject} ${showChange(difference)}`,
    ),
    consequence: 'Requests that write it as they do today are refused or misread.',
  }
}

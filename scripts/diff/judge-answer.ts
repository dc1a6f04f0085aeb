import { type Case, type Judge, type Judgement, toSentence } from './judgement.ts'
import { toSegments } from './pointer.ts'

/** Judges answers, their headers and the media types of both ways. */
export const judgeAnswer: Judge = (difference) => {
  const { typeName } = difference
  if (typeName === 'Response') return judgeStatus(difference)
  if (typeName === 'Header') return judgeHeader(difference)
  return typeName === 'MediaType' ? judgeMediaType(difference) : undefined
}

function judgeStatus({ kind, pointer, subject }: Case): Judgement | undefined {
  const [parent, status = ''] = toSegments(pointer).slice(-2)
  if (kind === 'modified' || parent !== 'responses') return undefined
  if (kind === 'removed') {
    return {
      step: 'major',
      what: toSentence(`${subject} was removed`),
      consequence: 'Code that waits for this status meets another one in its stead.',
    }
  }
  const what = toSentence(`${subject} is new`)
  // Failures are a class to be handled as a whole (RFC 9110, section 15); successes are not.
  return /^[45]/.test(status)
    ? { step: 'minor', what, consequence: 'It is a failure like others of its class.' }
    : {
        step: 'major',
        what,
        consequence: 'Code that knows the other successes only meets a new one.',
      }
}

function judgeHeader({ kind, property, revision, subject }: Case): Judgement | undefined {
  if (kind === 'added') {
    const what = toSentence(`${subject} is new`)
    return { step: 'minor', what, consequence: 'Code that does not read it works as before.' }
  }
  if (kind === 'removed') {
    const what = toSentence(`${subject} was removed`)
    return { step: 'major', what, consequence: 'Code that reads it finds nothing.' }
  }
  if (property !== 'required') return undefined
  return revision?.value === true
    ? {
        step: 'minor',
        what: toSentence(`${subject} is now always sent`),
        consequence: 'Code that reads it can rely on it.',
      }
    : {
        step: 'major',
        what: toSentence(`${subject} may now be missing`),
        consequence: 'Code that relies on it must do without it.',
      }
}

function judgeMediaType({ kind, pointer, directions, subject }: Case): Judgement | undefined {
  const name = `${toSegments(pointer).at(-1)} for ${subject}`
  if (kind === 'added') {
    const what = toSentence(`the media type ${name} is new`)
    return { step: 'minor', what, consequence: 'Whoever does not ask for it is not affected.' }
  }
  if (kind === 'modified') return undefined
  const consequence = directions.has('request')
    ? 'Requests in it are refused with 415.'
    : 'Whoever accepts nothing else is refused with 406.'
  return { step: 'major', what: toSentence(`the media type ${name} was removed`), consequence }
}

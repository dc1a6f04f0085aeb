import { toObject } from '../pipeline/description.ts'
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

/** What the consequence is of what Redocly's rules find, by their names. */
const consequences: { readonly [rule: string]: string } = {
  'security-requirement-changed': 'Calls with the credentials of today are refused.',
  'security-scheme-changed': 'Calls with the credentials of today are refused.',
  'server-removed': 'Calls to the old address fail.',
  'schema-combinator-changed': 'Requests may be refused, or answers differ from what was promised.',
}

/** Judges what has no judge of its own, by what Redocly says of it. */
export function judgeOther(difference: Case): Judgement | 'nothing' {
  const { kind, typeName, property, subject, path, impact, verdicts } = difference
  if (typeName === 'Info' && property === 'version') return 'nothing'
  if (property === 'key') return judgeName(difference)
  if (path.startsWith('#/components/') && kind !== 'modified' && verdicts.length === 0) {
    const what = toSentence(`${subject} was ${kind}`)
    return { step: 'patch', what, consequence: 'By itself it changes nothing on the wire.' }
  }
  const what = verdicts.map(({ message }) => message).join(' ') || sayPlainly(difference)
  const known = verdicts.map(({ ruleId }) => consequences[ruleId]).find(Boolean)
  return { step: impact, what, consequence: known ?? generally[impact] }
}

const generally = {
  major: 'Code that relies on how it was fails or misreads.',
  minor: 'Code that does not use it works as before.',
  patch: 'Programs work as before.',
} as const

/** Judges what has another name that is not on the wire: a path with another parameter, a component. */
function judgeName({ base, revision, verdicts, impact, typeName }: Case): Judgement {
  const what = `${show(base?.value)} is now named ${show(revision?.value)}.`
  if (typeName === 'PathItem') return { step: 'major', what, consequence: renamedInPath }
  return verdicts.length > 0
    ? { step: impact, what, consequence: generally[impact] }
    : {
        step: 'patch',
        what,
        consequence: 'Nothing changes on the wire; code that uses its type imports the new name.',
      }
}

/** Judges members that a schema got or lost, and servers and security that were added. */
export const judgeMember: Judge = (difference) => {
  const { kind, typeName, subject, path, property, directions } = difference
  const isMember = /\/properties\/[^/]+$/.test(path)
  if (typeName === 'Schema' && kind === 'added' && isMember) {
    return {
      step: 'minor',
      what: toSentence(`${subject} is new`),
      consequence: directions.has('request')
        ? 'Requests may send it; answers may hold it.'
        : 'Answers may hold it; code ignores what it does not know.',
    }
  }
  if (typeName === 'Schema' && kind === 'removed' && isMember) return judgeLost(difference)
  if (typeName === 'Schema' && property === 'deprecated') {
    const state = difference.revision?.value === true ? 'deprecated' : 'no longer deprecated'
    const what = toSentence(`${subject} is ${state}`)
    return { step: 'minor', what, consequence: 'It works as before; new code does without it.' }
  }
  if (typeName === 'SecurityRequirement' && kind !== 'modified') return judgeSecurity(difference)
  if (typeName === 'Server' && kind === 'added') {
    const what = `The server ${show(toObject(difference.revision?.value)['url'])} is new.`
    return { step: 'minor', what, consequence: 'Calls to the others go on to work.' }
  }
  if (typeName === 'ServerVariable' && property === 'default') {
    const what = toSentence(`the default of a server variable ${showChange(difference)}`)
    return { step: 'major', what, consequence: 'Whoever leaves it out calls another address.' }
  }
  return undefined
}

function judgeLost({ impact, subject, directions, base }: Case): Judgement {
  const [refused, missing] = [directions.has('request'), directions.has('answer')]
  const consequence =
    (refused && missing && 'Requests that send it are refused with 400, and answers lack it.') ||
    (refused && 'Requests that send it are refused with 400.') ||
    (missing && 'Code that reads it finds nothing.') ||
    (directions.has('failure') && 'Failures lack it.') ||
    'No request and no answer is affected.'
  const what = toSentence(`${subject} was removed`)
  return { step: impact, what, consequence, ...announcedEnd(base?.value) }
}

// Redocly says whether somebody who gets in today no longer does tomorrow.
function judgeSecurity({ kind, base, revision, verdicts }: Case): Judgement | 'nothing' {
  const schemes = Object.keys(toObject(base?.value ?? revision?.value))
  const names = schemes.map(show).join(' with ')
  if (verdicts.length > 0) {
    const what = names === '' ? 'Calls without credentials are' : `Calls with ${names} alone are`
    return kind === 'removed'
      ? { step: 'major', what: `${what} no longer let in.`, consequence: refused }
      : { step: 'major', what: `Credentials are now asked for: ${names}.`, consequence: refused }
  }
  const consequence = 'Calls with the credentials of today go on to work.'
  if (kind === 'removed') {
    // What asked for nothing is not missed.
    if (names === '') return 'nothing'
    return { step: 'minor', what: `Credentials of ${names} are no longer asked for.`, consequence }
  }
  const what = names === '' ? 'Calls without credentials are' : `Calls with ${names} are`
  return { step: 'minor', what: `${what} now let in as well.`, consequence }
}

const refused = 'Calls that do not send what is asked for are refused with 401.'

function sayPlainly(difference: Case): string {
  const { kind, typeName, property, subject } = difference
  if (kind !== 'modified') return toSentence(`${typeName} ${subject} was ${kind}`)
  return toSentence(`\`${property}\` of ${subject} ${showChange(difference)}`)
}

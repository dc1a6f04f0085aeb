import { type Judge, toSentence } from './judgement.ts'

const textProperties = ['description', 'summary', 'title', 'termsOfService', '$comment']
const exampleProperties = ['example', 'examples']
const textTypes = ['Tag', 'TagList', 'Contact', 'License', 'ExternalDocs', 'Logo', 'TagGroup']
const factProperties = [
  'bearerFormat',
  'tags',
  'x-deprecated-at',
  'x-replaced-by',
  'name',
  'url',
  'identifier',
]

/** Judges what people read and no program depends on. */
export const judgeText: Judge = ({ kind, typeName, property = '', subject, path }) => {
  const what = sayWhat()
  if (what === undefined) return undefined
  const consequence = what.startsWith('an example')
    ? 'Mocks and the reference show it; the API itself is as before.'
    : 'Only what people read has changed; programs work as before.'
  return { step: 'patch', what: toSentence(what), consequence }

  function sayWhat(): string | undefined {
    if (path.endsWith('/x-replaced-by')) return `what replaces ${subject} was changed`
    if (textTypes.includes(typeName)) return `${typeName} was ${kind}`
    if (typeName === 'Example' || typeName === 'ExamplesMap' || path.includes('/examples/')) {
      return `an example of ${subject} was ${kind}`
    }
    if (kind !== 'modified') return undefined
    if (textProperties.includes(property)) return `the ${property} of ${subject} was reworded`
    if (exampleProperties.includes(property)) return `an example of ${subject} was changed`
    const isFact = factProperties.includes(property) && typeName !== 'Parameter'
    return isFact && typeName !== 'Server' ? `\`${property}\` of ${subject} was changed` : undefined
  }
}

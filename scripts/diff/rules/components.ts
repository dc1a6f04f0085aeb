import { type About, type Changed, rule, sentences, show } from './rule.ts'

/** A component with another name. */
interface Renamed {
  readonly before: string
  readonly after: string
}

/** A component that the other description has elsewhere, unchanged. */
interface Relocated {
  readonly name: string
  /** Another file; undefined if it is written where it is used. */
  readonly file: string | undefined
}

interface Component {
  readonly name: string
}

const isNow = ({ before, after }: Renamed) => `${show(before)} is now ${show(after)}`
const isMoved = ({ name, file }: Relocated) =>
  file === undefined
    ? `${show(name)} is no longer a component; it is written where it is used`
    : `the component ${show(name)} was moved to ${file}`
const { notSent, sameOnWire } = sentences

export const componentRules = {
  'api-schema-removed': rule(
    'a schema of `components` was removed',
    'major',
    ({ name }: Component) => `the component ${show(name)} was removed`,
    'The client no longer exports this type.',
  ),
  'api-schema-moved': rule(
    'a schema is no longer one of `components`; it is in a file, or where it is used',
    'major',
    isMoved,
    'Requests and responses are the same; the client no longer exports this type.',
  ),
  'api-schema-renamed': rule(
    'a schema of `components` has another name',
    'major',
    isNow,
    'Requests and responses are the same; the client exports this type under the new name only.',
  ),
  'component-renamed': rule(
    'another component has another name',
    'patch',
    isNow,
    'Requests and responses are the same; types have the new name.',
  ),
  'component-moved': rule(
    'another component is in a file, or where it is used',
    'patch',
    isMoved,
    sameOnWire,
  ),
  'component-extracted': rule(
    'what was in a file, or where it is used, is a component',
    'patch',
    ({ name, file }: Relocated) =>
      `${show(name)} is now a component; before, it was ${file === undefined ? 'written where it is used' : `in ${file}`}`,
    sameOnWire,
  ),
  'component-removed': rule(
    'another component was removed',
    'patch',
    ({ name }: Component) => `the component ${show(name)} was removed`,
    notSent,
  ),
  'unused-component-added': rule(
    'a component is new, and nothing refers to it',
    'patch',
    ({ name }: Component) => `the component ${show(name)} is new`,
    notSent,
  ),
  'unused-component-changed': rule(
    'a component was changed to which nothing refers',
    'patch',
    ({ subject, detail }: About & { readonly detail?: string }) =>
      detail ?? `${subject} was changed`,
    notSent,
  ),
}

export const textRules = {
  'text-reworded': rule(
    'a description, summary, title or the like is another one',
    'patch',
    ({ subject, keyword }: About & { readonly keyword: string }) =>
      `the ${keyword} of ${subject} was reworded`,
    sentences.reworded,
    { isRewording: true },
  ),
  'example-changed': rule(
    'an example is another one',
    'patch',
    ({ subject }: About) => `an example of ${subject} was changed`,
    'Mocks and the reference show it; the API is as before.',
    { isRewording: true },
  ),
  'tag-changed': rule(
    'a tag was added, removed, or described in another way',
    'patch',
    ({ name, state }: { readonly name: string; readonly state: string }) =>
      `the tag ${show(name)} ${state}`,
    sentences.reworded,
    { isRewording: true },
  ),
}

export const otherRules = {
  'extension-changed': rule(
    'an extension (`x-…`) that the platform does not know is another one',
    'patch',
    (facts: Changed & { readonly keyword: string }) => describeKeyword(facts),
    'Tools that read it do; requests and responses are as before.',
  ),
  'unknown-keyword-changed': rule(
    'a keyword that the comparison does not know is another one',
    'major',
    (facts: Changed & { readonly keyword: string }) => describeKeyword(facts),
    'What it means for requests and responses is not known; accept it if it means nothing.',
  ),
  'unexplained-change': rule(
    'a part of the contract differs, and no other rule says how',
    'major',
    ({ subject }: About) => `${subject} means something else than before`,
    'What it means for requests and responses is not known; accept it if it means nothing.',
  ),
}

function describeKeyword({
  keyword,
  subject,
  before,
  after,
}: Changed & { readonly keyword: string }) {
  const state = after === undefined ? 'no longer stated' : `now ${show(after)}`
  const old = before === undefined ? '' : `; it was ${show(before)}`
  return `\`${keyword}\` of ${subject} is ${state}${old}`
}

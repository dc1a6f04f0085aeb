import { type About, type Changed, isNew, rule, sentences, show, wasRemoved } from './rule.ts'

/** A component with another name. */
interface Renamed {
  readonly before: string
  readonly after: string
}

const isNow = ({ before, after }: Renamed) =>
  `${show(before)} is now ${show(after)}; requests and responses are the same`
const { notSent } = sentences

export const componentRules = {
  'api-schema-removed': rule(
    'a schema of `components` was removed',
    'major',
    wasRemoved,
    'The client no longer exports this type.',
  ),
  'api-schema-renamed': rule(
    'a schema of `components` has another name',
    'major',
    isNow,
    'The client exports this type under the new name only.',
  ),
  'component-renamed': rule(
    'another component has another name',
    'patch',
    isNow,
    'Types have the new name.',
  ),
  'component-removed': rule('another component was removed', 'patch', wasRemoved, notSent),
  'unused-component-added': rule(
    'a component is new, and nothing refers to it',
    'patch',
    isNew,
    notSent,
  ),
  'unused-component-changed': rule(
    'a component was changed to which nothing refers',
    'patch',
    ({ subject, detail }: About & { readonly detail?: string }) =>
      detail ?? `${subject} was changed`,
    'No request and no response is affected.',
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

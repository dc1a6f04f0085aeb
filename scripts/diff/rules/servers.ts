import { type About, type Changed, describeChange, rule, sentences, show } from './rule.ts'

interface OfServer {
  readonly url: string
}

const otherServer = 'Requests to the old address fail.'
const notAvailable = 'Clients that use one that is gone have no address.'
const changed = (keyword: string) => (facts: Changed) => describeChange(keyword, facts)

export const serverRules = {
  'server-added': rule(
    'a server is new',
    'minor',
    ({ url }: OfServer) => `the server ${show(url)} is new`,
    'The other servers are as before.',
  ),
  'server-removed': rule(
    'a server was removed, or has another URL',
    'major',
    ({ url }: OfServer) => `the server ${show(url)} was removed`,
    otherServer,
  ),
  'servers-reordered': rule(
    'another server is the first one, which tools take',
    'patch',
    ({ subject }: About) => `the first of ${subject} is another one`,
    'Requests to any of them are the same.',
  ),
  'server-variable-default-changed': rule(
    'a variable of a server has another default',
    'major',
    changed('default'),
    'Clients that omit it send requests to another address.',
  ),
  'server-variable-enum-narrowed': rule(
    'a variable of a server has fewer values',
    'major',
    changed('enum'),
    notAvailable,
  ),
  'server-variable-enum-widened': rule(
    'a variable of a server has more values',
    'minor',
    changed('enum'),
    'The other values are as before.',
  ),
  'server-variable-removed': rule(
    'a variable of a server was removed',
    'patch',
    ({ subject }: About) => `${subject} was removed`,
    sentences.notSent,
  ),
}

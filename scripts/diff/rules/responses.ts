import { ofMediaType } from './parameters.ts'
import {
  type About,
  becomes,
  type Changed,
  describeChange,
  isNew,
  rule,
  sentences,
  wasRemoved,
} from './rule.ts'

const { different } = sentences
const unread = 'Code that does not read it works as before.'
const missing = 'It may now be missing; prepare code that relies on it.'

export const responseRules = {
  'response-success-status-added': rule(
    'a status of success (1xx to 3xx) is new',
    'major',
    isNew,
    'Code that knows only the other successes receives a new one.',
  ),
  'response-success-status-removed': rule(
    'a status of success was removed',
    'major',
    wasRemoved,
    'Code that expects this status receives another one.',
  ),
  'response-non-success-status-added': rule(
    'a status of errors is new',
    'minor',
    isNew,
    'It is an error like others of its class (RFC 9110, section 15).',
  ),
  'response-non-success-status-removed': rule(
    'a status of errors was removed',
    'major',
    wasRemoved,
    'Code that expects this status receives another one.',
  ),
  'response-media-type-added': rule(
    'a response may have another media type, too',
    'minor',
    ofMediaType('is new'),
    'Clients that do not ask for it are not affected.',
  ),
  'response-media-type-removed': rule(
    'a media type of a response was removed',
    'major',
    ofMediaType('was removed'),
    'Clients that accept nothing else receive 406.',
  ),
  'response-encoding-changed': rule(
    'the `encoding` of a response is another one',
    'major',
    ({ subject }: About) => `the \`encoding\` of ${subject} was changed`,
    different,
  ),
  'response-items-form-changed': rule(
    'the items of a stream are written in another way: as whole events, data, JSON or text',
    'major',
    ({ subject }: About) => `the form of the items of ${subject} was changed`,
    different,
  ),
  'response-header-added': rule('a header of a response is new', 'minor', isNew, unread),
  'optional-response-header-removed': rule(
    'an optional header of a response was removed',
    'major',
    wasRemoved,
    'Code that reads it finds nothing.',
  ),
  'required-response-header-removed': rule(
    'a required header of a response was removed',
    'major',
    wasRemoved,
    'Code that reads it finds nothing.',
  ),
  'response-header-became-required': rule(
    'a header of a response is always sent',
    'minor',
    becomes('now required'),
    'It is now always sent; code that reads it can rely on it.',
  ),
  'response-header-became-optional': rule(
    'a header of a response may be missing',
    'major',
    becomes('no longer required'),
    missing,
  ),
  'response-header-form-changed': rule(
    '`explode` or the media type of a header is another one',
    'major',
    (facts: Changed & { readonly keyword: string }) => describeChange(facts.keyword, facts),
    different,
  ),
  'response-links-changed': rule(
    'the `links` of a response are others',
    'minor',
    ({ subject }: About) => `the \`links\` of ${subject} were changed`,
    'Code that does not follow them works as before.',
  ),
}

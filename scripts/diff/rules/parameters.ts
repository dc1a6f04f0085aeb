import {
  type About,
  becomes,
  type Changed,
  changeOf,
  describeChange,
  isNew,
  isNewAndRequired,
  rule,
  sentences,
  wasRemoved,
} from './rule.ts'

/** A keyword that says how a value is written. */
interface Form extends Changed {
  readonly keyword: string
}

const { omitted, otherForm, rejected, stillValid } = sentences

export const parameterRules = {
  'new-optional-request-parameter': rule(
    'a parameter is new and optional',
    'minor',
    isNew,
    stillValid,
  ),
  'new-required-request-parameter': rule(
    'a parameter is new and required',
    'major',
    isNewAndRequired,
    rejected,
  ),
  'request-parameter-removed': rule(
    'a parameter was removed',
    'major',
    wasRemoved,
    'Requests that send it are rejected with 400, or it is ignored.',
  ),
  'request-parameter-became-required': rule(
    'a parameter is required',
    'major',
    becomes('now required'),
    rejected,
  ),
  'request-parameter-became-optional': rule(
    'a parameter is no longer required',
    'minor',
    becomes('no longer required'),
    omitted,
  ),
  'request-parameter-form-changed': rule(
    '`style`, `explode`, `allowReserved`, `allowEmptyValue` or the media type of a parameter is another one',
    'major',
    (facts: Form) => describeChange(facts.keyword, facts),
    otherForm,
  ),
}

export const bodyRules = {
  'request-body-added-optional': rule('a first body is optional', 'minor', isNew, stillValid),
  'request-body-added-required': rule(
    'a first body is required',
    'major',
    isNewAndRequired,
    rejected,
  ),
  'request-body-removed': rule(
    'a body was removed',
    'major',
    wasRemoved,
    'Requests that send it are rejected, or it is ignored.',
  ),
  'request-body-became-required': rule(
    'a body is required',
    'major',
    becomes('now required'),
    rejected,
  ),
  'request-body-became-optional': rule(
    'a body is no longer required',
    'minor',
    becomes('no longer required'),
    omitted,
  ),
  'request-body-max-bytes-decreased': rule(
    '`x-max-bytes` is new or lower',
    'major',
    changeOf('x-max-bytes'),
    'Larger bodies, which were accepted, are now rejected with 413.',
  ),
  'request-body-max-bytes-increased': rule(
    '`x-max-bytes` is higher, or no longer stated',
    'minor',
    changeOf('x-max-bytes'),
    'Larger bodies are accepted; those that are sent today stay valid.',
  ),
  'request-body-media-type-added': rule(
    'a body may have another media type, too',
    'minor',
    ofMediaType('is new'),
    stillValid,
  ),
  'request-body-media-type-removed': rule(
    'a media type of a body was removed',
    'major',
    ofMediaType('was removed'),
    'Requests in it are rejected with 415.',
  ),
  'request-body-encoding-changed': rule(
    'the parts of a form are encoded in another way',
    'major',
    ({ subject }: About) => `the \`encoding\` of ${subject} was changed`,
    otherForm,
  ),
  'request-body-field-form-changed': rule(
    'a field of a form is sent in another way: as text, JSON or a file, or in another `style`',
    'major',
    ({ subject }: About) => `${subject} is sent in another way`,
    otherForm,
  ),
  'request-body-field-media-type-added': rule(
    'a part of a form may have another media type, too',
    'minor',
    ofMediaType('is new'),
    stillValid,
  ),
  'request-body-field-media-type-removed': rule(
    'a media type of a part of a form was removed',
    'major',
    ofMediaType('was removed'),
    'Requests with parts of it are rejected.',
  ),
  'request-body-field-max-bytes-decreased': rule(
    '`x-max-bytes` of a file in a form is new or lower',
    'major',
    changeOf('x-max-bytes'),
    'Larger files, which were accepted, are now rejected with 413.',
  ),
  'request-body-field-max-bytes-increased': rule(
    '`x-max-bytes` of a file in a form is higher, or no longer stated',
    'minor',
    changeOf('x-max-bytes'),
    'Larger files are accepted; those that are sent today stay valid.',
  ),
  'request-body-items-form-changed': rule(
    'the items of a stream are written in another way',
    'major',
    ({ subject }: About) => `the form of the items of ${subject} was changed`,
    otherForm,
  ),
}

/** A media type of a body or of a response. */
interface OfMediaType extends About {
  readonly mediaType: string
}

export function ofMediaType(state: string): (facts: OfMediaType) => string {
  return ({ subject, mediaType }) => `the media type ${mediaType} for ${subject} ${state}`
}

import { isNew, isNewAndRequired, type Named, rule, sentences, show, wasRemoved } from './rule.ts'

const { promised, rejected, surprising } = sentences
const requires =
  (state: string) =>
  ({ subject, name }: Named) =>
    `${subject} ${state} ${show(name)}`
const finding = 'Code that reads it finds nothing.'
const ignored = 'Responses may contain it; code ignores what it does not know.'

export const propertyRules = {
  'new-required-request-property': rule(
    'a property of requests is new and required',
    'major',
    isNewAndRequired,
    rejected,
  ),
  'new-optional-request-property': rule(
    'a property of requests is new and optional',
    'minor',
    isNew,
    'Requests may send it; those that are sent today stay valid.',
  ),
  'request-property-removed': rule(
    'a property of requests was removed',
    'major',
    wasRemoved,
    'Requests that send it are rejected, or it is ignored.',
  ),
  'response-required-property-added': rule(
    'a property of responses is new and required',
    'minor',
    isNewAndRequired,
    ignored,
    { narrowsResponses: true },
  ),
  'response-optional-property-added': rule(
    'a property of responses is new and optional',
    'minor',
    isNew,
    ignored,
  ),
  'response-required-property-removed': rule(
    'a required property of responses was removed',
    'major',
    wasRemoved,
    finding,
  ),
  'response-optional-property-removed': rule(
    'an optional property of responses was removed',
    'major',
    wasRemoved,
    finding,
  ),
  'request-property-became-required': rule(
    'a property of requests is required',
    'major',
    requires('now requires'),
    rejected,
  ),
  'request-property-became-optional': rule(
    'a property of requests is no longer required',
    'minor',
    requires('no longer requires'),
    sentences.omitted,
  ),
  'response-property-became-required': rule(
    'a property of responses is always there',
    'minor',
    requires('now requires'),
    promised,
    { narrowsResponses: true },
  ),
  'response-property-became-optional': rule(
    'a property of responses may be missing',
    'major',
    requires('no longer requires'),
    surprising,
  ),
  'error-property-became-required': rule(
    'a property of errors is always there',
    'minor',
    requires('now requires'),
    promised,
  ),
  'error-property-became-optional': rule(
    'a property of errors may be missing',
    'major',
    requires('no longer requires'),
    surprising,
  ),
  'error-property-added': rule('a property of errors is new', 'minor', isNew, ignored),
  'error-property-removed': rule('a property of errors was removed', 'major', wasRemoved, finding),
  'unsent-property-changed': rule(
    'a property that is never sent that way (readOnly in requests, writeOnly in responses)',
    'patch',
    ({ detail }: { readonly detail: string }) => detail,
    sentences.notSent,
  ),
}

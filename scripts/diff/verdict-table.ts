import type { Change } from './contract-diff.ts'

/** A verdict: the bump, and what the change means for consumers. */
export type Row = readonly [bump: Change['bump'], consequence: string]

const omitted = 'Requests may omit it; those that are sent today stay valid.'
const rejected = 'Requests that were valid are now rejected with 400.'
const stillValid = 'Requests may use it; those that are sent today stay valid.'
const reworded = 'Only what people read has changed; programs work as before.'
const renamed =
  'Requests are the same; code that names it, such as a call of `raw`, needs the new name.'
const unauthorized = 'Requests without these credentials are rejected with 401.'
const otherForm = 'Requests that write it as today are rejected or misread.'
const larger = 'Larger bodies are accepted; those that are sent today stay valid.'
const smaller = 'Larger bodies, which were accepted, are now rejected with 413.'
const otherServer = 'Requests to the old address fail.'
const errorMayGrow =
  'Error responses may contain it; code that decides by the status is not affected.'
const surprising =
  'Responses may contain what the last release ruled out: prepare code that relies on it.'

/**
 * The verdicts, by what changed: `Type kind` or `Type.property`, then how, then which way it is sent.
 * The most exact key counts; where there is none, Redocly's impact does.
 */
export const verdicts: Readonly<Record<string, Row>> = {
  'Operation added': ['minor', 'New operation.'],
  'Operation removed': ['major', 'Requests to it fail.'],
  'Operation.operationId': ['major', 'The client has its method under the new name only.'],
  'Operation.operationId set': ['minor', 'The client has a method of this name.'],
  'Operation.x-paginated-by': ['minor', 'The client loads its pages by it.'],
  'Operation.x-paginated-by unset': ['major', 'The client no longer loads its pages.'],
  'PathItem.key': ['major', renamed],
  'Schema.key': ['major', 'The client exports this type under the new name only.'],
  'Type removed': ['major', 'The client no longer exports this type.'],
  '*.deprecated on': ['minor', 'It works until its sunset; move to its replacement before that.'],
  '*.deprecated off': ['minor', 'Code that uses it can stay.'],
  '*.x-sunset': ['minor', 'It works until that day.'],
  '*.x-sunset lower': ['major', 'Code that uses it must move sooner than was announced.'],
  '*.x-sunset unset': ['minor', 'It has no day of removal any more.'],

  'Parameter added': ['minor', stillValid],
  'Parameter added required': ['major', rejected],
  'Parameter removed': ['major', 'Requests that send it are rejected with 400, or it is ignored.'],
  'Parameter.required on': ['major', rejected],
  'Parameter.required off': ['minor', omitted],
  'Parameter.name': ['major', renamed],
  'Parameter.in': ['major', otherForm],
  'Parameter.style': ['major', otherForm],
  'Parameter.explode': ['major', otherForm],
  'Parameter.allowReserved': ['major', otherForm],
  'Parameter.allowEmptyValue': ['major', otherForm],
  'RequestBody added': ['minor', stillValid],
  'RequestBody added required': ['major', rejected],
  'RequestBody removed': ['major', 'Requests that send it are rejected, or it is ignored.'],
  'RequestBody.required on': ['major', rejected],
  'RequestBody.required off': ['minor', omitted],
  'RequestBody.x-max-bytes set': ['major', smaller],
  'RequestBody.x-max-bytes lower': ['major', smaller],
  'RequestBody.x-max-bytes higher': ['minor', larger],
  'RequestBody.x-max-bytes unset': ['minor', larger],

  'Response added response': [
    'major',
    'Code that knows only the other successes receives a new one.',
  ],
  'Response added': ['minor', 'It is an error like others of its class (RFC 9110, section 15).'],
  'Response removed': ['major', 'Code that expects this status receives another one.'],
  'Header added': ['minor', 'Code that does not read it works as before.'],
  'Header removed': ['major', 'Code that reads it finds nothing.'],
  'Header.required on': ['minor', 'It is now always sent; code that reads it can rely on it.'],
  'Header.required off': ['major', 'It may now be missing; prepare code that relies on it.'],
  'MediaType added': ['minor', 'Clients that do not ask for it are not affected.'],
  'MediaType removed': ['major', 'Clients that accept nothing else receive 406.'],
  'MediaType removed request': ['major', 'Requests in it are rejected with 415.'],

  'Property added': ['minor', 'Responses may contain it; code ignores what it does not know.'],
  'Property added request': ['minor', 'Requests may send it; responses may contain it.'],
  'Property removed': ['major', 'Code that reads it finds nothing.'],
  'Property removed request': ['major', 'Requests that send it are rejected; no response has it.'],
  'Schema.default': ['patch', 'No request is affected.'],
  // A first one as well: until now, what was omitted meant something else.
  'Schema.default request': ['major', 'Requests that omit it now mean something else.'],
  'Schema.readOnly on request': ['major', rejected],
  'Schema.readOnly': ['minor', stillValid],
  'Schema.writeOnly on response': ['major', 'Responses no longer contain it.'],
  'Schema.writeOnly': ['minor', 'Responses may contain it.'],

  // What a schema allows; the same edit means the opposite for requests and for responses.
  'limit narrower request': ['major', rejected],
  'limit narrower': ['minor', 'Responses promise more than before; code works as before.'],
  'limit wider response': ['major', surprising],
  'limit wider error': ['major', surprising],
  'limit wider': ['minor', stillValid],
  'limit other': ['major', 'Requests may be rejected, and responses may differ.'],
  'limit unused': ['patch', 'No request and no response is affected.'],
  'enum wider response': ['major', surprising],
  'size wider response': ['major', surprising],
  // New error codes are to be expected; an error that lacks a promised property is not.
  'enum wider error': ['minor', errorMayGrow],
  'enum other error': ['minor', errorMayGrow],
  'size wider error': ['minor', errorMayGrow],

  'SecurityRequirement added breaking': ['major', unauthorized],
  'SecurityRequirement added': ['minor', 'Requests with the credentials of today are accepted.'],
  'SecurityRequirement removed breaking': ['major', unauthorized],
  'SecurityRequirement removed': ['minor', 'Requests with the credentials of today are accepted.'],
  'SecurityScheme removed': ['major', 'Requests with the credentials of today are rejected.'],
  'Server added': ['minor', 'The other servers are as before.'],
  'Server removed': ['major', otherServer],
  'Server.url': ['major', otherServer],
  'ServerVariable.default': ['major', 'Clients that omit it send requests to another address.'],
  'ServerVariable.enum': ['major', 'Clients that use one that is gone have no address.'],

  '*.key': ['patch', 'Requests and responses are the same; types have the new name.'],
  'Type removed moved': [
    'major',
    'Requests and responses are the same; the client no longer exports this type.',
  ],
  'Component removed moved': ['patch', 'Requests and responses are the same.'],
  'Component added moved': ['patch', 'Requests and responses are the same.'],
  unused: ['patch', 'No request and no response is affected by this alone.'],
  example: ['patch', 'Mocks and the reference show it; the API is as before.'],
  text: ['patch', reworded],
  major: ['major', 'Code that relies on how it was fails or misreads.'],
  minor: ['minor', 'Code that does not use it works as before.'],
  patch: ['patch', 'Programs work as before.'],
}

import { STATUS_CODES } from './http-names.ts'

/** What a member of the body of an error says, as far as its name tells. */
export type Role =
  | 'status'
  | 'code'
  | 'type'
  | 'title'
  | 'message'
  | 'requestId'
  | 'time'
  | 'success'
  | 'failure'
  | 'list'
  | 'error'

/** The names of members, in lower case without punctuation. A name that may say two things is in `roleOf`. */
const names: Readonly<Record<Exclude<Role, 'error' | 'failure'>, readonly string[]>> = {
  status: ['status', 'statuscode', 'httpstatus', 'httpstatuscode', 'httpcode'],
  code: ['code', 'errorcode', 'errcode', 'errortype', 'errorname'],
  type: ['type'],
  title: ['title'],
  message: [
    ...['message', 'msg', 'detail', 'details', 'description', 'text', 'summary'],
    ...['errormessage', 'errormsg', 'errordescription', 'errordetail', 'usermessage'],
  ],
  requestId: [
    ...['requestid', 'xrequestid', 'traceid', 'correlationid', 'transactionid', 'errorid'],
    ...['incidentid', 'logid', 'reference', 'referenceid'],
  ],
  time: ['timestamp', 'time', 'date', 'datetime', 'occurredat', 'createdat'],
  success: ['success', 'ok', 'succeeded'],
  list: [
    ...['details', 'detail', 'errors', 'violations', 'fielderrors', 'validationerrors', 'issues'],
    ...['invalidparams', 'invalidparameters', 'causes', 'reasons', 'messages', 'errormessages'],
  ],
}

/** The names of objects in which a format has the members of its errors. */
const wrappers = ['error', 'err', 'errors', 'fault', 'problem', 'status', 'failure', 'source']

/** The names of members that say where a violation is. */
const places = [
  ...['path', 'pointer', 'field', 'fieldname', 'fieldpath', 'property', 'propertypath'],
  ...['param', 'parameter', 'parametername', 'attribute', 'target', 'location', 'loc', 'name'],
]

/** Returns a name, or a code, in lower case without punctuation. */
export function toPlainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, '')
}

/** Returns whether the name of a member has a role. */
export function hasRole(name: string, role: keyof typeof names): boolean {
  return names[role].includes(toPlainName(name))
}

/** Returns whether an object of this name has the members of an error. */
export function isWrapper(name: string): boolean {
  return wrappers.includes(toPlainName(name))
}

/** Returns whether a member of this name says where a violation is. */
export function isPlace(name: string): boolean {
  return places.includes(toPlainName(name))
}

/** Returns the role of a member that is a text, beside others; undefined if its name tells none. */
export function roleOfText(name: string, siblings: Iterable<string>): Role | undefined {
  const otherNames = [...siblings].filter((other) => other !== name)
  const hasMessage = otherNames.some((other) => hasRole(other, 'message'))
  const plain = toPlainName(name)

  if (plain === 'error' || plain === 'reason') {
    return hasMessage ? 'code' : 'message'
  }
  if (plain === 'name') {
    return hasMessage ? 'code' : undefined
  }
  if (plain === 'title' && !hasMessage) {
    return 'message'
  }
  const roles = ['message', 'code', 'type', 'title', 'status', 'requestId', 'time'] as const
  return roles.find((role) => names[role].includes(plain))
}

/** Returns the role of a member that is a number. */
export function roleOfNumber(name: string): Role | undefined {
  if (hasRole(name, 'status') || hasRole(name, 'code') || toPlainName(name) === 'error') {
    return 'status'
  }
  return ['timestamp', 'occurredat', 'createdat'].includes(toPlainName(name)) ? 'time' : undefined
}

/** Returns the role of a member that is true or false. */
export function roleOfFlag(name: string): Role | undefined {
  if (hasRole(name, 'success')) {
    return 'success'
  }
  return ['error', 'iserror', 'failed'].includes(toPlainName(name)) ? 'failure' : undefined
}

/** Returns the reason phrase of a status. */
export function reasonOf(status: number): string {
  return STATUS_CODES[status] ?? 'Error'
}

/** Words that APIs have for a status beside its reason phrase, without punctuation. */
const words: Readonly<Record<number, readonly string[]>> = {
  400: ['invalidrequest', 'invalid', 'validationerror', 'validationfailed', 'invalidargument'],
  401: ['unauthenticated', 'authenticationrequired', 'authenticationerror', 'invalidtoken'],
  403: ['permissiondenied', 'accessdenied', 'insufficientscope', 'authorizationerror'],
  404: ['resourcenotfound', 'missing', 'nosuchresource'],
  405: ['methodnotsupported', 'unsupportedmethod'],
  409: ['alreadyexists', 'aborted', 'duplicate'],
  413: ['payloadtoolarge', 'requesttoolarge', 'contenttoolarge', 'toolarge'],
  415: ['unsupportedcontenttype'],
  422: ['unprocessable', 'unprocessableentity', 'unprocessablecontent', 'validationerror'],
  429: ['ratelimited', 'ratelimit', 'ratelimitexceeded', 'resourceexhausted', 'throttled'],
  500: ['internal', 'internalerror', 'servererror', 'apierror', 'unknown', 'unexpectederror'],
  501: ['unimplemented'],
  503: ['unavailable', 'temporarilyunavailable', 'overloaded'],
}

/** Returns the value of a list that says best what an error is; undefined if none of them does. */
export function chooseValue(
  values: readonly unknown[],
  { status, code }: { readonly status: number; readonly code: string },
): unknown {
  if (values.includes(code)) {
    return code
  }
  const reason = toPlainName(reasonOf(status))
  const wanted = [toPlainName(code), reason, String(status), ...(words[status] ?? [])]
  const ofStatus = status < 500 ? 400 : 500
  const general = [toPlainName(reasonOf(ofStatus)), ...(words[ofStatus] ?? [])]
  const plain = values.map((value) => toPlainName(String(value)))
  const chosen = [...wanted, ...general].find((word) => plain.includes(word))
  return chosen === undefined ? undefined : values[plain.indexOf(chosen)]
}

import { isObject, type JsonObject } from '../description/json.ts'

/** The value of a header field; a list or an object is sent in the style `simple`, or as JSON. */
export type HeaderValue = string | number | boolean | null | readonly unknown[] | JsonObject

/** How the value of a header field is written. */
export interface HeaderForm {
  /** Whether members of an object are written as `a=1,b=2`, not as `a,1,b,2`. */
  readonly explode: boolean
  /** Whether the value is written as JSON, as a header with `content` declares it. */
  readonly isJson: boolean
}

/**
 * Returns the text of a header field: as JSON, or in the style `simple` of OpenAPI: a list as `3,4`, an object
 * as `a,1,b,2`, or as `a=1,b=2` with `explode`.
 */
export function printHeader(value: HeaderValue, form: HeaderForm | undefined): string {
  if (form?.isJson === true) {
    return escapeNonAscii(JSON.stringify(value))
  }
  if (!isObject(value)) {
    return String(value)
  }

  const separator = form?.explode === true ? '=' : ','
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return members.map(([name, member]) => `${name}${separator}${member}`).join(',')
}

/** Writes other characters than ASCII as escapes of JSON: header fields are sent in Latin-1. */
function escapeNonAscii(text: string): string {
  return text.replaceAll(/[\u007f-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0).toString(16)
    return `\\u${code.padStart(4, '0')}`
  })
}

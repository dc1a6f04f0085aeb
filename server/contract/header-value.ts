import { isObject, type JsonObject } from '../description/json.ts'

/** The value of a header field; a list or an object is sent in the style `simple`. */
export type HeaderValue = string | number | boolean | readonly unknown[] | JsonObject

/**
 * Returns the text of a header field, in the style `simple` of OpenAPI: a list as `3,4`, an object as
 * `a,1,b,2`, or as `a=1,b=2` with `explode`.
 */
export function printHeader(value: HeaderValue, explode: boolean): string {
  if (!isObject(value)) {
    return String(value)
  }

  const separator = explode ? '=' : ','
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return members.map(([name, member]) => `${name}${separator}${member}`).join(',')
}

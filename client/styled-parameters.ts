import type { Rules } from './options.ts'
import { writeParameter } from './parameter-style.ts'
import { checkPath, type Styles, toFields, type WriteParameters } from './parameters.ts'
import { isRecord } from './record.ts'

/** The options of a call whose operation has parameters in cookies. */
interface CookieOptions {
  /** Values by name; browsers send the cookies that they have by themselves. */
  readonly cookies?: object
}

/** The rules of these options. */
export const cookieRules: Rules<CookieOptions> = { cookies: ['an object', isRecord] }

/** Writes parameters in any style, those in cookies among them. */
export const writeStyled: WriteParameters = (operationId, values, styles = {}) => {
  const { headers = {}, cookies = {} } = values
  const path = writeEach('path', values.path, styles)
  checkPath(operationId, path)
  const query = writeEach('query', values.query, styles)

  // Those of `Headers` are texts.
  const isWritten = Symbol.iterator in headers
  const fields = isWritten ? toFields(headers) : writeEach('header', headers, styles)
  const cookie = joinTexts('; ', writeEach('cookie', cookies, styles))

  return {
    params: { path, query, header: cookie === '' ? fields : { ...fields, Cookie: cookie } },
    pathSerializer: (url) => fillPath(url, path),
    querySerializer: () => joinTexts('&', query),
  }
}

/** Texts by the names of parameters; undefined if nothing is sent. */
type Texts = Readonly<Record<string, string | undefined>>

function writeEach(location: string, values: object, styles: Styles): Texts {
  const texts = Object.entries(values).map(([name, value]) => {
    return [name, writeParameter(location, name, value, styles)] as const
  })
  return Object.fromEntries(texts)
}

function joinTexts(separator: string, texts: Texts): string {
  const definedTexts = Object.values(texts).filter((text) => text !== undefined)
  return definedTexts.join(separator)
}

/** Replaces the parameters in a URL with a path template. */
function fillPath(url: string, texts: Texts): string {
  return url.replaceAll(/\{([^{}]+)\}/g, (template, name: string) => texts[name] ?? template)
}

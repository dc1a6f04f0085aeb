import { isList, isObject, type Json, type JsonObject, toText } from './json.ts'

/** Where the values of parameters go in a request. */
export interface SentParameters {
  /** What stands for `{name}` in the path, by name. */
  readonly path: Readonly<Record<string, string>>
  readonly query: readonly string[]
  readonly headers: readonly (readonly [string, string])[]
  readonly cookies: readonly string[]
}

/** Returns a value of a parameter as it is sent, by the style of the parameter. */
export function sendParameter(parameter: JsonObject, value: Json): SentParameters {
  const none: SentParameters = { path: {}, query: [], headers: [], cookies: [] }
  const name = toText(parameter['name'])
  const content = parameter['content'] !== undefined
  switch (parameter['in']) {
    case 'path':
      return {
        ...none,
        path: { [name]: content ? encode(JSON.stringify(value)) : toPath(parameter, value) },
      }
    case 'query':
      return {
        ...none,
        query: content
          ? [`${encode(name)}=${encode(JSON.stringify(value))}`]
          : toQuery(parameter, value),
      }
    case 'header':
      return {
        ...none,
        headers: [[name, content ? JSON.stringify(value) : join(value, ',', String)]],
      }
    default:
      return { ...none, cookies: toQuery({ explode: false, ...parameter }, value) }
  }
}

function toPath({ name, style, explode = false }: JsonObject, value: Json): string {
  if (style === 'label') {
    return `.${join(value, explode ? '.' : ',', encode)}`
  }
  if (style !== 'matrix') {
    return join(value, ',', encode, explode === true)
  }
  return isList(value) && explode === true
    ? value.map((item) => `;${toText(name)}=${encode(item)}`).join('')
    : `;${toText(name)}=${join(value, ',', encode)}`
}

function toQuery({ name, style = 'form', explode = style === 'form' }: JsonObject, value: Json) {
  const key = encode(toText(name))
  if (style === 'deepObject' && isObject(value)) {
    return Object.entries(value).map(
      ([member, part]) => `${key}[${encode(member)}]=${encode(part)}`,
    )
  }
  if (explode === true && isList(value)) {
    return value.map((item) => `${key}=${encode(item)}`)
  }
  if (explode === true && isObject(value)) {
    return Object.entries(value).map(([member, part]) => `${encode(member)}=${encode(part)}`)
  }
  const separators: Readonly<Record<string, string>> = {
    spaceDelimited: '%20',
    pipeDelimited: '%7C',
  }
  return [`${key}=${join(value, separators[toText(style)] ?? ',', encode)}`]
}

function join(
  value: Json,
  separator: string,
  print: (value: Json) => string,
  isPaired = false,
): string {
  if (isList(value)) {
    return value.map(print).join(separator)
  }
  if (!isObject(value)) {
    return print(value)
  }
  const between = isPaired ? '=' : separator
  return Object.entries(value)
    .map(([name, part]) => `${print(name)}${between}${print(part)}`)
    .join(separator)
}

function encode(value: Json): string {
  return encodeURIComponent(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

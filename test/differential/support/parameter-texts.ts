import { isObject, type JsonObject } from '../../../scripts/pipeline/description.ts'

/** A name and a text that a parameter is written with. */
export type Pair = readonly [name: string, text: string]

/** A value of a parameter as it is written, in the style that its description gives. */
export function toPairs(parameter: JsonObject, value: unknown): Pair[] {
  const { in: place, style, explode = style === undefined && place === 'query' } = parameter
  const name = String(parameter['name'])
  if (parameter['content'] !== undefined) return [[name, JSON.stringify(value) ?? '']]
  if (Array.isArray(value)) {
    if (explode === true) return value.map((item) => [name, toText(item)])
    const delimiter = style === 'pipeDelimited' ? '|' : style === 'spaceDelimited' ? ' ' : ','
    return [[name, value.map(toText).join(delimiter)]]
  }
  if (!isObject(value)) return [[name, toText(value)]]
  const members = Object.entries(value)
  if (style === 'deepObject') return members.map(([key, one]) => [`${name}[${key}]`, toText(one)])
  if (explode === true) return members.map(([key, one]) => [key, toText(one)])
  return [[name, members.flat().map(toText).join(',')]]
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  const isWhole = Number.isInteger(value) && !Object.is(value, -0)
  // A number would be written with an exponent where it is large.
  return isWhole ? BigInt(Number(value)).toString() : (JSON.stringify(value) ?? 'undefined')
}

/** Percent-encodes a text, also one that is not Unicode. */
export function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : text.replaceAll(/./gu, encodeOne)
}

function encodeOne(character: string): string {
  return character.isWellFormed() ? encodeURIComponent(character) : '%ED%A0%80'
}

/** Texts that are read in other ways here and there, percent-encoded or not even that. */
export const oddTexts: readonly string[] = [
  ...[
    '0x10',
    '1e1',
    '+5',
    '%2B5',
    '%2010',
    '10%20',
    '-0',
    '007',
    '-007',
    '1.0',
    '1.50',
    '.5',
    '5.',
  ],
  ...[
    '9007199254740993',
    '9007199254740991',
    '1e400',
    '1e-400',
    '-1e400',
    '%zz',
    '%00',
    '%',
    '%C3',
  ],
  ...[
    '%ED%A0%80',
    '%F0%9F%90%BE',
    'true',
    'TRUE',
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '0',
    '1',
  ],
  ...['a,b', 'a|b', '%5B%5D', '%7B%7D', '%7B%22a%22%3A1%7D', '%22a%22', '[1]', "'", 'a=b', 'a%2Fb'],
  ...[
    '9'.repeat(400),
    '0.1',
    '1_000',
    '%D9%A1',
    'a%26b',
    'a;b',
    'a%0Ab',
    '__proto__',
    '2147483648',
  ],
]

export const unknownPairs: readonly string[] = [
  ...[
    'another=1',
    '__proto__=1',
    'constructor=1',
    'toString=1',
    'limit[a]=1',
    'filter[__proto__]=1',
  ],
  ...['=1', '=', '&', 'another', 'a[b][c]=1', 'filter[a', 'filter[]=1', 'LIMIT=1', '%zz=1', '1=1'],
]

import {
  type HeaderKind,
  type ReadHeaders,
  readEach,
  readSimple,
  readText,
  type StructuredKind,
  splitList,
} from './response-headers.ts'

/** Reads header fields among which are objects in the style `simple` of OpenAPI, or JSON. */
export const readStructuredHeaders: ReadHeaders = (kinds, headers) => {
  return readEach(kinds, headers, readValue)
}

function readValue(text: string, kind: HeaderKind | StructuredKind): unknown {
  if (kind === 'json') {
    return parse(text)
  }
  if (typeof kind === 'string' || 'items' in kind) {
    return readSimple(text, kind)
  }

  const { members, others = 'string', explode } = kind
  const texts = splitList(text)
  const pairs = explode ? texts.map(splitMember) : toPairs(texts)
  const values = pairs.map(([name, value]) => {
    const types = Object.hasOwn(members, name) ? members[name] : undefined
    return [name, readText(value, types ?? others)] as const
  })
  return Object.fromEntries(values)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Pair = readonly [name: string, value: string]

/** Splits `a=1`. */
function splitMember(text: string): Pair {
  const [name = '', ...values] = text.split('=')
  return [name, values.join('=')]
}

/** Returns the pairs of `a,1,b,2`. */
function toPairs(texts: readonly string[]): readonly Pair[] {
  const names = texts.filter((_, index) => index % 2 === 0)
  return names.map((name, index) => [name, texts[2 * index + 1] ?? ''])
}

/** The types that a text is read as, if it can be: `number`, `boolean` or `string`, or several with spaces between. */
export type TextTypes = string

/** How a header field is read: as a text or a list. */
export type HeaderKind = TextTypes | { readonly items: TextTypes }

/** How a header field is read that is JSON, or an object. */
export type StructuredKind =
  | 'json'
  | {
      readonly members: Readonly<Record<string, TextTypes>>
      /** The types of other members. */
      readonly others?: TextTypes
      /** Whether members are written as `a=1,b=2`, not as `a,1,b,2`. */
      readonly explode?: boolean
    }

/** Reads the header fields of a response by their names in the contract; one that is invalid is as if it were not sent. */
export type ReadHeaders = (
  kinds: Readonly<Record<string, HeaderKind | StructuredKind>>,
  headers: Headers,
) => { readonly headers: Readonly<Record<string, unknown>> }

/** Reads texts and lists, as the style `simple` of OpenAPI writes them. */
export const readHeaders: ReadHeaders = (kinds, headers) => {
  return readEach(kinds, headers, (text, kind) => readSimple(text, kind as HeaderKind))
}

/** Reads each header field that was sent. */
export function readEach<Kind>(
  kinds: Readonly<Record<string, Kind>>,
  headers: Headers,
  read: (text: string, kind: Kind) => unknown,
) {
  const values = Object.entries(kinds).map(([name, kind]) => {
    const text = headers.get(name)
    return [name, text === null ? undefined : read(text, kind)] as const
  })
  return { headers: Object.fromEntries(values.filter(([, value]) => value !== undefined)) }
}

/** Reads a text or a list. */
export function readSimple(text: string, kind: HeaderKind): unknown {
  if (typeof kind === 'string') {
    return readText(text, kind)
  }
  const items = splitList(text).map((item) => readText(item, kind.items))
  return items.includes(undefined) ? undefined : items
}

/** Returns the items of a list. */
export function splitList(text: string): readonly string[] {
  return text === '' ? [] : text.split(',').map((item) => item.trim())
}

/** Reads a text as the first of its types that it can be. */
export function readText(text: string, types: TextTypes): string | number | boolean | undefined {
  const number = /^-?\d/.test(text) ? Number(text) : NaN
  if (types.includes('number') && !Number.isNaN(number)) {
    return number
  }
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) {
    return text === 'true'
  }
  return types.includes('string') ? text : undefined
}

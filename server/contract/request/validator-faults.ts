import { type Detail, Refusal } from '../answer/refusal.ts'
import { escapeToken, isObject } from '../description/description.ts'
import { inPlainWords } from '../validator/plain-words.ts'

const places: Readonly<Record<string, string>> = {
  body: '/body',
  query: '/query',
  params: '/path',
  headers: '/headers',
  cookies: '/cookies',
}

/** The faults that the validator found, in plain words; throws what is not about the request. */
export function toDetails(error: unknown, body: unknown): Detail[] {
  const { status, errors } = isObject(error) ? error : {}
  if (status === 401 || status === 403) {
    throw new Refusal({ status: 401, code: 'invalid_api_key' }, 'The API key is not valid.')
  }
  if (status !== 400 || !Array.isArray(errors)) throw error
  const faults = errors.filter(isObject).flatMap(({ path, message, errorCode }) => {
    const [, field = '', ...rest] = String(path).split('/')
    const place = places[field]
    const [keyword = ''] = String(errorCode).split('.', 1)
    const isExtra = /^(?:unevaluated|additional)Properties$/.test(keyword)
    const said = inPlainWords(keyword, String(message))
    if (isExtra && path === '') return namelessFields(body, '/body', { keyword, message: said })
    if (place === undefined) return []
    const pointer =
      field === 'body' && isExtra
        ? extraPointer(body, rest.join('/'))
        : rest.map((token) => `/${token}`).join('')
    return [{ keyword, path: place + pointer, message: said }]
  })
  // A format says little beside the type or the limit that it stands for.
  const told = new Set(faults.filter(isNoFormat).map((fault) => fault.path))
  return faults
    .filter((fault) => isNoFormat(fault) || !told.has(fault.path))
    .map(({ path, message }) => ({ path, message }))
}

function isNoFormat({ keyword }: { readonly keyword: string }): boolean {
  return keyword !== 'format'
}

// The validator appends the name of an unknown field as it was sent; as a JSON Pointer it has to
// be escaped. The body tells where the pointer ends and the name begins.
function extraPointer(node: unknown, rest: string): string {
  if (Array.isArray(node)) {
    const [index = '', ...deeper] = rest.split('/')
    return `/${index}${extraPointer(node[Number(index)], deeper.join('/'))}`
  }
  if (!isObject(node)) return `/${escapeToken(rest)}`
  if (Object.hasOwn(node, rest)) return `/${escapeToken(rest)}`
  for (const [name, value] of Object.entries(node)) {
    const token = escapeToken(name)
    if (rest.startsWith(`${token}/`)) {
      return `/${token}${extraPointer(value, rest.slice(token.length + 1))}`
    }
  }
  return `/${escapeToken(rest)}`
}

// The validator leaves the place out where the name of an unknown field is empty. The body tells it.
function namelessFields<Fault>(
  node: unknown,
  path: string,
  fault: Fault,
): (Fault & { readonly path: string })[] {
  if (!isObject(node) && !Array.isArray(node)) return []
  return Object.entries(node).flatMap(([name, value]) => {
    const place = `${path}/${escapeToken(name)}`
    const own = name === '' ? [{ ...fault, path: place }] : []
    return [...own, ...namelessFields(value, place, fault)]
  })
}

import type { DescriptionPart } from './description.ts'
import type { Documents } from './documents.ts'
import { type Entry, Fields } from './fields.ts'
import { type JsonObject, toList, toObject } from './json.ts'
import type { Located, Location } from './location.ts'

/** Ways to authenticate, one of which is enough. */
export interface Security {
  readonly at: Location
  readonly alternatives: readonly Requirement[]
  /** Whether it is that of all operations. */
  readonly isInherited: boolean
}

/** Scopes by the names of security schemes, all of which are required. */
export type Requirement = ReadonlyMap<string, readonly string[]>

export interface SecurityScheme extends DescriptionPart {
  readonly name: string
  /** How credentials are sent and checked. */
  readonly form: JsonObject
  readonly bearerFormat: string | undefined
  /** The flows of OAuth by their names. */
  readonly flows: JsonObject
}

/** The credentials of a security scheme, by what checks them. */
export type CredentialKind = 'apiKey' | 'token' | 'password' | 'other'

/** Returns what the credentials of a security scheme are. */
export function credentialKind({
  form,
  bearerFormat,
}: Pick<SecurityScheme, 'form' | 'bearerFormat'>): CredentialKind {
  const { type, scheme } = form
  const isToken = /^jwt$/i.test(bearerFormat ?? '')
  const kinds = new Map<unknown, CredentialKind>([
    ['apiKey', 'apiKey'],
    ['oauth2', 'token'],
    ['openIdConnect', 'token'],
    ['http bearer', isToken ? 'token' : 'apiKey'],
    ['http basic', 'password'],
  ])
  return kinds.get(type === 'http' ? `http ${scheme}` : type) ?? 'other'
}

/** Returns the names of the header fields, query parameters or cookies in which credentials are sent. */
export function credentialNames(
  schemes: ReadonlyMap<string, SecurityScheme>,
  location: 'header' | 'query' | 'cookie',
): ReadonlySet<string> {
  const forms = Array.from(schemes.values(), ({ form }) => form)
  const named = forms.filter((form) => form['type'] === 'apiKey' && form['in'] === location)
  return new Set(named.map(({ name }) => String(name)))
}

/** Returns whether a scope is a `scope-token` (RFC 6749, section 3.3): a list of scopes and a header field may have it. */
export function isScopeToken(scope: string): boolean {
  return /^[!#-[\]-~]+$/.test(scope)
}

/** Returns whether requests are served without credentials. */
export function isPublic({ alternatives }: Pick<Security, 'alternatives'>): boolean {
  return alternatives.some((requirement) => requirement.size === 0)
}

/** Returns the names of the security schemes of all alternatives. */
export function schemesOf({ alternatives }: Pick<Security, 'alternatives'>): ReadonlySet<string> {
  return new Set(alternatives.flatMap((requirement) => [...requirement.keys()]))
}

/** Reads a list of security requirements. */
export function readSecurity(node: Located, isInherited: boolean): Security {
  return { at: node, alternatives: readAlternatives(node.value), isInherited }
}

/** Reads the alternatives of a list of security requirements; without one, no credentials are required. */
export function readAlternatives(value: unknown): readonly Requirement[] {
  const alternatives = toList(value).map((requirement) => {
    const scopes = Object.entries(toObject(requirement)).map(
      ([name, list]) => [name, toList(list).map(String).sort()] as const,
    )
    return new Map(scopes)
  })
  return alternatives.length === 0 ? [new Map()] : alternatives
}

/** Reads the security schemes of the components, by name. */
export function readSecuritySchemes(
  nodes: ReadonlyMap<string, Located> = new Map(),
  documents: Documents,
): ReadonlyMap<string, SecurityScheme> {
  const schemes = Array.from(nodes, ([name, node]) => {
    return [name, { name, ...readSecurityScheme(documents.follow(node)) }] as const
  })
  return new Map(schemes)
}

/** The fields that say how credentials are sent and checked, by the type of a security scheme. */
const fieldsOfTypes = new Map<unknown, readonly string[]>([
  ['apiKey', ['in', 'name']],
  ['http', ['scheme']],
  ['oauth2', ['oauth2MetadataUrl', 'flows']],
  ['openIdConnect', ['openIdConnectUrl']],
])

/** Reads a security scheme from what a reference to it leads to. */
export function readSecurityScheme(node: Located): Omit<SecurityScheme, 'name'> {
  const fields = new Fields(node)
  const { value: type } = fields.take('type')
  const keysOfType = new Set(fieldsOfTypes.get(type))
  const stated = [...fieldsOfTypes.values()].flat().map((key) => fields.take(key))
  const entries = stated.filter(({ value }) => value !== undefined)
  const { flows, ...form } = toValues(entries.filter(({ key }) => keysOfType.has(key)))
  // A field of another type has no effect: only people read it.
  const withoutEffect = toValues(entries.filter(({ key }) => !keysOfType.has(key)))

  const bearerFormat = fields.takeText('bearerFormat')
  const part = fields.rest()
  return {
    form: { type, ...toSameCase(form) },
    bearerFormat,
    flows: toObject(flows),
    ...part,
    texts: { ...part.texts, ...withoutEffect },
  }
}

function toValues(entries: readonly Entry[]): JsonObject {
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]))
}

/** Returns fields with the names in lower case that have no case: schemes of HTTP, and headers. */
function toSameCase(form: JsonObject): JsonObject {
  const hasNoCase = (key: string) => key === 'scheme' || (key === 'name' && form['in'] === 'header')
  const entries = Object.entries(form).map(
    ([key, value]) => [key, hasNoCase(key) ? String(value).toLowerCase() : value] as const,
  )
  return Object.fromEntries(entries)
}

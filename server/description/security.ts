import type { DescriptionPart } from './description.ts'
import type { Documents } from './documents.ts'
import { Fields } from './fields.ts'
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
  readonly flows: JsonObject
}

/** The credentials of a security scheme, by what checks them. */
export type CredentialKind = 'apiKey' | 'token' | 'password' | 'other'

/** Returns what the credentials of a security scheme are. */
export function credentialKind({ form, texts }: Pick<SecurityScheme, 'form' | 'texts'>) {
  const { type, scheme } = form
  const isToken = /^jwt$/i.test(String(texts['bearerFormat']))
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

/** Returns whether requests are served without credentials. */
export function isPublic({ alternatives }: Pick<Security, 'alternatives'>): boolean {
  return alternatives.some((requirement) => requirement.size === 0)
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

const formKeys = ['type', 'scheme', 'in', 'name', 'openIdConnectUrl', 'oauth2MetadataUrl']

/** Reads a security scheme from what a reference to it leads to. */
export function readSecurityScheme(node: Located): Omit<SecurityScheme, 'name'> {
  const fields = new Fields(node)
  const form: Record<string, unknown> = {}
  for (const key of formKeys) {
    const { value } = fields.take(key)
    if (value === undefined) {
      continue
    }

    // The names of schemes of HTTP, and of headers, have no case.
    const hasNoCase = key === 'scheme' || (key === 'name' && form['in'] === 'header')
    form[key] = hasNoCase ? String(value).toLowerCase() : value
  }
  const { value: bearerFormat } = fields.take('bearerFormat')
  const flows = fields.takeObject('flows')
  const part = fields.rest()
  const texts = bearerFormat === undefined ? part.texts : { ...part.texts, bearerFormat }
  return { form, flows, ...part, texts }
}

import { childrenOf } from '../../server/description/fields.ts'
import {
  isObject,
  type JsonObject,
  memberOf,
  toList,
  toObject,
} from '../../server/description/json.ts'
import type { Location } from '../../server/description/location.ts'
import { toPointer, valueAt } from '../../server/description/pointer.ts'
import { readAlternatives } from '../../server/description/security.ts'
import { type Follow, operationsIn } from './called-operations.ts'
import { errorCodeName, type PlatformFile, referToOwnComponents } from './platform-file.ts'

/** The extension of the root object that declares the responses of operations that require scopes. */
export const scopeResponsesKey = 'x-scope-responses'

/** The extension of the root object that declares the responses of operations that the service does not serve. */
export const unservedResponsesKey = 'x-unserved-responses'

/** The code of the error of a request whose credentials lack a scope. */
const scopeCode = 'insufficient_scope'

/** The code of the error of a request to an operation that the service does not serve. */
const unservedCode = 'not_implemented'

/** The components of descriptions that are the platform's with changes. */
const adoptedComponents = new WeakSet<object>()

/** Returns whether an operation requires scopes; `usual` is the security of operations that have none of their own. */
export function requiresScopes(operation: JsonObject, usual: unknown): boolean {
  const alternatives = readAlternatives(operation['security'] ?? usual)
  const scopes = alternatives.flatMap((requirement) => [...requirement.values()].flat())
  return scopes.length > 0
}

/**
 * Fits a description and the platform to each other, in place. Where operations require scopes, or are not served,
 * `ErrorCode` has a code for that; otherwise the platform loses its responses for that. Unless all credentials are
 * bearer tokens, challenges may have any scheme. The description gets the components that differ from the
 * platform's; returns where each of these is declared.
 */
export function fitPlatform(
  root: JsonObject,
  file: string,
  follow: Follow,
  platform: PlatformFile,
  hasUnserved = false,
): ReadonlyMap<unknown, Location> {
  const origins = new Map<unknown, Location>()

  /** Gives the description a component of the platform with changes, unless it has its own for that. */
  function adopt(section: string, name: string, change: (component: JsonObject) => object): void {
    const pointer = toPointer(['components', section, name])
    if (platform.replacements.has(pointer)) {
      return
    }

    const components = toObject(root['components'])
    const componentsOfSection = toObject(components[section])
    const sameName = memberOf(componentsOfSection, name)
    const isAdopted = isObject(sameName) && adoptedComponents.has(sameName)
    const isFree = sameName === undefined || isAdopted
    const ownName = isFree ? name : `Platform${name}`
    platform.replacements.set(pointer, toPointer(['components', section, ownName]))
    // A description may be passed again.
    if (memberOf(componentsOfSection, ownName) !== undefined) {
      return
    }

    const component = toObject(valueAt(platform.root, pointer))
    const changed = { ...component, ...change(component) }
    adoptedComponents.add(changed)
    origins.set(changed, { file: platform.file, pointer })
    const extendedSection = { ...componentsOfSection, [ownName]: changed }
    Object.assign(root, { components: { ...components, [section]: extendedSection } })
  }

  const areScoped = hasScopes(root, file, follow)
  if (areScoped) {
    addErrorCode(platform.root, scopeCode)
  } else {
    remove(platform.root, scopeResponsesKey, 'Forbidden', 'InsufficientScopeError')
  }

  if (hasUnserved) {
    addErrorCode(platform.root, unservedCode)
  } else {
    remove(platform.root, unservedResponsesKey, 'NotImplemented', 'NotImplementedError')
  }

  // A list of its own gets all codes of the platform, these among them.
  if (areScoped || hasUnserved) {
    adopt('schemas', errorCodeName, () => ({}))
  }

  if (!isBearerOnly(root, file, follow)) {
    const description = 'How to authenticate, as in RFC 9110, section 11.6.1.'
    adopt('headers', 'WWW-Authenticate', () => ({ description, schema: { type: 'string' } }))
  }

  referToOwnComponents(platform, file)
  return origins
}

/** Adds a code to the list of the platform's codes of errors, in place. */
function addErrorCode(platform: JsonObject, code: string): void {
  const { schemas } = toObject(platform['components'])
  const errorCode = toObject(toObject(schemas)[errorCodeName])
  Object.assign(errorCode, { enum: [...toList(errorCode['enum']), code] })
}

function hasScopes(root: JsonObject, file: string, follow: Follow): boolean {
  const operations = Array.from(operationsIn(root, file, follow), ({ operation }) => operation)
  return operations.some((operation) => requiresScopes(operation, root['security']))
}

/** Returns whether the credentials of all security schemes are bearer tokens. */
function isBearerOnly(root: JsonObject, file: string, follow: Follow): boolean {
  const components = { file, pointer: '#/components', value: root['components'] }
  return childrenOf(components, 'securitySchemes').every((node) => {
    const { type, scheme } = toObject(follow(node).value)
    const isHttpBearer = type === 'http' && String(scheme).toLowerCase() === 'bearer'
    return isHttpBearer || type === 'oauth2' || type === 'openIdConnect'
  })
}

/** Removes what the platform has for some operations: an extension of its root, a response, and its schema. */
function remove(platform: JsonObject, key: string, response: string, schema: string): void {
  const { responses, schemas } = toObject(platform['components'])
  Reflect.deleteProperty(platform, key)
  Reflect.deleteProperty(toObject(responses), response)
  Reflect.deleteProperty(toObject(schemas), schema)
}

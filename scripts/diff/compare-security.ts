import { isDeepStrictEqual } from 'node:util'
import type { Description, Operation } from '../../server/description/description.ts'
import { type Location, toKey } from '../../server/description/location.ts'
import type { Requirement, Security, SecurityScheme } from '../../server/description/security.ts'
import {
  hasBearerKeysAlone,
  schemesOfOperations,
  sentCredentials,
} from '../pipeline/sent-credentials.ts'
import { compareRequiredSchemes, isSameScheme } from './compare-security-schemes.ts'
import type { Places, Recorder } from './recorder.ts'
import { show } from './rules/rule.ts'
import type { Pair } from './words.ts'

/** Compares the credentials that two operations ask for, and how they are sent. */
export function compareSecurity(
  pair: Pair,
  recorder: Recorder,
  { at: baseAt, security: base }: Operation,
  { at: currentAt, security: current }: Operation,
): void {
  compareRequiredSchemes(pair, recorder, base, current)
  // Security that no operation states itself is one change of the whole API.
  const isShared = base.isInherited && current.isInherited
  const atOfApi = { base: base.at, current: current.at }
  const atOfOperation = { base: below(baseAt, base), current: below(currentAt, current) }
  const at = isShared ? atOfApi : atOfOperation
  const key = isShared ? 'security' : `security ${toKey(atOfOperation.current)}`
  recorder.compareOnce(key, () => {
    const names = renamedSchemes(pair)
    const before = base.alternatives.map((each) => rename(each, names))
    const after = current.alternatives
    const lost = before.filter((each) => !after.some((other) => covers(each, other)))
    const gained = after.filter((each) => !before.some((other) => isDeepStrictEqual(other, each)))
    // Each new requirement is recorded once: as a lost requirement with more scopes, or as another alternative.
    const named = lost.flatMap((requirement) => recordLost(recorder, requirement, gained, at))
    for (const requirement of gained) {
      if (named.includes(requirement)) {
        continue
      }
      const [requirementBefore, ...otherRequirements] = before
      const isPublicNow = requirement.size === 0 && after.length === 1
      const hadOneRequirement = requirementBefore !== undefined && otherRequirements.length === 0
      if (isPublicNow && hadOneRequirement) {
        recorder.record('api-security-no-longer-required', describe(requirementBefore), at)
      } else {
        recorder.record('api-security-alternative-added', describe(requirement), at)
      }
    }
  })
}

/** Records schemes that are the same, and whose credentials the client takes by another option than before. */
export function compareClientOptions(pair: Pair, recorder: Recorder): void {
  const optionsBefore = clientOptions(pair.base)
  const optionsAfter = clientOptions(pair.current)
  const newNames = renamedSchemes(pair)

  for (const [name, before] of optionsBefore) {
    const after = optionsAfter.get(newNames.get(name) ?? name)
    const isRenamed = after !== undefined && after.option !== before.option
    if (isRenamed && isSameScheme(before.scheme, after.scheme)) {
      const facts = { before: before.option, after: after.option }
      const at = { base: before.scheme.at, current: after.scheme.at }
      recorder.record('client-credentials-renamed', facts, at)
    }
  }
}

interface ClientOption {
  readonly scheme: SecurityScheme
  readonly option: string
}

/** Returns the option by which the client takes the credentials of each scheme, by the name of the scheme. */
function clientOptions(description: Description): ReadonlyMap<string, ClientOption> {
  const hasOneOption = hasBearerKeysAlone(description)
  const schemes = schemesOfOperations(description).filter(
    (scheme) => sentCredentials(scheme) !== undefined,
  )
  const entries = schemes.map((scheme) => {
    const option = hasOneOption ? 'apiKey' : `credentials.${scheme.name}`
    return [scheme.name, { scheme, option }] as const
  })
  return new Map(entries)
}

/** Returns whether two descriptions ask for the same credentials. */
export function isSameSecurity(pair: Pair, base: Security, current: Security): boolean {
  // Security that no operation states itself is one change of the whole API.
  if (base.isInherited && current.isInherited) {
    return true
  }
  const names = renamedSchemes(pair)
  const before = base.alternatives.map((each) => rename(each, names))
  return isDeepStrictEqual(new Set(before), new Set(current.alternatives))
}

/** Returns where an operation states its security, or would. */
function below({ file, pointer }: Location, { isInherited, at }: Security): Location {
  return isInherited ? { file, pointer: `${pointer}/security` } : at
}

/** Records credentials that were accepted and are not any more; returns the new requirements that it names. */
function recordLost(
  recorder: Recorder,
  requirement: Requirement,
  gained: readonly Requirement[],
  at: Places,
): readonly Requirement[] {
  if (requirement.size === 0 && gained.length > 0) {
    for (const each of gained) {
      recorder.record('api-security-added', describe(each), at)
    }
    return gained
  }
  const closest = gained.find((each) =>
    isDeepStrictEqual(new Set(each.keys()), new Set(requirement.keys())),
  )
  if (closest === undefined) {
    recorder.record('api-security-removed', describe(requirement), at)
    return []
  }
  const missing = [...closest]
    .map(([name, scopes]) => {
      return [name, scopes.filter((scope) => !requirement.get(name)?.includes(scope))] as const
    })
    .filter(([, scopes]) => scopes.length > 0)
  recorder.record('api-security-scope-added', describe(new Map(missing)), at)
  return [closest]
}

/** Returns whether credentials that meet one requirement meet another one, too. */
function covers(requirement: Requirement, other: Requirement): boolean {
  return [...other].every(([name, scopes]) => {
    const requiredScopes = requirement.get(name)
    return requiredScopes !== undefined && scopes.every((scope) => requiredScopes.includes(scope))
  })
}

function describe(requirement: Requirement) {
  const names = [...requirement].map(([name, scopes]) => {
    return scopes.length === 0 ? show(name) : `${show(name)} with ${scopes.map(show).join(', ')}`
  })
  const isNone = names.length === 0
  return {
    credentials: isNone ? 'no credentials' : names.join(' and '),
    isPlural: names.length !== 1,
  }
}

/** Returns the new names of schemes that are the same under another name. */
function renamedSchemes({ base, current }: Pair): ReadonlyMap<string, string> {
  const names = [...base.securitySchemes.values()].flatMap((scheme) => {
    if (current.securitySchemes.has(scheme.name)) {
      return []
    }
    const renamed = [...current.securitySchemes.values()].find(
      (each) => !base.securitySchemes.has(each.name) && isSameScheme(scheme, each),
    )
    return renamed === undefined ? [] : [[scheme.name, renamed.name] as const]
  })
  return new Map(names)
}

function rename(requirement: Requirement, names: ReadonlyMap<string, string>): Requirement {
  return new Map([...requirement].map(([name, scopes]) => [names.get(name) ?? name, scopes]))
}

import { isDeepStrictEqual } from 'node:util'
import { type JsonObject, toObject } from '../../server/description/json.ts'
import {
  credentialKind,
  type Security,
  type SecurityScheme,
  schemesOf,
} from '../../server/description/security.ts'
import { changedKeys, compareParts } from './compare-parts.ts'
import type { Places, Recorder } from './recorder.ts'
import type { Pair } from './words.ts'

/** Returns whether two schemes ask for the same credentials, sent in the same way. */
export function isSameScheme(one: SecurityScheme, other: SecurityScheme): boolean {
  const [before, after] = [one, other].map((scheme) => {
    return [scheme.form, scheme.flows, credentialKind(scheme)]
  })
  return isDeepStrictEqual(before, after)
}

/** Compares the schemes that an operation requires before and after, each once. */
export function compareRequiredSchemes(
  pair: Pair,
  recorder: Recorder,
  base: Security,
  current: Security,
): void {
  const required = schemesOf(current).intersection(schemesOf(base))
  for (const name of required) {
    const before = pair.base.securitySchemes.get(name)
    const after = pair.current.securitySchemes.get(name)
    if (before !== undefined && after !== undefined) {
      const comparison = new SchemeComparison(pair, recorder, before, after)
      recorder.compareOnce(`security scheme ${name}`, () => comparison.compare())
    }
  }
}

/** The fields of a scheme or of a flow with a URL of the identity provider. */
const urlFields: ReadonlySet<string> = new Set([
  ...['oauth2MetadataUrl', 'authorizationUrl', 'tokenUrl'],
  ...['refreshUrl', 'deviceAuthorizationUrl'],
])

/** Compares how the credentials of one scheme are sent, and what they are. */
class SchemeComparison {
  readonly #pair: Pair
  readonly #recorder: Recorder
  readonly #base: SecurityScheme
  readonly #current: SecurityScheme
  readonly #at: Places
  readonly #subject: string

  constructor(pair: Pair, recorder: Recorder, base: SecurityScheme, current: SecurityScheme) {
    this.#pair = pair
    this.#recorder = recorder
    this.#base = base
    this.#current = current
    this.#at = { base: base.at, current: current.at }
    this.#subject = pair.nameOf(this.#at)
  }

  compare(): void {
    const [base, current] = [this.#base, this.#current]
    if (base.form['type'] === current.form['type']) {
      this.#compareForms()
      this.#compareBearerFormats()
      this.#compareFlows()
    } else {
      // The other fields follow from the type.
      this.#recordForm('type')
    }

    const { deprecated: wasDeprecated, ...before } = base.others
    const { deprecated: isDeprecated, ...after } = current.others
    this.#compareDeprecation(wasDeprecated === true, isDeprecated === true)
    const partBefore = { ...base, others: before }
    const partAfter = { ...current, others: after }
    compareParts(this.#pair, this.#recorder, partBefore, partAfter)
  }

  #compareForms(): void {
    const changed = changedKeys(this.#base.form, this.#current.form)
    const isMoved = changed.some(([name]) => name === 'in')
    for (const [name, before] of changed) {
      // Only in headers a name has no case: one that is sent elsewhere may differ in its case alone.
      if (isMoved && name === 'name') {
        continue
      }

      if (name === 'openIdConnectUrl') {
        const id = 'api-security-component-openid-connect-url-changed'
        this.#recorder.record(id, { subject: this.#subject, name }, this.#at)
      } else if (urlFields.has(name)) {
        this.#recordUrl(name, before)
      } else {
        this.#recordForm(name)
      }
    }
  }

  #recordForm(name: string): void {
    const facts = { subject: this.#subject, name }
    this.#recorder.record('api-security-component-type-changed', facts, this.#at)
  }

  /** Compares `bearerFormat`, which may say that other credentials are sent in the same way. */
  #compareBearerFormats(): void {
    const [base, current] = [this.#base, this.#current]
    if (base.bearerFormat === current.bearerFormat) {
      return
    }

    const subject = this.#subject
    const [before, after] = [credentialKind(base), credentialKind(current)]
    const isSent = base.form['scheme'] === current.form['scheme']
    if (isSent && before !== after) {
      const facts = { subject, before, after }
      this.#recorder.record('api-security-component-credentials-changed', facts, this.#at)
    } else {
      this.#recorder.record('text-reworded', { subject, keyword: 'bearerFormat' }, this.#at)
    }
  }

  #compareFlows(): void {
    for (const [name, before, after] of changedKeys(this.#base.flows, this.#current.flows)) {
      if (name.startsWith('x-')) {
        this.#recordOther(name, before, after)
      } else if (before !== undefined && after !== undefined) {
        this.#compareFlow(toObject(before), toObject(after))
      } else {
        const state = before === undefined ? 'added' : 'removed'
        const facts = { subject: this.#subject, name }
        this.#recorder.record(`api-security-component-oauth-flow-${state}`, facts, this.#at)
      }
    }
  }

  #compareFlow(before: JsonObject, after: JsonObject): void {
    const { scopes: oldScopes, ...old } = before
    const { scopes: newScopes, ...now } = after
    for (const [name, one, other] of changedKeys(old, now)) {
      if (urlFields.has(name)) {
        this.#recordUrl(name, one)
      } else {
        this.#recordOther(name, one, other)
      }
    }
    this.#compareScopes(toObject(oldScopes), toObject(newScopes))
  }

  /** Compares the scopes of a flow, with their descriptions. */
  #compareScopes(before: JsonObject, after: JsonObject): void {
    const subject = this.#subject
    for (const [name, one, other] of changedKeys(before, after)) {
      if (one === undefined) {
        const id = 'api-security-component-oauth-scope-added'
        this.#recorder.record(id, { subject, name }, this.#at)
      } else if (other === undefined) {
        const id = 'api-security-component-oauth-scope-removed'
        this.#recorder.record(id, { subject, name }, this.#at)
      } else {
        this.#recorder.record('text-reworded', { subject, keyword: `scope ${name}` }, this.#at)
      }
    }
  }

  #recordUrl(name: string, before: unknown): void {
    const state = before === undefined ? 'added' : 'changed'
    const facts = { subject: this.#subject, name }
    this.#recorder.record(`api-security-component-oauth-url-${state}`, facts, this.#at)
  }

  #recordOther(keyword: string, before: unknown, after: unknown): void {
    const id = keyword.startsWith('x-') ? 'extension-changed' : 'unknown-keyword-changed'
    const facts = { subject: this.#subject, keyword, before, after }
    this.#recorder.record(id, facts, this.#at)
  }

  #compareDeprecation(wasDeprecated: boolean, isDeprecated: boolean): void {
    if (wasDeprecated !== isDeprecated) {
      const state = isDeprecated ? 'deprecated' : 'reactivated'
      const facts = { subject: this.#subject }
      this.#recorder.record(`api-security-component-${state}`, facts, this.#at)
    }
  }
}

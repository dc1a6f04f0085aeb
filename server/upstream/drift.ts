import type { Logger } from 'pino'
import { declaredNames } from '../contract/declared-names.ts'
import type { ApiError } from '../contract/errors.ts'
import { escapeToken, unescapeToken } from '../description/pointer.ts'

/** What differs: a request that the description rejects, or a part of a response. */
export const driftKinds = ['request', 'status', 'media_type', 'header', 'body'] as const

export type DriftKind = (typeof driftKinds)[number]

/** A place where the upstream and the description differ. It has no value of a message. */
export interface Drift {
  readonly kind: DriftKind
  /** A JSON Pointer with the location in front, such as `/body/name`; empty for the message itself. */
  readonly pointer: string
  /** The keyword of the schema, or what else is wrong. */
  readonly rule: string
  readonly message?: string
}

/** Milliseconds between two lines about the same place. */
const interval = 60_000

/** Places that are remembered; others are counted, not logged. */
const maxPlaces = 1_000

/** Places of one message that are logged. */
const maxLogged = 20

interface Place {
  loggedAt: number
  /** Messages since the last line. */
  seen: number
}

/** Counts and logs where the upstream and the description differ. */
export class DriftReport {
  /** Messages with a difference, by operation and kind. */
  readonly counts: ReadonlyMap<string, Record<DriftKind, number>>
  readonly #log: Logger
  readonly #knownNames: ReadonlySet<string>
  readonly #places = new Map<string, Place>()

  constructor(operationIds: Iterable<string>, document: unknown, log: Logger) {
    const none = { request: 0, status: 0, media_type: 0, header: 0, body: 0 }
    this.counts = new Map(Array.from(operationIds, (id) => [id, { ...none }]))
    this.#knownNames = declaredNames(document)
    this.#log = log
  }

  /** Reports a request that was forwarded although the description rejects it. */
  reportRequest(locals: Express.Locals, { status, code, details }: ApiError): void {
    const drifts = details.map(({ path, message }): Drift => {
      return { kind: 'request', pointer: path, rule: code, message }
    })
    const whole: Drift = { kind: 'request', pointer: '', rule: code }
    const lines = this.#record(locals, status, drifts.length === 0 ? [whole] : drifts)
    for (const line of lines) {
      this.#log.warn(line, 'request drift')
    }
  }

  /** Reports a response that differs from the description. */
  reportResponse(locals: Express.Locals, status: number, drifts: readonly Drift[]): void {
    for (const line of this.#record(locals, status, drifts)) {
      this.#log.warn(line, 'response drift')
    }
  }

  /** Counts a message; returns the lines to log: those of places that were not logged for a minute. */
  #record(
    { operation, requestId }: Express.Locals,
    status: number,
    drifts: readonly Drift[],
  ): readonly object[] {
    const operationId = operation?.operationId ?? ''
    const counts = this.counts.get(operationId)
    for (const kind of new Set(drifts.map((drift) => drift.kind))) {
      if (counts !== undefined) {
        counts[kind]++
      }
    }

    const withoutData = drifts.map((drift) => ({
      ...drift,
      pointer: this.#withoutData(drift.pointer),
    }))
    const distinct = new Map(withoutData.map((drift) => [`${drift.pointer} ${drift.rule}`, drift]))
    const lines: object[] = []
    for (const { message: problem, ...place } of [...distinct.values()].slice(0, maxLogged)) {
      const { kind, pointer, rule } = place
      const seen = this.#countPlace(`${operationId} ${status} ${kind} ${pointer} ${rule}`)
      if (seen !== undefined) {
        lines.push({ requestId, operationId, status, ...place, problem, seen })
      }
    }
    return lines
  }

  /** Returns how often a place was seen since its last line; undefined if it has no line now. */
  #countPlace(name: string): number | undefined {
    const now = performance.now()
    let place = this.#places.get(name)
    if (place === undefined) {
      if (this.#places.size >= maxPlaces) {
        return undefined
      }
      place = { loggedAt: Number.NEGATIVE_INFINITY, seen: 0 }
      this.#places.set(name, place)
    }
    place.seen++
    if (now - place.loggedAt < interval) {
      return undefined
    }
    const { seen } = place
    place.loggedAt = now
    place.seen = 0
    return seen
  }

  /** Returns a pointer in which names that the description does not have, and positions, are `*`. */
  #withoutData(pointer: string): string {
    const [root = '', location, ...tokens] = pointer.split('/')
    if (location === undefined) {
      return pointer
    }
    const shownTokens = tokens.map((token) => {
      const name = unescapeToken(token)
      const isKnown = this.#knownNames.has(name) || location === 'headers'
      return isKnown ? escapeToken(name) : '*'
    })
    return [root, location, ...shownTokens].join('/')
  }
}

import { isDeepStrictEqual } from 'node:util'
import type {
  Body,
  Deprecation,
  Header,
  MediaType,
  Operation,
  Parameter,
  Response,
} from '../../server/description/description.ts'
import type { Located, Location } from '../../server/description/location.ts'
import { ruleOf } from '../../server/description/pagination.ts'
import { toChild } from '../../server/description/pointer.ts'
import { sunsetStem } from './compare-annotations.ts'
import { compareEncodings, compareStreams } from './compare-content.ts'
import { compareNames } from './compare-names.ts'
import { changedForms, compareParts, keyOfParts } from './compare-parts.ts'
import type { SchemaComparison } from './compare-schemas.ts'
import { compareSecurity } from './compare-security.ts'
import { compareServers } from './compare-servers.ts'
import { compareWebhooks } from './compare-webhooks.ts'
import { findCovering, findRange, toOperationKey, toPositionKey } from './counterparts.ts'
import type { Places, Recorder } from './recorder.ts'
import type { Slot, Way } from './rules/slots.ts'
import { meanTheSame } from './same-meaning.ts'
import type { Pair } from './words.ts'

/** A body, a response or the like that has schemas by media types. */
interface WithContent {
  readonly at: Location
  readonly content: readonly MediaType[]
}

/** What has a schema of its own. */
export type ValueSlot = Exclude<Slot, `${string}-property`>

interface Holder<Part> {
  readonly base: Part
  readonly current: Part
}

/** Headers that say that an operation is deprecated. */
const deprecationHeaders = ['deprecation', 'sunset', 'link']

/** Compares the operations of two descriptions. */
export class OperationComparison {
  readonly #pair: Pair
  readonly #recorder: Recorder
  readonly #schemas: SchemaComparison

  constructor(pair: Pair, recorder: Recorder, schemas: SchemaComparison) {
    this.#pair = pair
    this.#recorder = recorder
    this.#schemas = schemas
  }

  /** Compares operations, those of the same method and path with each other, whatever the names of variables. */
  compareAll(base: readonly Operation[], current: readonly Operation[]): void {
    const unmatched = new Map(base.map((operation) => [toOperationKey(operation), operation]))
    for (const operation of current) {
      const key = toOperationKey(operation)
      const before = unmatched.get(key)
      unmatched.delete(key)
      this.#recorder.compareOnce(operation.name, () => {
        if (before === undefined) {
          this.#recordNew(operation)
        } else {
          this.#compare(before, operation)
        }
      })
    }
    for (const operation of unmatched.values()) {
      this.#recorder.compareOnce(operation.name, () => this.#recordRemoved(operation))
    }
  }

  #recordNew({ name, operationId, at }: Operation): void {
    this.#recorder.record('endpoint-added', { subject: name, operationId }, { current: at })
  }

  #recordRemoved({ name, operationId, deprecation, at }: Operation): void {
    const { sunset } = deprecation
    const hasSunset = sunset !== undefined
    const id = hasSunset ? 'api-removed-with-deprecation' : 'api-removed-without-deprecation'
    const facts = { subject: name, operationId }
    this.#recorder.record(id, facts, { base: at }, sunset ?? 'never announced')
  }

  #compare(base: Operation, current: Operation): void {
    const at = { base: base.at, current: current.at }
    const subject = current.name
    this.compareOwn(base, current, subject)
    this.compareDeprecation(base, current, subject)
    compareSecurity(this.#pair, this.#recorder, base, current)
    if (base.hasOwnServers || current.hasOwnServers) {
      compareServers(this.#pair, this.#recorder, base.servers, current.servers, at)
    }
    this.#compareParameters(base, current)
    this.#compareBody(base, current)
    const isDeprecation = base.deprecation.isDeprecated !== current.deprecation.isDeprecated
    const isSkipped = (name: string, status: string) => {
      // The response of a list has a Link header for the next page, too.
      const isPageLink = name === 'link' && status === '200' && current.pagination !== undefined
      return isDeprecation && deprecationHeaders.includes(name) && !isPageLink
    }
    this.compareResponses(base.responses, current.responses, isSkipped)
    compareWebhooks(this.#pair, this.#recorder, this, base.callbacks, current.callbacks)
    compareParts(this.#pair, this.#recorder, base, current)
  }

  compareOwn(base: Operation, current: Operation, subject: string): void {
    compareNames(this.#pair, this.#recorder, base, current, subject)
    this.#comparePagination(base, current)
    if (!isDeepStrictEqual(base.tags, current.tags)) {
      const at = { base: below(base.at, 'tags'), current: below(current.at, 'tags') }
      this.#recorder.record('api-tags-changed', { subject, name: 'tags' }, at)
    }
  }

  #comparePagination(base: Operation, current: Operation): void {
    const [before, after] = [base.pagination, current.pagination]
    if (isDeepStrictEqual(ruleOf(before), ruleOf(after))) {
      return
    }

    const isOfOtherStyle = before !== undefined && before.style !== after?.style
    const changed = isOfOtherStyle ? 'api-pagination-style-changed' : 'api-pagination-changed'
    const id = after === undefined ? 'api-pagination-removed' : changed
    const places = { base: before?.at ?? base.at, current: after?.at ?? current.at }
    const facts = { subject: current.name, key: (after ?? before)?.key ?? '' }
    const values = { before: before?.value, after: after?.value }
    this.#recorder.record(id, { ...facts, ...values }, places)
  }

  compareDeprecation(
    { at: baseAt, deprecation: base }: Operation,
    operation: Operation,
    subject: string,
  ): void {
    const current = operation.deprecation
    const at = (key: string) => ({ base: below(baseAt, key), current: below(operation.at, key) })
    if (base.isDeprecated !== current.isDeprecated) {
      const id = current.isDeprecated ? 'endpoint-deprecated' : 'endpoint-reactivated'
      this.#recorder.record(id, { subject }, at('deprecated'))
      return
    }
    if (base.sunset !== current.sunset) {
      const facts = { subject, before: base.sunset, after: current.sunset }
      const stem = sunsetStem(base.sunset, current.sunset)
      const id = stem === 'sunset-deleted' ? stem : (`api-${stem}` as const)
      this.#recorder.record(id, facts, at('x-sunset'))
    }
    const keywords = [
      ['x-deprecated-at', base.since, current.since],
      ['x-replaced-by', base.replacement, current.replacement],
    ] as const
    for (const [name, before, after] of keywords) {
      if (!isDeepStrictEqual(before, after)) {
        this.#recorder.record('api-facts-changed', { subject, name }, at(name))
      }
    }
  }

  #compareParameters(base: Operation, current: Operation): void {
    const unmatched = new Map(base.parameters.map((each) => [toPositionKey(base, each), each]))
    for (const parameter of current.parameters) {
      const key = toPositionKey(current, parameter)
      const before = unmatched.get(key)
      unmatched.delete(key)
      if (before !== undefined) {
        this.#compareParameter({ base: before, current: parameter })
      } else {
        const subject = this.#pair.nameOf({ current: parameter.entry })
        const { isRequired } = parameter
        const id = isRequired ? 'new-required-request-parameter' : 'new-optional-request-parameter'
        this.#recorder.record(id, { subject }, { current: parameter.entry })
      }
    }
    for (const { entry, deprecation } of unmatched.values()) {
      const subject = this.#pair.nameOf({ base: entry })
      const { sunset } = deprecation
      this.#recorder.record('request-parameter-removed', { subject }, { base: entry }, sunset)
    }
  }

  #compareParameter({ base, current }: Holder<Parameter>): void {
    const at = { base: base.at, current: current.at }
    const key = `parameter ${keyOfParts(base, current)}`
    this.#recorder.compareOnce(key, () => {
      const subject = this.#pair.nameOf(at)
      if (base.name !== current.name && current.location === 'path') {
        const facts = { subject, before: base.name, after: current.name }
        this.#recorder.record('path-parameter-renamed', facts, at)
      }
      if (base.isRequired !== current.isRequired) {
        const id = current.isRequired
          ? 'request-parameter-became-required'
          : 'request-parameter-became-optional'
        this.#recorder.record(id, { subject }, at)
      }
      for (const [keyword, before, after] of changedForms(this.#pair, base, current)) {
        const facts = { subject, keyword, before, after }
        this.#recorder.record('request-parameter-form-changed', facts, at)
      }
      this.#compareSlotDeprecation(base, current, 'request-parameter')
      this.compareValue({ base, current }, 'request-parameter')
      compareParts(this.#pair, this.#recorder, base, current)
    })
  }

  #compareSlotDeprecation(
    base: Parameter | Header,
    current: Parameter | Header,
    slot: ValueSlot,
  ): void {
    const at = { base: base.at, current: current.at }
    const subject = this.#pair.nameOf(at)
    const [before, after]: readonly Deprecation[] = [base.deprecation, current.deprecation]
    if (before?.isDeprecated !== after?.isDeprecated) {
      const stem = after?.isDeprecated === true ? 'deprecated' : 'reactivated'
      this.#recorder.record(`${slot}-${stem}`, { subject }, at)
    }
    if (before?.sunset === after?.sunset) {
      return
    }
    const facts = { subject, before: before?.sunset, after: after?.sunset }
    this.#recorder.record(`${slot}-${sunsetStem(before?.sunset, after?.sunset)}`, facts, at)
  }

  /** Compares the values of parameters or headers, which have a schema, or a media type that has it. */
  compareValue({ base, current }: Holder<Parameter | Header>, slot: ValueSlot): void {
    const at = { base: base.at, current: current.at }
    const subject = this.#pair.nameOf(at)
    const [before, after] = [base, current].map(nameContent)
    if (before !== after) {
      const id = slot.startsWith('request-')
        ? 'request-parameter-form-changed'
        : 'response-header-form-changed'
      this.#recorder.record(id, { subject, keyword: 'content', before, after }, at)
    }
    // A parameter or a header has one media type, or none.
    const [mediaTypeBefore] = base.content
    const [mediaType] = current.content
    if (mediaTypeBefore !== undefined && mediaType !== undefined) {
      this.compareMediaType({ base: mediaTypeBefore, current: mediaType }, slot, subject)
    } else {
      const schemaBefore = base.schema ?? mediaTypeBefore?.schema
      const schema = current.schema ?? mediaType?.schema
      this.#compareSchemas(schemaBefore, schema, slot, at)
    }
  }

  #compareSchemas(
    base: Located | undefined,
    current: Located | undefined,
    slot: ValueSlot,
    at: Places,
  ): void {
    if (base === undefined && current === undefined) {
      return
    }
    const subject = this.#pair.nameOf(at)
    if (base === undefined || current === undefined) {
      const stem = base === undefined ? 'schema-added' : 'schema-removed'
      this.#recorder.record(`${slot}-${stem}`, { subject }, at)
      return
    }

    const schemaBefore = this.#pair.base.readSchema(base)
    const schema = this.#pair.current.readSchema(current)
    const key = `schema ${schemaBefore.id} ${schema.id} ${slot}`
    this.#recorder.compareOnce(`explained ${key}`, () => {
      this.#recorder.compareOnce(key, () => this.#schemas.compare(schemaBefore, schema, { slot }))
      if (meanTheSame(schemaBefore, schema)) {
        return
      }
      // A change that no rule describes must not pass as no change.
      const isExplained = this.#recorder.under(key).some(({ isRewording }) => isRewording !== true)
      if (isExplained) {
        return
      }
      const places = { base: schemaBefore.at, current: schema.at }
      const facts = { subject: this.#pair.nameOf(places) }
      this.#recorder.record('unexplained-change', facts, places)
    })
  }

  #compareBody({ body: base, at: baseAt }: Operation, { body: current, at }: Operation): void {
    if (base === undefined && current === undefined) {
      return
    }
    if (base === undefined || current === undefined) {
      const places = {
        base: base === undefined ? undefined : below(baseAt, 'requestBody'),
        current: current === undefined ? undefined : below(at, 'requestBody'),
      }
      const facts = { subject: this.#pair.nameOf(places) }
      const added =
        current?.isRequired === true ? 'request-body-added-required' : 'request-body-added-optional'
      const id = base === undefined ? added : 'request-body-removed'
      this.#recorder.record(id, facts, places)
      return
    }
    const key = `body ${keyOfParts(base, current)}`
    this.#recorder.compareOnce(key, () => this.#compareBodies({ base, current }))
  }

  #compareBodies({ base, current }: Holder<Body>): void {
    const at = { base: base.at, current: current.at }
    const subject = this.#pair.nameOf(at)
    if (base.isRequired !== current.isRequired) {
      const id = current.isRequired
        ? 'request-body-became-required'
        : 'request-body-became-optional'
      this.#recorder.record(id, { subject }, at)
    }
    if (base.maxBytes !== current.maxBytes) {
      const isLower = (current.maxBytes ?? Infinity) < (base.maxBytes ?? Infinity)
      const id = isLower ? 'request-body-max-bytes-decreased' : 'request-body-max-bytes-increased'
      const facts = { subject, before: base.maxBytes, after: current.maxBytes }
      const places = {
        base: below(base.at, 'x-max-bytes'),
        current: below(current.at, 'x-max-bytes'),
      }
      this.#recorder.record(id, facts, places)
    }
    this.#compareContent({ base, current }, 'request-body', subject)
    compareParts(this.#pair, this.#recorder, base, current)
  }

  /** Compares media types; one that a range such as `application/*` covers is compared with that. */
  #compareContent({ base, current }: Holder<WithContent>, slot: ValueSlot, subject: string): void {
    const isRequest = slot.startsWith('request-')
    const direction = isRequest ? 'request-body' : 'response'
    for (const mediaType of current.content) {
      const before = findRange(base.content, mediaType)
      if (before === undefined) {
        const facts = { subject, mediaType: mediaType.name }
        this.#recorder.record(`${direction}-media-type-added`, facts, { current: mediaType.at })
      } else {
        this.compareMediaType({ base: before, current: mediaType }, slot, subject)
      }
    }
    for (const mediaType of base.content) {
      if (current.content.some(({ key }) => key === mediaType.key)) {
        continue
      }
      const after = findRange(current.content, mediaType)
      // A range that is new promises less about responses than the media type that it replaces.
      const isKept = isRequest || base.content.some(({ key }) => key === after?.key)
      if (after !== undefined && isKept) {
        this.compareMediaType({ base: mediaType, current: after }, slot, subject)
      } else {
        const facts = { subject, mediaType: mediaType.name }
        this.#recorder.record(`${direction}-media-type-removed`, facts, { base: mediaType.at })
      }
    }
  }

  compareMediaType({ base, current }: Holder<MediaType>, slot: ValueSlot, subject: string): void {
    const at = { base: base.at, current: current.at }
    const direction = slot.startsWith('request-') ? 'request-body' : 'response'
    const owner = { direction, subject } as const
    const items = compareStreams(this.#pair, this.#recorder, { base, current }, owner)
    if (items !== undefined) {
      this.#compareSchemas(items.base, items.current, slot, at)
    } else {
      this.#compareSchemas(base.schema, current.schema, slot, at)
      this.#compareSchemas(base.itemSchema, current.itemSchema, slot, at)
    }
    compareEncodings(this.#pair, this.#recorder, { base, current }, owner)
    compareParts(this.#pair, this.#recorder, base, current)
  }

  /** Compares responses by their status; one that a range or `default` covers is compared with that. */
  compareResponses(
    base: readonly Response[],
    current: readonly Response[],
    isSkipped: (header: string, status: string) => boolean = () => false,
  ): void {
    for (const response of current) {
      const before = findCovering(base, response)
      if (before === undefined) {
        this.#recordStatus(response, 'added', { current: response.entry })
      } else {
        this.#compareResponse({ base: before, current: response }, isSkipped)
      }
    }
    for (const response of base) {
      if (current.some(({ status }) => status === response.status)) {
        continue
      }
      const covering = findCovering(current, response)
      // What was one success may now be any.
      const isAny = response.isSuccess && covering?.status === 'default'
      const after = isAny ? undefined : covering
      if (after === undefined) {
        this.#recordStatus(response, 'removed', { base: response.entry })
      } else {
        this.#compareResponse({ base: response, current: after }, isSkipped)
      }
    }
  }

  #recordStatus(response: Response, happened: 'added' | 'removed', at: Places): void {
    const success = response.isSuccess ? 'success' : 'non-success'
    const facts = { subject: this.#pair.nameOf(at) }
    this.#recorder.record(`response-${success}-status-${happened}`, facts, at)
  }

  #compareResponse(
    { base, current }: Holder<Response>,
    isSkipped: (header: string, status: string) => boolean,
  ): void {
    const way: Way = base.isSuccess && current.isSuccess ? 'response' : 'error'
    const skipped = deprecationHeaders.filter((name) => isSkipped(name, current.status))
    const places = keyOfParts(base, current)
    // Deprecated operations have more headers on responses that they share with others.
    const headers = [base, current].map((response) =>
      response.headers.map(({ name, others, texts }) => JSON.stringify([name, others, texts])),
    )
    this.#recorder.compareOnce(`response ${way} ${skipped} ${places} ${headers.join(' ')}`, () => {
      const at = { base: base.at, current: current.at }
      const subject = this.#pair.nameOf(at)
      this.#compareHeaders(base, current, way, skipped)
      this.#compareContent({ base, current }, `${way}-body`, subject)
      if (!isDeepStrictEqual(base.links, current.links)) {
        this.#recorder.record('response-links-changed', { subject }, at)
      }
      compareParts(this.#pair, this.#recorder, base, current)
    })
  }

  #compareHeaders(
    base: Response,
    current: Response,
    way: 'response' | 'error',
    skipped: readonly string[],
  ): void {
    const unmatched = new Map(base.headers.map((header) => [header.name.toLowerCase(), header]))
    for (const header of current.headers) {
      const name = header.name.toLowerCase()
      const before = unmatched.get(name)
      unmatched.delete(name)
      if (before !== undefined) {
        this.#compareHeader({ base: before, current: header }, `${way}-header`)
      } else if (!skipped.includes(name)) {
        const subject = this.#pair.nameOf({ current: header.entry })
        this.#recorder.record('response-header-added', { subject }, { current: header.entry })
      }
    }
    for (const [name, { entry, isRequired, deprecation }] of unmatched) {
      if (skipped.includes(name)) {
        continue
      }
      const id = isRequired
        ? 'required-response-header-removed'
        : 'optional-response-header-removed'
      const facts = { subject: this.#pair.nameOf({ base: entry }) }
      this.#recorder.record(id, facts, { base: entry }, deprecation.sunset)
    }
  }

  #compareHeader(
    { base, current }: Holder<Header>,
    slot: 'response-header' | 'error-header',
  ): void {
    const at = { base: base.at, current: current.at }
    const key = `${slot} ${keyOfParts(base, current)}`
    this.#recorder.compareOnce(key, () => {
      const subject = this.#pair.nameOf(at)
      if (base.isRequired !== current.isRequired) {
        const id = current.isRequired
          ? 'response-header-became-required'
          : 'response-header-became-optional'
        this.#recorder.record(id, { subject }, at)
      }
      for (const [keyword, before, after] of changedForms(this.#pair, base, current)) {
        const facts = { subject, keyword, before, after }
        this.#recorder.record('response-header-form-changed', facts, at)
      }
      this.#compareSlotDeprecation(base, current, slot)
      this.compareValue({ base, current }, slot)
      compareParts(this.#pair, this.#recorder, base, current)
    })
  }
}

/** Returns the media type in which a value is written; undefined if it has none. */
function nameContent({ content }: Parameter | Header): string | undefined {
  return content.length === 0 ? undefined : content.map(({ key }) => key).join(', ')
}

function below({ file, pointer }: Location, key: string): Location {
  return { file, pointer: toChild(pointer, key) }
}

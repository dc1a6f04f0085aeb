import { isDeepStrictEqual } from 'node:util'
import type {
  Body,
  DescriptionPart,
  Header,
  MediaType,
  Operation,
  Parameter,
  Response,
} from '../../server/description/description.ts'
import { toParameterKey } from '../../server/description/description-reader.ts'
import { toKey } from '../../server/description/location.ts'
import type { Server } from '../../server/description/servers.ts'
import type { OperationComparison, ValueSlot } from './compare-operations.ts'
import { changedForms, compareParts } from './compare-parts.ts'
import { isSameSecurity } from './compare-security.ts'
import { compareRequiredSchemes } from './compare-security-schemes.ts'
import type { Recorder } from './recorder.ts'
import type { Pair } from './words.ts'

/** Compares what the API sends to its consumers: its requests are what they receive. */
export function compareWebhooks(
  pair: Pair,
  recorder: Recorder,
  operations: OperationComparison,
  base: readonly Operation[],
  current: readonly Operation[],
): void {
  const unmatched = new Map(base.map((operation) => [operation.name, operation]))
  for (const operation of current) {
    const before = unmatched.get(operation.name)
    unmatched.delete(operation.name)
    if (before !== undefined) {
      const key = `webhook ${toKey(before.at)} ${toKey(operation.at)} ${operation.name}`
      const comparison = new WebhookComparison(pair, recorder, operations, before, operation)
      recorder.compareOnce(key, () => comparison.compare())
    } else {
      const at = { current: operation.at }
      recorder.record('webhook-added', { subject: pair.nameOf(at) }, at)
    }
  }
  for (const operation of unmatched.values()) {
    const at = { base: operation.at }
    recorder.record('webhook-removed', { subject: pair.nameOf(at) }, at)
  }
}

/** Compares one webhook or callback. */
class WebhookComparison {
  readonly #pair: Pair
  readonly #recorder: Recorder
  readonly #operations: OperationComparison
  readonly #base: Operation
  readonly #current: Operation

  constructor(
    pair: Pair,
    recorder: Recorder,
    operations: OperationComparison,
    base: Operation,
    current: Operation,
  ) {
    this.#pair = pair
    this.#recorder = recorder
    this.#operations = operations
    this.#base = base
    this.#current = current
  }

  compare(): void {
    const [pair, recorder, operations] = [this.#pair, this.#recorder, this.#operations]
    const [base, current] = [this.#base, this.#current]
    const subject = pair.nameOf({ base: base.at, current: current.at })
    if (!isSameSecurity(pair, base.security, current.security)) {
      this.#record('security')
    }
    compareRequiredSchemes(pair, recorder, base.security, current.security)
    const servers = [base, current].map(listServers)
    this.#expectSame('servers', servers[0], servers[1])

    this.#compareParameters(base.parameters, current.parameters)
    this.#compareBodies(base.body, current.body)
    this.#compareResponses(base.responses, current.responses)
    compareWebhooks(pair, recorder, operations, base.callbacks, current.callbacks)
    operations.compareOwn(base, current, subject)
    operations.compareDeprecation(base, current, subject)
    compareParts(pair, recorder, base, current)
  }

  /** Records that a part of the webhook is another one. */
  #record(name: string): void {
    const at = { base: this.#base.at, current: this.#current.at }
    this.#recorder.record('webhook-changed', { subject: this.#pair.nameOf(at), name }, at)
  }

  #expectSame(name: string, before: unknown, after: unknown): void {
    if (!isDeepStrictEqual(before, after)) {
      this.#record(name)
    }
  }

  #compareParameters(base: readonly Parameter[], current: readonly Parameter[]): void {
    const [statedBefore, statedAfter] = [base, current].map((parameters) => {
      return parameters.map((each) => [toParameterKey(each), listStated(each)] as const)
    })
    this.#expectSame('parameters', new Map(statedBefore), new Map(statedAfter))
    for (const parameter of current) {
      const key = toParameterKey(parameter)
      const before = base.find((each) => toParameterKey(each) === key)
      if (before === undefined) {
        continue
      }
      if (changedForms(this.#pair, before, parameter).length > 0) {
        this.#record('parameters')
      }
      // Consumers receive the parameter, as they receive a header of a response.
      this.#compareValues(before, parameter, 'response-header')
    }
  }

  #compareBodies(base: Body | undefined, current: Body | undefined): void {
    this.#expectSame('requestBody', listNames(base), listNames(current))
    this.#expectSame('required', base?.isRequired, current?.isRequired)
    this.#expectSame('x-max-bytes', base?.maxBytes, current?.maxBytes)
    if (base === undefined || current === undefined) {
      return
    }
    this.#compareContent(base, current, 'response-body')
    this.#compareParts(base, current)
  }

  #compareResponses(base: readonly Response[], current: readonly Response[]): void {
    const [statedBefore, statedAfter] = [base, current].map((responses) => {
      const stated = responses.map(({ status, headers, links, content }) => {
        const statedHeaders = headers.map((each) => {
          return [each.name.toLowerCase(), listStated(each)] as const
        })
        return [status, [new Map(statedHeaders), links, listNames({ content })]] as const
      })
      return new Map(stated)
    })
    this.#expectSame('responses', statedBefore, statedAfter)
    for (const response of current) {
      const before = base.find(({ status }) => status === response.status)
      if (before !== undefined) {
        this.#compareResponse(before, response)
      }
    }
  }

  /** Compares responses, which consumers send. */
  #compareResponse(base: Response, current: Response): void {
    for (const header of current.headers) {
      const name = header.name.toLowerCase()
      const before = base.headers.find((each) => each.name.toLowerCase() === name)
      if (before === undefined) {
        continue
      }
      if (changedForms(this.#pair, before, header).length > 0) {
        this.#record('responses')
      }
      this.#compareValues(before, header, 'request-parameter')
    }
    this.#compareContent(base, current, 'request-body')
    this.#compareParts(base, current)
  }

  #compareValues<Value extends Parameter | Header>(
    base: Value,
    current: Value,
    slot: ValueSlot,
  ): void {
    this.#operations.compareValue({ base, current }, slot)
    this.#compareParts(base, current)
  }

  #compareContent(
    base: { readonly content: readonly MediaType[] },
    current: DescriptionPart & { readonly content: readonly MediaType[] },
    slot: ValueSlot,
  ): void {
    const subject = this.#pair.nameOf({ current: current.at })
    for (const mediaType of current.content) {
      const before = base.content.find(({ key }) => key === mediaType.key)
      if (before !== undefined) {
        this.#operations.compareMediaType({ base: before, current: mediaType }, slot, subject)
      }
    }
  }

  #compareParts(base: DescriptionPart, current: DescriptionPart): void {
    compareParts(this.#pair, this.#recorder, base, current)
  }
}

/** Returns what is said of a parameter or a header; its value is compared as such. */
function listStated({ isRequired, deprecation }: Parameter | Header): unknown {
  return { isRequired, deprecation }
}

function listNames(holder: { readonly content: readonly MediaType[] } | undefined): unknown {
  return holder?.content.map(({ key }) => key).sort()
}

/** Returns the servers that a webhook has itself. */
function listServers({ servers, hasOwnServers }: Operation): unknown {
  return hasOwnServers ? servers.map(listServer) : undefined
}

function listServer({ url, variables }: Server): unknown {
  const stated = [...variables].map(([name, { default: usual, values }]) => {
    return [name, { usual, values }] as const
  })
  return { url, variables: new Map(stated) }
}

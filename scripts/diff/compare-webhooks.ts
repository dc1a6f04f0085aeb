import { isDeepStrictEqual } from 'node:util'
import type { Body, MediaType, Operation, Parameter, Response } from '../model/description.ts'
import type { OperationComparison } from './compare-operations.ts'
import { compareParts } from './compare-parts.ts'
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
  const known = new Map(base.map((operation) => [operation.name, operation]))
  for (const operation of current) {
    const before = known.get(operation.name)
    known.delete(operation.name)
    recorder.compareOnce(`webhook ${operation.at.pointer}`, () => {
      if (before !== undefined) compareWebhook(pair, recorder, operations, before, operation)
      else {
        const at = { current: operation.at }
        recorder.record('webhook-added', { subject: pair.nameOf(at) }, at)
      }
    })
  }
  for (const operation of known.values()) {
    const at = { base: operation.at }
    recorder.record('webhook-removed', { subject: pair.nameOf(at) }, at)
  }
}

function compareWebhook(
  pair: Pair,
  recorder: Recorder,
  operations: OperationComparison,
  base: Operation,
  current: Operation,
): void {
  const at = { base: base.at, current: current.at }
  const subject = pair.nameOf(at)
  const others = [
    ['parameters', listStated(base.parameters), listStated(current.parameters)],
    ['responses', listStated(base.responses), listStated(current.responses)],
    ['requestBody', listNames(base.body), listNames(current.body)],
    ['required', base.body?.isRequired, current.body?.isRequired],
  ] as const
  for (const [name, before, after] of others) {
    if (!isDeepStrictEqual(before, after)) recorder.record('webhook-changed', { subject, name }, at)
  }
  const compare = (
    slot: 'request-body' | 'response-body',
    before: readonly MediaType[],
    after: readonly MediaType[],
  ) => {
    for (const mediaType of after) {
      const known = before.find(({ key }) => key === mediaType.key)
      if (known !== undefined)
        operations.compareMediaType({ base: known, current: mediaType }, slot, subject)
    }
  }
  compare('response-body', base.body?.content ?? [], current.body?.content ?? [])
  for (const response of current.responses) {
    const before = base.responses.find(({ status }) => status === response.status)
    compare('request-body', before?.content ?? [], response.content)
  }
  operations.compareOwn(base, current, subject)
  operations.compareDeprecation(base, current, subject)
  compareParts(pair, recorder, base, current)
}

/** Returns what is said of parts of a webhook, their schemas aside. */
function listStated(parts: readonly (Parameter | Response)[]): unknown {
  return parts.map(({ texts: _, examples: __, at: ___, entry: ____, content, ...stated }) => {
    const names = content.map(({ key }) => key)
    // What is written in functions is compared as schemas.
    return JSON.parse(JSON.stringify({ ...stated, names, headers: undefined }))
  })
}

function listNames(body: Body | undefined): unknown {
  return body?.content.map(({ key }) => key).sort()
}

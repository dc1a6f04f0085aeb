import fc from 'fast-check'
import { basePath } from '../../../generated/operations.ts'
import { type Case, createCase } from '../support/case.ts'
import type { DescribedOperation } from '../support/described.ts'
import { type Sent, toCurl } from '../support/sent.ts'
import { judgeRefused, refusals } from './refusal.ts'

/** What follows a path, so that it is another. */
const ends = ['/', '//', '/x', '.json', ';a=b', '%2F', '/..', '/.']

/** Paths beside one that is described lead nowhere, however near they are. */
export function unknownPaths(
  path: string,
  drafts: fc.Arbitrary<Sent>,
  operations: readonly DescribedOperation[],
): Case[] {
  const known = operations.map(toPattern)
  const isUnknown = (one: string) => !known.some((pattern) => pattern.test(one))
  const sample = basePath + path.replaceAll(/\{[^{}]+\}/g, '1')
  const unknown = (change: fc.Arbitrary<(path: string) => string>, isSingle: boolean) => {
    const values = fc
      .tuple(drafts, change)
      .map(([sent, to]) => ({ ...sent, method: 'GET', path: to(sent.path.split('?')[0] ?? '') }))
      .filter((sent) => isUnknown(sent.path))
    return createCase({
      check: 'path: unknown',
      operation: `beside ${path}`,
      values,
      isSingle,
      judge: (sent, bench) => judgeRefused(sent, bench, { status: refusals.path }),
      show: toCurl,
    })
  }
  const doubled = (from: string) => from.replace(basePath, `${basePath}/`)
  const changes = [...ends.map((end) => (from: string) => from + end), upperCased, doubled]
  // What takes any text takes an end with it, and what is longer may be described too.
  const fixed = changes.filter((change) => isUnknown(change(sample)))
  const below = fc.stringMatching(/^(?:\/[A-Za-z0-9_-]{1,9}){4,6}$/)
  return [
    ...fixed.map((change) => unknown(fc.constant(change), true)),
    unknown(
      below.map((end) => (from) => from + end),
      false,
    ),
  ]
}

function upperCased(path: string): string {
  return basePath + path.slice(basePath.length).toUpperCase()
}

function toPattern({ path }: DescribedOperation): RegExp {
  const literals = path.split(/\{[^{}]+\}/).map((text) => RegExp.escape(text))
  return new RegExp(`^${RegExp.escape(basePath)}${literals.join('[^/]+')}$`)
}

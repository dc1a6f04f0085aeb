import type { NormalizedProblem } from '@redocly/openapi-core'
import { parse } from 'yaml'
import { isMultipleOf } from '../../server/description/multiple-of.ts'
import { isPattern } from '../../server/description/pattern.ts'
import { valueAt } from '../../server/description/pointer.ts'

/**
 * Returns whether a problem of Redocly is about an example that the service accepts: Redocly divides in double
 * precision, and compiles patterns with the flag `u` alone.
 */
export function isAcceptedExample(problem: NormalizedProblem): boolean {
  return isMultiple(problem) || hasOtherPattern(problem)
}

function isMultiple({ message, location: [at] }: NormalizedProblem): boolean {
  const [, divisor] = /^Example .* must be multiple of (\S+?)\.?$/s.exec(message) ?? []
  if (divisor === undefined || at?.pointer === undefined) {
    return false
  }

  const value = valueAt(parse(at.source.body), at.pointer)
  return typeof value === 'number' && isMultipleOf(value, Number(divisor))
}

function hasOtherPattern({ message }: NormalizedProblem): boolean {
  const [start = '', reason] = message.split(' errored: Invalid regular expression: /', 2)
  if (!start.startsWith('Example ') || reason === undefined) {
    return false
  }

  const pattern = reason.slice(0, reason.lastIndexOf('/u: '))
  return isPattern(pattern)
}

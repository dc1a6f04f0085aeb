import { isObject } from '../../../scripts/pipeline/description.ts'
import type { Attempt } from './attempt.ts'

/** Leaves out of an attempt what it fails without, one thing at a time. */
export async function smallest(
  attempt: Attempt,
  stillFails: (attempt: Attempt) => Promise<boolean>,
): Promise<Attempt> {
  for (const smaller of smallerThan(attempt)) {
    if (await stillFails(smaller)) return smallest(smaller, stillFails)
  }
  return attempt
}

function* smallerThan(attempt: Attempt): Iterable<Attempt> {
  const { query, headers, body } = attempt
  for (const at of query.keys()) yield { ...attempt, query: query.toSpliced(at, 1) }
  for (const [at, [name]] of headers.entries()) {
    // Nobody is let in without it.
    if (name !== 'authorization') yield { ...attempt, headers: headers.toSpliced(at, 1) }
  }
  for (const smaller of smallerValues(body)) yield { ...attempt, body: smaller }
}

function* smallerValues(value: unknown): Iterable<unknown> {
  if (typeof value === 'string' && value.length > 1) {
    yield value.slice(0, value.length / 2)
    yield value.slice(1)
  }
  if (Array.isArray(value)) {
    for (const at of value.keys()) {
      yield value.toSpliced(at, 1)
      for (const smaller of smallerValues(value[at])) yield value.with(at, smaller)
    }
  } else if (isObject(value)) {
    const rows = Object.entries(value)
    for (const [at, [name, member]] of rows.entries()) {
      yield Object.fromEntries(rows.toSpliced(at, 1))
      for (const smaller of smallerValues(member)) {
        yield Object.fromEntries(rows.with(at, [name, smaller]))
      }
    }
  }
}

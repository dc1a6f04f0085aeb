import { OutcomeUnknown } from '../store-unavailable.ts'

/** Milliseconds after which a request that waits for the database is told that it is away. */
export const requestPatience = 1_500

/** Milliseconds that a statement waits for a lock before it is sent again. */
export const lockPatience = 250

/** Milliseconds after which the server ends a statement: it knows before its caller gives up. */
export function statementPatienceOf(patience: number): number {
  return patience - lockPatience
}

/** Rejects with an `OutcomeUnknown` when the time of a piece of work is over. */
export type TooLate = Promise<never>

/** Gives a piece of work its time, in milliseconds. */
export async function inTime<Result>(
  patience: number,
  work: (tooLate: TooLate) => Promise<Result>,
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  const timer = setTimeout(() => {
    reject(new OutcomeUnknown(`PostgreSQL did not answer within ${patience} ms.`))
  }, patience)
  try {
    return await work(promise)
  } finally {
    clearTimeout(timer)
  }
}

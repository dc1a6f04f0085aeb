import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Frees what nothing refers to. */
export const collectGarbage: () => void = runInNewContext('gc')

/**
 * Returns by how many megabytes the heap has grown over the runs from `first` to `end`. Earlier runs, from 0 on, fill
 * what is filled once.
 */
export async function heapGrowth(
  [first, end]: readonly [first: number, end: number],
  run: (at: number) => Promise<void>,
): Promise<number> {
  const heapAfter = async (from: number, to: number): Promise<number> => {
    for (let at = from; at < to; at++) {
      await run(at)
    }
    collectGarbage()
    return process.memoryUsage().heapUsed
  }

  const before = await heapAfter(0, first)
  const after = await heapAfter(first, end)
  return (after - before) / 1e6
}

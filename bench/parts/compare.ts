import type { Server } from '../run/server.ts'
import { type Measured, measure } from './measure.ts'
import type { Bench } from './part.ts'

/** Something that is compared with others: a request, and the server that answers it. */
export interface Compared {
  readonly server: Server
  readonly key: string
  readonly request: string
  readonly clients?: number
}

/** Measures some things in turn, several rounds, then ends their servers; gives each thing's rounds. */
export async function compare(
  { load, isQuick, tell }: Bench,
  things: readonly Compared[],
): Promise<readonly (readonly Measured[])[]> {
  const extent = isQuick
    ? { rounds: 2, warmUp: 0.3, seconds: 0.3 }
    : { rounds: 12, warmUp: 2.5, seconds: 0.7 }
  const take = ({ server, key, request, clients = 32 }: Compared, seconds: number) =>
    measure(load, server, { key, request, clients, seconds })
  tell('warming up')
  for (const thing of things) await take(thing, extent.warmUp)
  const taken = things.map(() => [] as Measured[])
  for (let round = 0; round < extent.rounds; round++) {
    tell(`round ${round + 1} of ${extent.rounds}`)
    // Each round begins with another one, so that none always follows the same.
    for (let turn = 0; turn < things.length; turn++) {
      const index = (turn + round) % things.length
      const thing = things[index]
      if (thing !== undefined) taken[index]?.push(await take(thing, extent.seconds))
    }
  }
  for (const { stop } of new Set(things.map(({ server }) => server))) await stop()
  return taken
}

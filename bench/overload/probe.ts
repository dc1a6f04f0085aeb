import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds between an answer and the next question. */
const pause = 50

/** Asks for a page again and again, each time on a connection of its own, as probes do. */
export function startProbe(url: string) {
  const times: number[] = []
  let isOver = false
  const asking = ask()

  async function ask(): Promise<void> {
    while (!isOver) {
      const from = performance.now()
      const response = await fetch(url, { headers: { Connection: 'close' } })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${url} answered ${response.status}`)
      times.push(performance.now() - from)
      await wait(pause)
    }
  }

  return {
    /** Gives the milliseconds that each answer took. */
    async stop(): Promise<readonly number[]> {
      isOver = true
      await asking
      return times
    },
  }
}

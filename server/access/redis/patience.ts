/** Looks that an answer may be missing at. */
const most = 3

/** Waits for answers that come in the order in which they were asked for. */
export interface Patience {
  /** Waits for one more; settles as the promise does. */
  readonly wait: <Value>(answer: Promise<Value>) => Promise<Value>
  readonly end: () => void
}

/**
 * Makes a patience that ends, and says so once, when an answer is due for longer than a number of
 * milliseconds. It counts looks, not time: while this process is too busy to look it is too busy
 * to read the answers, and that is not the other side's fault.
 */
export function createPatience(milliseconds: number, onOverdue: () => void): Patience {
  let asked = 0
  let answered = 0
  /** How many had been asked for at each of the last looks, the latest last. */
  let looks: number[] = []
  let timer: NodeJS.Timeout | undefined

  function end(): void {
    clearInterval(timer)
    timer = undefined
    looks = []
  }

  function look(): void {
    if (answered === asked) {
      end()
      return
    }
    const due = looks.length < most ? 0 : (looks.shift() ?? 0)
    looks.push(asked)
    if (answered >= due) return
    end()
    onOverdue()
  }

  return {
    async wait(answer) {
      asked++
      timer ??= setInterval(look, milliseconds / most)
      try {
        return await answer
      } finally {
        answered++
      }
    },
    end,
  }
}

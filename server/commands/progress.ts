const barWidth = 24
/** Milliseconds between two updates: of the bar on a terminal, and of the lines in a log. */
const [onTerminal, inLog] = [100, 5_000]

const grouped = new Intl.NumberFormat('en-US')

/** Returns a number as people read it, such as `1,000,000`. */
export function formatCount(count: number): string {
  return grouped.format(count)
}

/** Shows progress on standard error: a bar on a terminal, a line every few seconds elsewhere. */
export class Progress {
  #shownAt = performance.now()

  /** Shows how much is done; the text is only made when it is shown. */
  report(done: number, all: number, text: () => string): void {
    const { stderr } = process
    const now = performance.now()
    if (now - this.#shownAt < (stderr.isTTY ? onTerminal : inLog)) return
    this.#shownAt = now
    const share = all === 0 ? 1 : Math.min(1, done / all)
    const line = `${Math.floor(share * 100)} %  ${text()}`
    if (stderr.isTTY) {
      const bar = '█'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '░')
      stderr.write(`\r\u001B[K${`${bar}  ${line}`.slice(0, (stderr.columns || 80) - 1)}`)
    } else {
      stderr.write(`${line}\n`)
    }
  }

  /** Removes the bar. */
  clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\u001B[K')
  }

  [Symbol.dispose](): void {
    this.clear()
  }
}

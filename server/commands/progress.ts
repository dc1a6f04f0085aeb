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
  readonly #screen = process.stderr
  readonly #pause = this.#screen.isTTY ? onTerminal : inLog
  #shownAt = performance.now()
  #hasBar = false

  /** Shows how much is done; the text is only made when it is shown. */
  report(done: number, all: number, text: () => string): void {
    const now = performance.now()
    if (now - this.#shownAt < this.#pause) return
    this.#shownAt = now
    const share = all === 0 ? 1 : Math.min(1, done / all)
    const percent = `${Math.floor(share * 100)} %`
    if (!this.#screen.isTTY) {
      this.#screen.write(`${percent}  ${text()}\n`)
      return
    }
    const filled = Math.round(share * barWidth)
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
    const line = `${bar} ${percent.padStart(5)}  ${text()}`
    this.#screen.write(`\r\u001B[K${line.slice(0, (this.#screen.columns ?? 80) - 1)}`)
    this.#hasBar = true
  }

  /** Removes the bar. */
  end(): void {
    if (this.#hasBar) this.#screen.write('\r\u001B[K')
    this.#hasBar = false
  }
}

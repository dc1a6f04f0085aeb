/** Where people see how far a long piece of work is. */
export interface Progress {
  /** Tells how much is done, of how much in all; the words are asked for when they are shown. */
  readonly tell: (done: number, all: number, words: () => string) => void
  /** Leaves the line that it wrote over. */
  readonly end: () => void
}

/** A terminal, or what stands in for one. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}

const barWidth = 24
/** Milliseconds between two sights: of a line that is written over, and of lines of a log. */
const [onTerminal, inLog] = [100, 5_000]

/** Shows progress: a bar on a terminal, a line every few seconds elsewhere. */
export function createProgress(screen: Screen): Progress {
  const pause = screen.isTTY ? onTerminal : inLog
  let toldAt = performance.now()
  let isOpen = false
  return {
    tell(done, all, words) {
      const now = performance.now()
      if (now - toldAt < pause) return
      toldAt = now
      const share = all === 0 ? 1 : Math.min(1, done / all)
      const percent = `${Math.floor(share * 100)} %`.padStart(5)
      if (!screen.isTTY) {
        screen.write(`${percent.trim()}  ${words()}\n`)
        return
      }
      const filled = Math.round(share * barWidth)
      const line = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${percent}  ${words()}`
      screen.write(`\r\u001B[K${line.slice(0, (screen.columns ?? 80) - 1)}`)
      isOpen = true
    },
    end() {
      if (isOpen) screen.write('\r\u001B[K')
      isOpen = false
    },
  }
}

const grouped = new Intl.NumberFormat('en-US')

/** A number as people read it. */
export function toWords(count: number): string {
  return grouped.format(count)
}

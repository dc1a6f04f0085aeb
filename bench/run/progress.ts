import type { WriteStream } from 'node:tty'

/** Says how far a run is: a line for each part, and in a terminal what is done just now. */
export function createProgress(stream: Pick<WriteStream, 'write' | 'isTTY'>) {
  let [name, from] = ['', 0]
  const seconds = (): string => `${((performance.now() - from) / 1000).toFixed(0)} s`
  // The rest of the line is cleared.
  const rewrite = (text: string): boolean => stream.write(`\r${text}\u001b[K`)
  return {
    begin(part: string): void {
      name = part
      from = performance.now()
      if (stream.isTTY) rewrite(name)
    },
    step(step: string): void {
      if (stream.isTTY) rewrite(`${name}: ${step} (${seconds()})`)
    },
    end(): void {
      const line = `${name}: ${seconds()}`
      if (stream.isTTY) rewrite(`${line}\n`)
      else stream.write(`${line}\n`)
    },
  }
}

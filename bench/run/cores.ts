import { spawnSync } from 'node:child_process'

/** The core that servers are measured on, and the one that the load comes from. */
export interface Cores {
  readonly server: number
  readonly load: number
}

/** Two cores of this machine that a process can be held to; undefined where that cannot be. */
export function findCores(): Cores | undefined {
  const { status, stdout } = spawnSync('taskset', ['-c', '-p', `${process.pid}`], {
    encoding: 'utf8',
  })
  if (status !== 0) return undefined
  const [, list = ''] = /: ([\d,-]+)\s*$/.exec(stdout) ?? []
  const cores = list.split(',').flatMap(toNumbers)
  // Neighbours may be two threads of one core, so the other one is taken from farther away.
  const [server, load] = [cores[0], cores[Math.floor(cores.length / 2)]]
  return server === undefined || load === undefined || server === load
    ? undefined
    : { server, load }
}

function toNumbers(range: string): number[] {
  const [first = Number.NaN, last = first] = range.split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** The words of a command that holds it to a core, where there is one to hold it to. */
export function heldTo(core: number | undefined, words: readonly string[]): readonly string[] {
  return core === undefined ? words : ['taskset', '-c', `${core}`, ...words]
}

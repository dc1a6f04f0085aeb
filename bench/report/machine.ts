import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'
import packageJson from '../../package.json' with { type: 'json' }
import type { Cores } from '../run/cores.ts'
import { project } from '../run/server.ts'

/** What figures were taken on, and of what. */
export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memory: string
  readonly system: string
  readonly node: string
  readonly packages: Readonly<Record<string, string>>
  /** The commit that was measured. */
  readonly commit: string
  /** How many processes wanted a core in the minute before; what others do is in the figures. */
  readonly loadBefore: number
  readonly pinning: string
}

const compared = ['express', 'express-openapi-validator', 'fastify'] as const

/** Describes this machine as it is now. */
export function describeMachine(cores: Cores | undefined): Machine {
  const all = { ...packageJson.dependencies, ...packageJson.devDependencies }
  return {
    processor: cpus()[0]?.model.trim() || processorName(),
    cores: availableParallelism(),
    memory: `${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
    system: `${type()} ${release()}`,
    node: process.version,
    packages: Object.fromEntries(compared.map((name) => [name, all[name]])),
    commit: commitNow(),
    loadBefore: loadavg()[0] ?? 0,
    pinning:
      cores === undefined
        ? 'no core: there is no taskset here, or one core only, so servers and load share what there is'
        : `core ${cores.server} for servers, and core ${cores.load} for the load`,
  }
}

// Node.js does not know the name on every system.
function processorName(): string {
  try {
    const [, name] =
      /^(?:model name|Model)\s*: (.+)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? []
    return name ?? process.arch
  } catch {
    return process.arch
  }
}

function commitNow(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project, encoding: 'utf8' })
    const commit = git('rev-parse', '--short', 'HEAD').trim()
    const others = [':!docs', ':!test', ':!bench/results']
    const isChanged = git('status', '--porcelain', '--', '.', ...others) !== ''
    return isChanged ? `${commit}, with changes` : commit
  } catch {
    return 'unknown'
  }
}

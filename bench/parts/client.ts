import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { toRatioText, toText } from '../report/numbers.ts'
import { start } from '../run/processes.ts'
import { project } from '../run/server.ts'
import type { Part } from './part.ts'

/** Microseconds of CPU that a call took: those in the middle, and between which most are. */
interface Cost {
  readonly name: string
  readonly mean: number
  readonly low: number
  readonly high: number
}

/** What `client-call.ts` prints. */
interface Load {
  readonly atOnce: number
  readonly costs: readonly Cost[]
}

/** What a call through the client costs its process. */
export const client: Part = {
  names: ['client'],
  async run({ isQuick, tell }) {
    tell('calling')
    const args = ['--json', '--rounds', isQuick ? '3' : '15']
    const child = start([process.execPath, join(project, 'bench/client-call.ts'), ...args], {
      cwd: project,
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (child.stdout === null) throw new Error('The output cannot be read.')
    const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    if (status !== 0) throw new Error(`client-call.ts ended with ${status}.`)
    const loads: readonly Load[] = JSON.parse(output)
    return { targets: [], bars: [], tables: [tableOf(loads)], raw: loads }
  },
}

function tableOf(loads: readonly Load[]) {
  const names = loads[0]?.costs.map(({ name }) => name) ?? []
  const cells = (index: number) =>
    loads.flatMap(({ costs }) => {
      const [cost, bare] = [costs[index], costs[0]]
      if (cost === undefined || bare === undefined) return []
      return [
        `${toText(cost.mean)} (${toText(cost.low)} to ${toText(cost.high)})`,
        toRatioText(cost.mean / bare.mean),
      ]
    })
  return {
    title: 'A call through the client',
    note: 'A list of 20 animals in µs of CPU of the calling process, and against a bare `fetch` that has no deadline, checks nothing and repeats nothing.',
    columns: [
      '',
      ...loads.flatMap(({ atOnce }) => [
        atOnce === 1 ? 'one after the other' : `${atOnce} at once`,
        '× bare',
      ]),
    ],
    rows: names.map((name, index) => [name, ...cells(index)]),
  }
}

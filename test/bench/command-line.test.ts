import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readBenchOptions } from '../../bench/command-line.ts'
import { startProgram } from '../support/program.ts'

const read = (...args: string[]) => readBenchOptions(args, ['list', 'get', 'start'], '/results')

test('only a whole run that is not quick writes where results are committed', () => {
  const all = ['list', 'get', 'start']
  expect(read()).toEqual({ chosen: all, isQuick: false, out: '/results' })
  expect(read('--quick')).toEqual({ chosen: all, isQuick: true, out: undefined })
  expect(read('start', 'list')).toEqual({
    chosen: ['list', 'start'],
    isQuick: false,
    out: undefined,
  })
  expect(read('get', '--quick', '--out', 'here').out).toBe(resolve('here'))
})

test.for([['lsit'], ['--fast'], ['list', '--out'], ['--quick=yes'], ['--out', '']])(
  'what no run can be is refused with the usage: %j',
  async (args) => {
    const { status, output, complaint } = await startProgram('bench/main.ts', args).ended
    expect(status).toBe(2)
    expect(output).toBe('')
    expect(complaint).toMatch(/^[^\n]+; usage: npm run bench -- \[list\|get\|create\|[^\n]+\n$/)
  },
)

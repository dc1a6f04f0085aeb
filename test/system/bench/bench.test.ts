import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readBenchOptions } from '../../../bench/command-line.ts'
import { namesOfParts } from '../../../bench/parts/parts.ts'
import { toChart } from '../../../bench/report/chart.ts'
import { describeMachine } from '../../../bench/report/machine.ts'
import { toMarkdown } from '../../../bench/report/markdown.ts'
import { toFigure, toRatio } from '../../../bench/report/outcome.ts'
import { startProgram } from '../../helpers/program.ts'

const read = (...args: string[]) => readBenchOptions(args, ['list', 'get', 'start'], '/results')

test('only a full run that is not --quick writes to the committed results', () => {
  const all = ['list', 'get', 'start']
  expect(read()).toEqual({ chosen: all, isQuick: false, out: '/results' })
  expect(read('--quick')).toEqual({ chosen: all, isQuick: true, out: undefined })
  const some = { chosen: ['list', 'start'], isQuick: false, out: undefined }
  expect(read('start', 'list')).toEqual(some)
  expect(read('get', '--quick', '--out', 'here').out).toBe(resolve('here'))
})

test('npm run bench rejects wrong arguments with its usage and exit status 2', async () => {
  for (const args of [['--fast'], ['list', '--out'], ['--quick=yes'], ['--out', '']]) {
    expect(() => read(...args), args.join(' ')).toThrow()
  }
  const ended = await startProgram('bench/main.ts', ['lsit']).ended
  expect(ended).toMatchObject({ status: 2, output: '' })
  expect(ended.complaint).toMatch(/^[^\n]+; usage: npm run bench -- \[list\|get\|create\|[^\n]+\n$/)
})

test('the report compares each target with its measurement, without rounding in its favour', () => {
  const [ours, theirs] = [
    [50, 100, 60],
    [100, 100, 200],
  ]
  const report = {
    day: '2026-11-21',
    machine: { ...describeMachine(undefined), commit: 'abc1234' },
    minutes: 9.6,
    targets: [
      { what: 'list', atMost: 0.5, measured: toRatio(ours, theirs) },
      { what: 'get', atMost: 1, measured: toFigure([1.004]) },
    ],
    tables: [{ title: 'List', note: 'So.', columns: ['', 'µs'], rows: [['a|b', '60']] }],
  }
  const text = toMarkdown(report)
  expect(text).toContain('1 of 2 targets are met.')
  expect(text).toContain('| list | 0.50 | 0.50 (0.30 to 1.00) | yes |')
  expect(text).toContain('| get | 1.00 | 1.00 | **no** |')
  expect(text).toContain('## List\n\nSo.\n\n|  | µs |\n|---|---|\n| a\\|b | 60 |\n')

  const bars = [
    { name: 'ours', figure: toFigure(ours), isOurs: true },
    { name: '<theirs> & "others"', figure: toFigure(theirs), isOurs: false },
  ]
  const chart = toChart(report, [{ title: 'list, µs', bars }])
  const lengthOf = (kind: string): number =>
    Number(new RegExp(`width="([\\d.]+)" height="14" rx="2" class="${kind}"`).exec(chart)?.[1])
  expect(lengthOf('ours') / lengthOf('peer')).toBeCloseTo(60 / 100, 2)
  expect(chart).toContain('&lt;theirs&gt; &amp; &quot;others&quot;')
  expect(chart).not.toMatch(/NaN|Infinity/)
})

test('docs/scaling.md names the parts of a run', () => {
  const scaling = readFileSync(new URL('../../../docs/scaling.md', import.meta.url), 'utf8')
  const [, named = ''] = /^The parts are (.+?)\./m.exec(scaling) ?? []
  expect([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(namesOfParts)
})

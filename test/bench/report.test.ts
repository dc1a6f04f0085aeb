import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toChart } from '../../bench/report/chart.ts'
import { describeMachine } from '../../bench/report/machine.ts'
import { type Report, toMarkdown } from '../../bench/report/markdown.ts'
import { type Bar, toFigure, toRatio } from '../../bench/report/outcome.ts'

const [ours, theirs] = [
  [50, 100, 60],
  [100, 100, 200],
]
const bar = (name: string, values: readonly number[], isOurs = false): Bar => ({
  name,
  figure: toFigure(values),
  isOurs,
})
const group = {
  title: 'list, µs',
  bars: [bar('ours', ours, true), bar('<theirs> & "others"', theirs)],
}
const report: Report = {
  day: '2026-11-21',
  machine: { ...describeMachine(undefined), processor: 'A & B', commit: 'abc1234' },
  minutes: 9.6,
  targets: [
    { what: 'list', atMost: 0.5, measured: toRatio(ours, theirs) },
    { what: 'get', atMost: 1, measured: toFigure([1.004]) },
  ],
  tables: [{ title: 'List', note: 'So.', columns: ['', 'µs'], rows: [['a|b', '60']] }],
}

test('a ratio is taken round by round, and a figure tells how far its rounds are apart', () => {
  expect(toRatio(ours, theirs)).toEqual({ median: 0.5, least: 0.3, most: 1 })
  expect(toFigure([4, 1, 2, 3])).toEqual({ median: 2.5, least: 1, most: 4 })
})

test('the table has each target with what was measured, and rounds none of them to be met', () => {
  const text = toMarkdown(report)
  expect(text).toContain('1 of 2 targets are met.')
  expect(text).toContain('| list | 0.50 | 0.50 (0.30 to 1.00) | yes |')
  expect(text).toContain('| get | 1.00 | 1.00 | **no** |')
  expect(text).toContain('## List\n\nSo.\n\n|  | µs |\n|---|---|\n| a\\|b | 60 |\n')
  expect(text).toMatch(/2026-11-21, in 9\.6 minutes, of commit abc1234/)
  expect(text).toContain('- processes are held to no core: there is no taskset')
})

test('the chart has a bar for each figure, as long as it is, with its spread and its name', () => {
  const chart = toChart(report, [group])
  const lengths = (kind: string) =>
    [
      ...chart.matchAll(new RegExp(`width="([\\d.]+)" height="14" rx="2" class="${kind}"`, 'g')),
    ].map(([, length]) => Number(length))
  const [own = 0] = lengths('ours')
  const [other = 0] = lengths('peer')
  expect(own / other).toBeCloseTo(60 / 100, 2)
  // Two lines with two ends each.
  expect(chart.match(/class="line"/g)).toHaveLength(6)
  expect(chart).toContain('&lt;theirs&gt; &amp; &quot;others&quot;')
  expect(chart).toContain('0.50 of 0.50')
  expect(lengths('missed')).toHaveLength(1)
  expect(chart).toMatch(/prefers-color-scheme: dark/)
  // Every element that is begun is ended.
  expect(chart.match(/<[a-z]/g)?.length).toBe(chart.match(/<\/[a-z]+>|\/>/g)?.length)
})

test('the chart of a run without targets, or without bars, is whole too', () => {
  expect(toChart({ ...report, targets: [] }, [group])).not.toContain('NaN')
  expect(toChart(report, [])).not.toMatch(/NaN|Infinity/)
})

test('the documents name the parts of a run as they are', async () => {
  const { namesOfParts } = await import('../../bench/parts/parts.ts')
  const scaling = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8')
  const [, named = ''] = /^The parts are (.+?)\./m.exec(scaling) ?? []
  expect([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(namesOfParts)
})

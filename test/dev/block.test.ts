import { expect, test } from 'vitest'
import { writeBlock } from '../../scripts/dev/block.ts'
import type { LoopState } from '../../scripts/dev/loop-state.ts'
import { createLoopState } from '../../scripts/dev/loop-state-holder.ts'

const time = new Date(2026, 10, 20, 14, 3, 12)
const milliseconds = { lint: 80, types: 290, total: 412 }
const place = { file: 'spec/openapi.yaml', line: 7, column: 3 }
const change = { what: 'It is gone.', consequence: 'Calls get 404.', place: 'GET /things' }
const diff = {
  step: 'minor',
  base: { version: '1.0.0', ref: 'v1.0.0' },
  current: { version: '1.1.0' },
  needed: '1.1.0',
  changes: [{ ...change, breaking: false, step: 'minor' }],
} as const

function write(state: Partial<LoopState>): string {
  const saved = ['spec/openapi.yaml']
  return writeBlock({ ...createLoopState().get(), saved, milliseconds, ...state }, time)
}

test('when all is well it is one line, without colours where nobody looks', () => {
  const line = '14:03:12  spec/openapi.yaml  ok  0.41 s: lint 0.08, types 0.29'
  expect(write({})).toBe(line)
  expect(write({ diff })).toBe(line.replace('ok', 'ok  minor since 1.0.0'))
})

test('what the linter and the compiler find stands with its place', () => {
  const lint = [
    { ...place, rule: 'service/rule', severity: 'error', message: 'Say more.' },
  ] as const
  const code = [{ file: 'server/a.ts', line: 1, column: 2, message: 'x'.repeat(500) }]
  expect(write({ lint, code }).split('\n')).toEqual([
    '',
    '14:03:12  spec/openapi.yaml',
    '  spec        spec/openapi.yaml:7:3 service/rule Say more.',
    `  code        server/a.ts:1:2 ${'x'.repeat(159)}…`,
    '  0.41 s: lint 0.08, types 0.29',
  ])
})

test('a version that is too low is said, with the changes that ask for more', () => {
  const block = write({ diff: { ...diff, current: { version: '1.0.9' } } })
  expect(block).toContain('  minor       GET /things: It is gone. Calls get 404.\n')
  expect(block).toContain('  version     1.1.0 is needed after 1.0.0 (v1.0.0), not 1.0.9\n')
})

test('what is breaking is said whatever the version', () => {
  const changes = [{ ...change, breaking: true, step: 'major' }, ...diff.changes] as const
  const current = { version: '2.0.0' }
  const block = write({ diff: { ...diff, step: 'major', needed: '2.0.0', current, changes } })
  expect(block.match(/^ {2}\w+ +GET/gm)).toEqual(['  breaking    GET'])
  expect(block).not.toContain('is needed')
})

test('what a description with faults would mean for consumers is not said', () => {
  const lint = [{ ...place, rule: 'a', severity: 'error', message: 'b' }] as const
  const changes = [{ ...change, breaking: true, step: 'major' }] as const
  expect(write({ lint, diff: { ...diff, changes } })).not.toContain('breaking')
})

test('of many the first are shown', () => {
  const code = Array.from({ length: 30 }, (_, line) => ({
    file: 'a.ts',
    line,
    column: 1,
    message: 'm',
  }))
  const block = write({ code })
  expect(block.match(/ {2}code /g)).toHaveLength(8)
  expect(block).toContain('and 22 more, which /studio shows')
})

test('operations that are answered with samples are named', () => {
  const operations = [
    { operationId: 'getThing', method: 'get', path: '/thing', state: 'mocked', deprecated: false },
  ] as const
  expect(write({ operations })).toContain('  mocked      getThing: no handler yet, answered with')
})
